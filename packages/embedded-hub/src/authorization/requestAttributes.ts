import { RequestInfo } from 'apimachinery';
import { NonResourceAttributes, ResourceAttributes } from '../api/access';

const COLLECTION_VERBS = new Set(['list', 'watch', 'deletecollection']);

/** What RBAC must allow for a request. */
export function requestAttributes(
  info: RequestInfo,
  url: URL,
): ResourceAttributes | NonResourceAttributes {
  const { verb, group, resource, subresource } = info;
  if (!info.isResource) {
    return { verb, path: url.pathname };
  }
  // A collection request whose field selector names one object counts as a request for that object.
  const [, selected = ''] = COLLECTION_VERBS.has(verb)
    ? (/(?:^|,)metadata\.name==?([^,]+)/.exec(
        url.searchParams.get('fieldSelector') ?? '',
      ) ?? [])
    : [];
  const name = info.name || selected;
  // Kubernetes counts a namespace as an object inside itself.
  const isNamespace = group === '' && resource === 'namespaces';
  return {
    ...{ verb, group, resource, subresource, name },
    namespace: isNamespace ? info.name : info.namespace,
  };
}
