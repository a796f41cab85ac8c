import { failureStatus, qualifiedName, Status } from 'apimachinery';
import { ApiRequest } from './apiRequest';
import { CompleteFault } from './fault';

/** A Status with the code of the HTTP response. */
export type FailureStatus = Status & { readonly code: number };

function detailsOf({ group, resource, name }: ApiRequest) {
  return {
    ...(name && { name }),
    ...(group && { group }),
    kind: resource,
  };
}

const qualified = ({ group, resource }: ApiRequest) =>
  qualifiedName(group, resource);

/** The error with which a fault answers, in Kubernetes' words; undefined for faults without a response. */
export function statusOf(
  fault: CompleteFault,
  request: ApiRequest,
): FailureStatus | undefined {
  switch (fault.type) {
    case 'conflict':
      return failureStatus(
        409,
        'Conflict',
        `Operation cannot be fulfilled on ${qualified(request)} "${request.name}": the object has been modified; please apply your changes to the latest version and try again`,
        detailsOf(request),
      );
    case 'tooManyRequests':
      return failureStatus(
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
        ? failureStatus(
            410,
            'Expired',
            'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
          )
        : serverError(fault.code);
    case 'watchExpired':
      return failureStatus(
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

function forbidden(user: string, request: ApiRequest): FailureStatus {
  const { verb, group, resource, subresource, namespace, name } = request;
  const full = subresource ? `${resource}/${subresource}` : resource;
  const scope = namespace
    ? `in the namespace "${namespace}"`
    : 'at the cluster scope';
  return failureStatus(
    403,
    'Forbidden',
    `${qualified(request)}${
      name && ` "${name}"`
    } is forbidden: User "${user}" cannot ${verb} resource "${full}" in API group "${group}" ${scope}`,
    detailsOf(request),
  );
}

function serverError(code: 500 | 503): FailureStatus {
  return code === 500
    ? failureStatus(
        500,
        'InternalError',
        'Internal error occurred: etcdserver: leader changed',
        { causes: [{ message: 'etcdserver: leader changed' }] },
      )
    : failureStatus(
        503,
        'ServiceUnavailable',
        'the server is currently unable to handle the request',
      );
}
