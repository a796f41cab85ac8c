import { Headers } from '../hub/connection';
import { ApiResponse } from '../hub/httpClient';

/** A request that every server refuses, and its response. */
export interface Refusal {
  readonly title: string;
  readonly request: readonly [
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ];
  readonly expected: ErrorResponse;
}

/** An error response. A message or cause that ends in `…` may continue with words that are not part of the contract. */
export interface ErrorResponse {
  readonly status: number;
  readonly reason?: string;
  readonly message?: string;
  /** The whole body if it is not a `Status`. */
  readonly text?: string;
  /** `<reason> <field>: <message>` of each cause, in any order. */
  readonly causes?: readonly string[];
  readonly details?: object;
}

/** The cause that Kubernetes adds when an object is so invalid that the definition's CEL rules do not run. */
export const RULES_NOT_CHECKED =
  'FieldValueInvalid <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** Problem of a {@link conflict} over the resourceVersion. */
export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export const METHOD_NOT_ALLOWED: ErrorResponse = {
  status: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
};

export const PAGE_NOT_FOUND: ErrorResponse = {
  status: 404,
  text: '404 page not found\n',
};

export const RESOURCE_NOT_FOUND: ErrorResponse = {
  status: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
};

export const REQUEST_REJECTED: ErrorResponse = {
  status: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
};

export function badRequest(message: string): ErrorResponse {
  return { status: 400, reason: 'BadRequest', message };
}

export function unsupportedMediaType(message: string): ErrorResponse {
  return { status: 415, reason: 'UnsupportedMediaType', message };
}

export function internalError(message: string): ErrorResponse {
  return { status: 500, message };
}

export function timeout(message: string): ErrorResponse {
  return { status: 504, reason: 'Timeout', message };
}

/** @param type - resource or kind with its group, as in `widgets.example.com`; the same in the functions below */
export function notFound(type: string, name: string): ErrorResponse {
  return {
    status: 404,
    reason: 'NotFound',
    message: `${type} "${name}" not found`,
    details: detailsOf(type, name),
  };
}

export function alreadyExists(type: string, name: string): ErrorResponse {
  return {
    status: 409,
    reason: 'AlreadyExists',
    message: `${type} "${name}" already exists`,
    details: detailsOf(type, name),
  };
}

export function conflict(
  type: string,
  name: string,
  problem: string,
): ErrorResponse {
  return {
    status: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${type} "${name}": ${problem}`,
    details: detailsOf(type, name),
  };
}

export function forbidden(
  type: string,
  name: string,
  problem: string,
): ErrorResponse {
  return {
    status: 403,
    reason: 'Forbidden',
    message: `${type} "${name}" is forbidden: ${problem}`,
    details: detailsOf(type, name),
  };
}

export function invalid(
  type: string,
  name: string,
  causes: readonly string[],
): ErrorResponse {
  return {
    status: 422,
    reason: 'Invalid',
    message: `${type} "${name}" is invalid: …`,
    causes,
    details: detailsOf(type, name),
  };
}

function detailsOf(type: string, name: string) {
  const [kind, ...group] = type.split('.');
  return {
    kind,
    ...(group.length > 0 && { group: group.join('.') }),
    ...(name && { name }),
  };
}

interface Cause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

function matching(expected: string) {
  return expected.endsWith('…')
    ? expect.stringContaining(expected.slice(0, -1))
    : expected;
}

/** Checks the whole response, since clients depend on all of it. */
export function expectError(
  response: ApiResponse,
  expected: ErrorResponse,
): void {
  const { status, reason, message, text, causes, details } = expected;
  expect(response.status).toBe(status);
  if (text !== undefined) {
    expect(response.text).toBe(text);
    return;
  }
  expect(response.body).toMatchObject({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: status,
  });
  expect(response.body.reason).toBe(reason);
  expect(response.body.message).toEqual(matching(message ?? ''));
  if (details) {
    expect(response.body.details).toMatchObject(details);
  }
  if (causes) {
    const found = (response.body.details.causes as readonly Cause[]).map(
      cause => `${cause.reason} ${cause.field}: ${cause.message}`,
    );
    expect([...new Set(found)].sort()).toEqual(
      [...causes].sort().map(matching),
    );
  }
}
