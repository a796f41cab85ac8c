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

/** What decides an answer is not completely known of the hub; the message has the reason. */
export class HubUnavailableError extends CustomErrorBase {
  name = ServiceUnavailableError.name;
  readonly status = 503;
}

const NO_DETAILS =
  'Administrators of this portal see the reason (permission argocd-fleet.hub.read).';
const NOT_LISTED = `The hub has not been read completely yet. ${NO_DETAILS}`;
const NO_ANSWER = `The hub cannot be reached. ${NO_DETAILS}`;
const NOT_ALLOWED = `The hub does not allow this to Argo CD Fleet. ${NO_DETAILS}`;

/**
 * Converts a hub's error into the error of the API, with the same message and without its cause, which names what only
 * an administrator may see: files, addresses, system calls. Other errors are returned unchanged.
 * @param seesHubs - whether the caller may read what messages about hubs name: addresses, file paths, account names
 */
export function toApiError(error: unknown, seesHubs: boolean): unknown {
  if (!seesHubs && error instanceof HubNotListedError) {
    return new HubNotListedError(NOT_LISTED);
  }
  if (!seesHubs && error instanceof HubUnavailableError) {
    return new HubUnavailableError(NOT_LISTED);
  }
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
      return new NotAllowedError(seesHubs ? error.message : NOT_ALLOWED);
    case 'invalid':
      return new InputError(error.message);
    default:
      return new ServiceUnavailableError(seesHubs ? error.message : NO_ANSWER);
  }
}
