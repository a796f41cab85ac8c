import {
  ConflictError,
  CustomErrorBase,
  InputError,
  NotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
} from '@backstage/errors';
import { HUB_NOT_LISTED_ERROR } from 'backstage-plugin-argocd-fleet-common';
import { isKubernetesError } from '../kubernetes/client';

/** The hub is not listed completely: whether it has the object is not known yet. */
export class HubNotListedError extends CustomErrorBase {
  name = HUB_NOT_LISTED_ERROR;
  /** Backstage knows the status of its own error names only. */
  readonly status = 503;
}

/** Converts a hub's error into the error of the API, with the same message. Other errors are returned unchanged. */
export function toApiError(error: unknown): unknown {
  if (!isKubernetesError(error)) {
    return error;
  }
  switch (error.kind) {
    case 'notFound':
      return new NotFoundError(error.message, error);
    case 'conflict':
    case 'alreadyExists':
    case 'gone':
      return new ConflictError(error.message, error);
    case 'forbidden':
      return new NotAllowedError(error.message, error);
    case 'invalid':
      return new InputError(error.message, error);
    default:
      return new ServiceUnavailableError(error.message, error);
  }
}
