import {
  failureStatus,
  qualifiedName,
  Status,
  StatusCause,
  StatusDetails,
} from 'apimachinery';
import { FieldError, fieldErrorText } from './fieldErrors';

/** A refusal that the client sees as the `Status` it carries. */
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

/** The names by which an error speaks of a resource. */
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

/** A list that cannot be had any more, or a watch from too long ago. */
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

/** The path leads to nothing that is served in a group version that is. */
export function resourceUnknown(): ApiError {
  return new ApiError(
    404,
    'NotFound',
    'the server could not find the requested resource',
    {},
  );
}

/** An object that its own schema or rules refuse, with one cause per field. */
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

/** Options of a request that are wrong: `CreateOptions`, `ListOptions` and so on. */
export function invalidOptions(
  kind: string,
  errors: readonly FieldError[],
): ApiError {
  return invalid({ group: 'meta.k8s.io', plural: '', kind }, '', errors);
}
