import { Application, ApplicationSet } from './argocdTypes';
import {
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  PlacementDecision,
} from './clusterTypes';
import { ConfigMap, Lease, Secret } from './coreTypes';
import { KubeObject } from './objects';
import { ManifestWork } from './workTypes';

/** A resource of the Kubernetes API; the type parameter is the type of its objects. */
export interface Resource<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Exists only for type inference; never set. */
  readonly object?: T;
}

function resource<T extends KubeObject>(
  group: string,
  version: string,
  kind: string,
  plural: string,
  namespaced = true,
): Resource<T> {
  return { group, version, kind, plural, namespaced };
}

/** For example `manifestworks.work.open-cluster-management.io/v1`. */
export function resourceName({ group, version, plural }: Resource): string {
  return group ? `${plural}.${group}/${version}` : `${plural}/${version}`;
}

/** The API path of a resource, of one object in it, or of its subresource. */
export function resourcePath(
  { group, version, plural, namespaced }: Resource,
  namespace?: string,
  name?: string,
  subresource?: string,
): string {
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const scope = namespaced && namespace ? `/namespaces/${namespace}` : '';
  return [`${root}${scope}/${plural}`, name, subresource]
    .filter(part => part !== undefined)
    .join('/');
}

const CLUSTER = 'cluster.open-cluster-management.io';

export const namespaces = resource('', 'v1', 'Namespace', 'namespaces', false);
export const secrets = resource<Secret>('', 'v1', 'Secret', 'secrets');
export const configMaps = resource<ConfigMap>(
  '',
  'v1',
  'ConfigMap',
  'configmaps',
);
export const leases = resource<Lease>(
  'coordination.k8s.io',
  'v1',
  'Lease',
  'leases',
);
export const managedClusters = resource<ManagedCluster>(
  CLUSTER,
  'v1',
  'ManagedCluster',
  'managedclusters',
  false,
);
export const managedClusterSets = resource<ManagedClusterSet>(
  CLUSTER,
  'v1beta2',
  'ManagedClusterSet',
  'managedclustersets',
  false,
);
export const managedClusterSetBindings = resource<ManagedClusterSetBinding>(
  CLUSTER,
  'v1beta2',
  'ManagedClusterSetBinding',
  'managedclustersetbindings',
);
export const placements = resource<Placement>(
  CLUSTER,
  'v1beta1',
  'Placement',
  'placements',
);
export const placementDecisions = resource<PlacementDecision>(
  CLUSTER,
  'v1beta1',
  'PlacementDecision',
  'placementdecisions',
);
export const gitOpsClusters = resource(
  'apps.open-cluster-management.io',
  'v1beta1',
  'GitOpsCluster',
  'gitopsclusters',
);
export const manifestWorks = resource<ManifestWork>(
  'work.open-cluster-management.io',
  'v1',
  'ManifestWork',
  'manifestworks',
);
export const applicationSets = resource<ApplicationSet>(
  'argoproj.io',
  'v1alpha1',
  'ApplicationSet',
  'applicationsets',
);
export const applications = resource<Application>(
  'argoproj.io',
  'v1alpha1',
  'Application',
  'applications',
);
export const appProjects = resource(
  'argoproj.io',
  'v1alpha1',
  'AppProject',
  'appprojects',
);

/** The resources that a scenario's `objects` may contain. */
export const seedableResources: readonly Resource[] = [
  namespaces,
  secrets,
  configMaps,
  managedClusters,
  managedClusterSets,
  managedClusterSetBindings,
  placements,
  gitOpsClusters,
  manifestWorks,
  applicationSets,
  applications,
  appProjects,
];

/** The resources that a hub must serve before the fleet can start. */
export const requiredResources: readonly Resource[] = [
  ...seedableResources,
  leases,
  placementDecisions,
];
