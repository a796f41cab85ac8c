import { PathAccess, ResourceAccess } from '../api/access';
import { badRequest } from '../api/statusErrors';

/** What a path and method of the API mean. */
export interface RequestInfo {
  /** Kubernetes' verb; outside the API the method in lower case. */
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
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

function verbOf(method: string, name: string, watches: boolean): string {
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
      return watches ? 'watch' : 'list';
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(`the path segment ${part} is not legal in a URL`);
  }
}

/** Reads a request path as kube-apiserver does. */
export function parseRequestInfo(method: string, url: URL): RequestInfo {
  const parts = url.pathname.split('/').filter(Boolean).map(decodePart);
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
  const watches = watch !== null && watch !== 'false' && watch !== '0';
  return {
    isResource: true,
    verb: verbOf(method, name, watches),
    group,
    version,
    namespace,
    resource,
    name,
    subresource: subresource.join('/'),
  };
}

const COLLECTION_VERBS = new Set(['list', 'watch', 'deletecollection']);

/** What RBAC has to allow for a request. */
export function wantedAccess(
  info: RequestInfo,
  url: URL,
): ResourceAccess | PathAccess {
  const { verb, group, resource, subresource } = info;
  if (!info.isResource) {
    return { verb, path: url.pathname };
  }
  // A collection of which one object is selected by its name counts as that object.
  const [, selected = ''] = COLLECTION_VERBS.has(verb)
    ? (/(?:^|,)metadata\.name==?([^,]+)/.exec(
        url.searchParams.get('fieldSelector') ?? '',
      ) ?? [])
    : [];
  const name = info.name || selected;
  // Kubernetes takes a namespace for something in itself.
  const isNamespace = group === '' && resource === 'namespaces';
  return {
    ...{ verb, group, resource, subresource, name },
    namespace: isNamespace ? info.name : info.namespace,
  };
}
