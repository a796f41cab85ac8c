import {
  ConflictError,
  InputError,
  NotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
} from '@backstage/errors';
import { isKubernetesError } from '../kubernetes/client';

/** Turns what a hub answered into the error that the API answers with; its message is kept. Other errors come back as they are. */
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
