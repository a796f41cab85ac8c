import { IncomingMessage } from 'node:http';
import { FaultMatch } from './fault';

/** What a request asks of a Kubernetes API. */
export interface ApiRequest {
  /** Kubernetes' verb; the HTTP method in lower case outside its resources. */
  readonly verb: string;
  readonly group: string;
  /** Empty for what is no resource, such as discovery. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly userAgent: string;
  /** Path and query. */
  readonly url: URL;
}

/** Words after `/namespaces/<name>/` that speak of the namespace itself. */
const NAMESPACE_SUBRESOURCES: readonly string[] = ['status', 'finalize'];

/** Reads a request as kube-apiserver does. */
export function readApiRequest({
  method = 'GET',
  url: target = '/',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): ApiRequest {
  const url = new URL(target, 'http://hub');
  const base = { url, userAgent: headers['user-agent'] ?? '' };
  const parts = url.pathname.split('/').filter(Boolean).map(decoded);
  let group = '';
  let rest: string[] = [];
  if (parts[0] === 'api') {
    rest = parts.slice(2);
  } else if (parts[0] === 'apis') {
    group = parts[1] ?? '';
    rest = parts.slice(3);
  }
  let namespace = '';
  if (
    rest[0] === 'namespaces' &&
    rest.length > 2 &&
    !NAMESPACE_SUBRESOURCES.includes(rest[2])
  ) {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  const [resource = '', name = '', ...subresource] = rest;
  return {
    ...base,
    verb: resource
      ? verbOf(method, name, url.searchParams)
      : method.toLowerCase(),
    group,
    resource,
    subresource: subresource.join('/'),
    namespace,
    name,
  };
}

/** A segment that cannot be decoded matches nothing; the server behind says what is wrong with it. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name ? 'delete' : 'deletecollection';
    default:
      if (name) {
        return 'get';
      }
      return ['true', '1'].includes(query.get('watch') ?? '')
        ? 'watch'
        : 'list';
  }
}

/** Whether a fault is for a request. */
export function matches(match: FaultMatch, request: ApiRequest): boolean {
  const { resource, subresource } = request;
  const fits = (wanted: string | readonly string[] | undefined, is: string) =>
    wanted === undefined || [wanted].flat().includes(is);
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
