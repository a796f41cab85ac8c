import { isJsonObject } from './json';

/** An error response of a Kubernetes API server. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** The HTTP status code. */
    readonly code: number,
    /** The `reason` of the `Status` object, such as `AlreadyExists`. */
    readonly reason: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Makes an error of a failed response: from its `Status` object, or else from the start of its body. */
export function apiErrorFrom(
  request: string,
  code: number,
  body: string,
): ApiError {
  try {
    const status: unknown = JSON.parse(body);
    if (isJsonObject(status) && status.kind === 'Status') {
      return new ApiError(
        `${request}: ${status.message ?? `HTTP ${code}`}`,
        typeof status.code === 'number' ? status.code : code,
        typeof status.reason === 'string' ? status.reason : '',
      );
    }
  } catch (error) {
    // The body is not JSON, for example HTML of a proxy or a truncated response.
    return new ApiError(
      `${request}: HTTP ${code}: ${body.slice(0, 200)} (${error})`,
      code,
      '',
    );
  }
  return new ApiError(
    `${request}: HTTP ${code}: ${body.slice(0, 200)}`,
    code,
    '',
  );
}

/** True if the object, its namespace or its resource does not exist. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 404;

/** True if another client wrote first, or if the object already exists. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409;

/** True if the resource version of a watch or a list page has expired. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 410;
