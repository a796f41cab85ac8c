import {
  objectKey,
  resourceId,
  type ResourceType,
  type WriteOptions,
} from './client';
import { KubernetesError } from './errors';

/** Characters of an illegal name in an error. */
const SHOWN_LENGTH = 100;

/** One request to an API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly resource: ResourceType;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Asks for the metadata alone; an API server that does not support that sends the whole objects. */
  readonly metadataOnly?: boolean;
  readonly signal?: AbortSignal;
  readonly notAfter?: WriteOptions['notAfter'];
  /** Milliseconds for the whole answer; from its beginning where `beginTimeoutMs` is given. */
  readonly timeoutMs: number;
  /** Milliseconds until the answer begins. */
  readonly beginTimeoutMs?: number;
}

/** `<group>/<version>`, or the version alone in the core group. */
export function apiVersionOf({ group, version }: ResourceType): string {
  return group ? `${group}/${version}` : version;
}

/** Path and query of a request. */
export function pathOf({
  resource,
  namespace,
  name,
  subresource,
  query = {},
}: ApiRequest): string {
  const { group, version, plural, namespaced } = resource;
  const segments = [
    ...(group ? ['apis', group, version] : ['api', version]),
    ...(namespaced && namespace ? ['namespaces', namespace] : []),
    plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource ? [subresource] : []),
  ];
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) {
      search.set(key, value);
    }
  }
  const illegal = segments.find(segment => !isPathSegment(segment));
  if (illegal !== undefined) {
    throw new KubernetesError(
      'invalid',
      `“${illegal.slice(0, SHOWN_LENGTH)}” cannot be a name in Kubernetes, so nothing is requested`,
    );
  }
  const path = segments.map(encodeURIComponent).join('/');
  return search.size > 0 ? `/${path}?${search}` : `/${path}`;
}

/**
 * Kubernetes' own rule for every name. Without it, an empty name would mean the whole collection, and `..` another
 * resource.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names
 */
function isPathSegment(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/%]/.test(name);
}

/** The verb as RBAC names it. */
export function verbOf({ method, name, query }: ApiRequest): string {
  switch (method) {
    case 'GET':
      if (name) {
        return 'get';
      }
      return query?.watch ? 'watch' : 'list';
    case 'POST':
      return 'create';
    default:
      return method.toLowerCase();
  }
}

/** The request as messages say it: `patch deployments.apps shop/web`. */
export function describeRequest(request: ApiRequest): string {
  const { resource, namespace, name, subresource } = request;
  const object = name ? ` ${objectKey({ namespace, name })}` : '';
  const part = subresource ? `/${subresource}` : '';
  return `${verbOf(request)} ${resourceId(resource)}${part}${object}`;
}

/** The request and its server as messages say it: `patch deployments.apps shop/web on hub "production"`. */
export function describeRequestTo(server: string, request: ApiRequest): string {
  return `${describeRequest(request)} on ${server}`;
}
