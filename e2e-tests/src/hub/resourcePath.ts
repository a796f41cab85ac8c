/** URL path of a resource's collection or, with a name, of one object. */
export function resourcePath(
  apiVersion: string,
  resource: string,
  namespace?: string,
  name?: string,
): string {
  return [
    apiVersion.includes('/') ? '/apis' : '/api',
    apiVersion,
    ...(namespace ? ['namespaces', namespace] : []),
    resource,
    ...(name ? [name] : []),
  ].join('/');
}
