/** The `apiVersion` of a group and version: `v1` in the core group, else `<group>/<version>`. */
export function apiVersionOf(resource: {
  readonly group: string;
  readonly version: string;
}): string {
  return resource.group
    ? `${resource.group}/${resource.version}`
    : resource.version;
}

/** The API group of an `apiVersion`, `""` for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The version of an `apiVersion`, without its group. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}
