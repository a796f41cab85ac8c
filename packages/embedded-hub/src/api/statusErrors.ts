import {
  failureStatus,
  qualifiedName,
  Status,
  StatusCause,
  StatusDetails,
} from 'apimachinery';
import { FieldError, fieldErrorText } from './fieldErrors';

/** A request failed; the client receives `status`. */
export class ApiError extends Error {
  readonly status: Status;

  constructor(
    readonly code: number,
    reason: string,
    message: string,
    details?: StatusDetails,
    listMeta: { continue?: string } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = failureStatus(code, reason, message, details, listMeta);
  }
}

/** The names of a resource that errors use. */
export interface NamedResource {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

function detailsOf(resource: NamedResource, name: string): StatusDetails {
  return {
    ...(name ? { name } : {}),
    ...(resource.group ? { group: resource.group } : {}),
    kind: resource.plural,
  };
}

export function notFound(resource: NamedResource, name: string): ApiError {
  return new ApiError(
    404,
    'NotFound',
    `${qualifiedName(resource.group, resource.plural)} "${name}" not found`,
    detailsOf(resource, name),
  );
}

export function alreadyExists(resource: NamedResource, name: string): ApiError {
  return new ApiError(
    409,
    'AlreadyExists',
    `${qualifiedName(resource.group, resource.plural)} "${name}" already exists`,
    detailsOf(resource, name),
  );
}

export function conflict(
  resource: NamedResource,
  name: string,
  why = 'the object has been modified; please apply your changes to the latest version and try again',
): ApiError {
  return new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedName(
      resource.group,
      resource.plural,
    )} "${name}": ${why}`,
    detailsOf(resource, name),
  );
}

export function forbidden(
  resource: NamedResource,
  name: string,
  why: string,
  causes?: StatusCause[],
): ApiError {
  return new ApiError(
    403,
    'Forbidden',
    `${qualifiedName(resource.group, resource.plural)} "${name}" is forbidden: ${why}`,
    { ...detailsOf(resource, name), ...(causes ? { causes } : {}) },
  );
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

/** A list page or watch needs changes that are no longer kept. */
export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(
    410,
    'Expired',
    message,
    undefined,
    continueToken ? { continue: continueToken } : {},
  );
}

export function methodNotAllowed(): ApiError {
  return new ApiError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  return new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(
      ', ',
    )}`,
  );
}

export function requestEntityTooLarge(limit: number): ApiError {
  return new ApiError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: limit is ${limit}`,
  );
}

/** The group version is served, but not this resource of it. */
export function resourceUnknown(): ApiError {
  return new ApiError(
    404,
    'NotFound',
    'the server could not find the requested resource',
    {},
  );
}

/** An object violates its schema or rules, with one cause for each field. */
export function invalid(
  resource: NamedResource,
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const texts = [
    ...new Set(errors.map(error => `${error.field}: ${fieldErrorText(error)}`)),
  ];
  const aggregated = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new ApiError(
    422,
    'Invalid',
    `${qualifiedName(resource.group, resource.kind)} "${name}" is invalid: ${aggregated}`,
    {
      ...(name ? { name } : {}),
      ...(resource.group ? { group: resource.group } : {}),
      kind: resource.kind,
      causes: errors.map(error => ({
        reason: error.reason,
        message: fieldErrorText(error),
        field: error.field,
      })),
    },
  );
}

/** The options of a request (`CreateOptions`, `ListOptions` and so on) are not valid. */
export function invalidOptions(
  kind: string,
  errors: readonly FieldError[],
): ApiError {
  return invalid({ group: 'meta.k8s.io', plural: '', kind }, '', errors);
}
