import type { ResponseError } from '@backstage/errors';

/**
 * Why a request to the backend failed, as far as it makes a difference to the person who looks at it:
 * - `forbidden`: the permission is missing
 * - `signedOut`: the session ended
 * - `notFound`: the backend answered that the thing does not exist
 * - `notInstalled`: something else answered 404, so there is no such backend plugin
 * - `failing`: the backend answered with an error of its own
 * - `unreachable`: nobody answered
 */
export type RequestProblem =
  | 'forbidden'
  | 'signedOut'
  | 'notFound'
  | 'notInstalled'
  | 'failing'
  | 'unreachable';

/** By shape, not by class: a portal may hold several versions of the errors package. */
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
      // Backstage answers for a plugin that it does not have too, but without the error's name.
      return error.body?.error?.name === 'NotFoundError'
        ? 'notFound'
        : 'notInstalled';
    case 502:
    case 503:
    case 504:
      return 'unreachable';
    default:
      return 'failing';
  }
}

/** What the server said, without the HTTP status around it. */
export function serverMessageOf(error: Error): string {
  return isResponseError(error)
    ? (error.body?.error?.message ?? error.message)
    : error.message;
}
