import { apiVersionOf, JsonObject } from 'apimachinery';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { ResourceRegistry, ServedGroup } from '../resources/resourceRegistry';

const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

/** Subresources of a resource, by name, with their verbs. */
function subresourcesOf(
  resource: ResourceDefinition,
): { readonly name: string; readonly verbs: readonly string[] }[] {
  const subresources = [];
  if (resource.plural === 'namespaces' && resource.group === '') {
    subresources.push({ name: 'finalize', verbs: ['update'] });
  }
  if (resource.hasStatus) {
    subresources.push({ name: 'status', verbs: SUBRESOURCE_VERBS });
  }
  return subresources;
}

function groupVersion(group: string, version: string): JsonObject {
  return { groupVersion: apiVersionOf({ group, version }), version };
}

function classicGroup(group: ServedGroup): JsonObject {
  return {
    name: group.name,
    versions: group.versions.map(version => groupVersion(group.name, version)),
    preferredVersion: groupVersion(group.name, group.versions[0]),
  };
}

/** `/apis`. */
export function groupList(registry: ResourceRegistry): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: registry
      .groups()
      .filter(group => group.name !== '')
      .map(classicGroup),
  };
}

/** `/apis/<group>`; undefined when the group is not served. */
export function groupDocument(
  registry: ResourceRegistry,
  name: string,
): JsonObject | undefined {
  const group = registry.groups().find(served => served.name === name);
  return (
    group && { kind: 'APIGroup', apiVersion: 'v1', ...classicGroup(group) }
  );
}

/** `/api`. */
export function coreVersions(address: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [
      { clientCIDR: '0.0.0.0/0', serverAddress: address },
    ],
  };
}

/** `/api/v1` and `/apis/<group>/<version>`; undefined when the version is not served. */
export function resourceList(
  registry: ResourceRegistry,
  group: string,
  version: string,
): JsonObject | undefined {
  const served = registry.inVersion(group, version);
  if (served.length === 0) {
    return undefined;
  }
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version }),
    resources: served.flatMap(resource => [
      {
        name: resource.plural,
        singularName: resource.singular,
        namespaced: resource.namespaced,
        kind: resource.kind,
        verbs: resource.verbs,
        ...(resource.shortNames.length
          ? { shortNames: resource.shortNames }
          : {}),
        ...(resource.categories.length
          ? { categories: resource.categories }
          : {}),
      },
      ...subresourcesOf(resource).map(({ name, verbs }) => ({
        name: `${resource.plural}/${name}`,
        singularName: '',
        namespaced: resource.namespaced,
        kind: resource.kind,
        verbs,
      })),
    ]),
  };
}

function resourceDiscovery(resource: ResourceDefinition): JsonObject {
  const { group, version, kind } = resource;
  const responseKind = { group, version, kind };
  return {
    resource: resource.plural,
    responseKind,
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    shortNames: resource.shortNames,
    categories: resource.categories,
    subresources: subresourcesOf(resource).map(({ name, verbs }) => ({
      subresource: name,
      responseKind,
      verbs,
    })),
  };
}

/** Aggregated discovery of `/api` (the core group) or `/apis` (all others). */
export function aggregatedDiscovery(
  registry: ResourceRegistry,
  core: boolean,
  apiVersion: string,
): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${apiVersion}`,
    metadata: {},
    items: registry
      .groups()
      .filter(group => (group.name === '') === core)
      .map(group => ({
        metadata: { name: group.name, creationTimestamp: null },
        versions: group.versions.map(version => ({
          version,
          freshness: 'Current',
          resources: registry
            .inVersion(group.name, version)
            .map(resourceDiscovery),
        })),
      })),
  };
}
