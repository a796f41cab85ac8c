import type { ResponseError } from '@backstage/errors';
import { HUB_NOT_LISTED_ERROR } from 'backstage-plugin-argocd-fleet-common';

/**
 * Why a request to the backend failed, as the page distinguishes it:
 * - `forbidden`: the permission is missing
 * - `signedOut`: the session ended
 * - `notFound`: the backend answered that the object does not exist
 * - `notInstalled`: something else answered 404, so there is no such backend plugin
 * - `hubNotListed`: the backend has not listed the hub completely since it started
 * - `failing`: the backend answered with an error of its own
 * - `unreachable`: there was no response, or one of a proxy whose backend is down
 */
export type RequestProblem =
  | 'forbidden'
  | 'signedOut'
  | 'notFound'
  | 'notInstalled'
  | 'hubNotListed'
  | 'failing'
  | 'unreachable';

/** By shape, not by class: an app may contain several versions of the errors package. */
function isResponseError(error: Error): error is ResponseError {
  return error.name === 'ResponseError' && 'statusCode' in error;
}

export function requestProblemOf(error: Error): RequestProblem {
  if (!isResponseError(error)) {
    return 'unreachable';
  }
  switch (error.statusCode) {
    case 401:
      return 'signedOut';
    case 403:
      return 'forbidden';
    case 404:
      // For a plugin that is not installed, Backstage answers 404 without this error name.
      return error.body?.error?.name === 'NotFoundError'
        ? 'notFound'
        : 'notInstalled';
    case 503:
      return error.body?.error?.name === HUB_NOT_LISTED_ERROR
        ? 'hubNotListed'
        : 'unreachable';
    case 502:
    case 504:
      return 'unreachable';
    default:
      return 'failing';
  }
}

/** The server's message, without the HTTP status around it. */
export function serverMessageOf(error: Error): string {
  return isResponseError(error)
    ? (error.body?.error?.message ?? error.message)
    : error.message;
}
