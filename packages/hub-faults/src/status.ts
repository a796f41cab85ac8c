import { ApiRequest } from './apiRequest';
import { CompleteFault } from './fault';

/** `metav1.Status`, as errors carry it. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: object;
  readonly status: 'Failure';
  readonly message: string;
  readonly reason: string;
  readonly details?: object;
  readonly code: number;
}

function failure(
  code: number,
  reason: string,
  message: string,
  details?: object,
): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  };
}

function about({ group, resource, name }: ApiRequest) {
  return {
    ...(name && { name }),
    ...(group && { group }),
    kind: resource,
  };
}

const qualified = ({ group, resource }: ApiRequest) =>
  group ? `${resource}.${group}` : resource;

/** The answer of a fault in Kubernetes' words; nothing when the fault is none that answers. */
export function statusOf(
  fault: CompleteFault,
  request: ApiRequest,
): Status | undefined {
  switch (fault.type) {
    case 'conflict':
      return failure(
        409,
        'Conflict',
        `Operation cannot be fulfilled on ${qualified(request)} "${request.name}": the object has been modified; please apply your changes to the latest version and try again`,
        about(request),
      );
    case 'tooManyRequests':
      return failure(
        429,
        'TooManyRequests',
        'Too many requests, please try again later.',
        { retryAfterSeconds: fault.retryAfterSeconds },
      );
    case 'forbidden':
      return forbidden(fault.user, request);
    case 'serverError':
      return serverError(fault.code);
    case 'listPage':
      return fault.code === 410
        ? failure(
            410,
            'Expired',
            'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
          )
        : serverError(fault.code);
    case 'watchExpired':
      return failure(
        410,
        'Expired',
        `too old resource version: ${
          request.url.searchParams.get('resourceVersion') ?? 0
        } (${Number.MAX_SAFE_INTEGER})`,
      );
    default:
      return undefined;
  }
}

function forbidden(user: string, request: ApiRequest): Status {
  const { verb, group, resource, subresource, namespace, name } = request;
  const full = subresource ? `${resource}/${subresource}` : resource;
  const scope = namespace
    ? `in the namespace "${namespace}"`
    : 'at the cluster scope';
  return failure(
    403,
    'Forbidden',
    `${qualified(request)}${
      name && ` "${name}"`
    } is forbidden: User "${user}" cannot ${verb} resource "${full}" in API group "${group}" ${scope}`,
    about(request),
  );
}

function serverError(code: 500 | 503): Status {
  return code === 500
    ? failure(
        500,
        'InternalError',
        'Internal error occurred: etcdserver: leader changed',
        { causes: [{ message: 'etcdserver: leader changed' }] },
      )
    : failure(
        503,
        'ServiceUnavailable',
        'the server is currently unable to handle the request',
      );
}
