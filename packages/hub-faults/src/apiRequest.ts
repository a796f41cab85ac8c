import { IncomingMessage } from 'node:http';
import { parseRequestInfo, RequestInfo } from 'apimachinery';
import { FaultMatch } from './fault';

/** A request to a Kubernetes API server. */
export interface ApiRequest extends RequestInfo {
  readonly userAgent: string;
  /** Path and query. */
  readonly url: URL;
}

/** Reads a request as kube-apiserver does. */
export function readApiRequest({
  method = 'GET',
  url: target = '/',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): ApiRequest {
  const url = new URL(target, 'http://hub');
  return {
    ...requestInfo(method, url),
    url,
    userAgent: headers['user-agent'] ?? '',
  };
}

/** A path that cannot be decoded matches no fault: the target answers it with an error. */
function requestInfo(method: string, url: URL): RequestInfo {
  try {
    return parseRequestInfo(method, url);
  } catch (error) {
    if (error instanceof URIError) {
      return parseRequestInfo(method, new URL('/', url));
    }
    throw error;
  }
}

/** Whether a request has every field that a fault's `match` gives. */
export function matches(match: FaultMatch, request: ApiRequest): boolean {
  const { resource, subresource } = request;
  const fits = (
    allowed: string | readonly string[] | undefined,
    value: string,
  ) => allowed === undefined || [allowed].flat().includes(value);
  return (
    fits(match.verb, request.verb) &&
    fits(match.group, request.group) &&
    fits(
      match.resource,
      subresource ? `${resource}/${subresource}` : resource,
    ) &&
    fits(match.namespace, request.namespace) &&
    fits(match.name, request.name) &&
    (match.userAgent === undefined ||
      [match.userAgent].flat().some(part => request.userAgent.includes(part)))
  );
}
