/** What the method and URL of a request mean, as kube-apiserver's `RequestInfo`. Fields that do not apply are empty. */
export interface RequestInfo {
  /** Kubernetes' verb; the HTTP method in lower case for a request that is not about resources. */
  readonly verb: string;
  /** False for discovery, health and other paths that name no resource. */
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /** Plural name. */
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
}

const NO_RESOURCE = {
  isResource: false,
  group: '',
  version: '',
  namespace: '',
  resource: '',
  name: '',
  subresource: '',
} as const;

/** `/namespaces/<name>/status` is about the namespace; other words after the name are resources in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

function verbOf(method: string, name: string, isWatch: boolean): string {
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
      return isWatch ? 'watch' : 'list';
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new URIError(`the path segment ${segment} is not legal in a URL`);
  }
}

/**
 * Reads the method and URL of a request as kube-apiserver does.
 *
 * @throws URIError when a segment of the path cannot be decoded.
 */
export function parseRequestInfo(method: string, url: URL): RequestInfo {
  const parts = url.pathname.split('/').filter(Boolean).map(decodeSegment);
  let rest: string[];
  let group = '';
  let version: string;
  if (parts[0] === 'api' && parts.length > 2) {
    version = parts[1];
    rest = parts.slice(2);
  } else if (parts[0] === 'apis' && parts.length > 3) {
    [, group, version] = parts;
    rest = parts.slice(3);
  } else {
    return { ...NO_RESOURCE, verb: method.toLowerCase() };
  }
  let namespace = '';
  if (
    rest[0] === 'namespaces' &&
    rest.length > 2 &&
    !NAMESPACE_SUBRESOURCES.has(rest[2])
  ) {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  const [resource, name = '', ...subresource] = rest;
  const watch = url.searchParams.get('watch');
  const isWatch = watch !== null && watch !== 'false' && watch !== '0';
  return {
    isResource: true,
    verb: verbOf(method, name, isWatch),
    group,
    version,
    namespace,
    resource,
    name,
    subresource: subresource.join('/'),
  };
}
