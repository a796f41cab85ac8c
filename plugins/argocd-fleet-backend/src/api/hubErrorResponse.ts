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

/**
 * Converts a hub's error into the error of the API, with the same message and without its cause, which names what only
 * an administrator may see: files, addresses, system calls. Other errors are returned unchanged.
 */
export function toApiError(error: unknown): unknown {
  if (!isKubernetesError(error)) {
    return error;
  }
  switch (error.kind) {
    case 'notFound':
      return new NotFoundError(error.message);
    case 'conflict':
    case 'alreadyExists':
    case 'gone':
      return new ConflictError(error.message);
    case 'forbidden':
      return new NotAllowedError(error.message);
    case 'invalid':
      return new InputError(error.message);
    default:
      return new ServiceUnavailableError(error.message);
  }
}
