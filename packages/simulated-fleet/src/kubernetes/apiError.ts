import { isJsonObject } from './json';

/** What a Kubernetes API server answered instead of what was asked for. */
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

/** Reads the `Status` object of a failed request. */
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
    // A proxy's HTML or a cut answer is no Status object: say what came.
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

/** True when the object, its namespace or its resource does not exist. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 404;

/** True when somebody else wrote first, or the object is already there. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409;

/** True when a watch or a list page asks for a version that is no longer kept. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 410;
