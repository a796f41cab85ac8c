import {
  PLACEMENT_GENERATOR,
  PLACEMENT_READER,
  RHACM_INTEGRATIONS,
  RHACM_SWITCH,
  SECRET_TYPE_LABEL,
  type ArgoApplication,
  type ArgoApplicationSet,
  type ArgoAppProject,
  type ConfigMap,
  type Deployment,
  type GitOpsCluster,
  type KubernetesObject,
  type ManagedCluster,
  type ManagedClusterSet,
  type ManagedClusterSetBinding,
  type ManagedServiceAccount,
  type ManifestWork,
  type MulticlusterApplicationSetReport,
  type Placement,
  type PlacementDecision,
  type Role,
  type RoleBinding,
  type Secret,
} from 'backstage-plugin-argocd-fleet-common';
import {
  resourceId,
  type ResourceType,
  type ObjectSelector,
} from '../kubernetes/client';
import type { StoredSecret } from '../model/clusterimport';
import type {
  StoredApplication,
  StoredManifestWork,
  StoredReport,
} from './transforms';

const OCM = 'open-cluster-management.io';
const RBAC = 'rbac.authorization.k8s.io';

/** The resources of a hub that this plugin reads. */
export const FLEET_RESOURCES = {
  applications: {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'applications',
    kind: 'Application',
    namespaced: true,
  } as ResourceType<ArgoApplication>,
  applicationSets: {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'applicationsets',
    kind: 'ApplicationSet',
    namespaced: true,
  } as ResourceType<ArgoApplicationSet>,
  works: {
    group: `work.${OCM}`,
    version: 'v1',
    plural: 'manifestworks',
    kind: 'ManifestWork',
    namespaced: true,
    // A work has an Application some levels down: what was delivered must be readable.
    maxDepth: 220,
  } as ResourceType<ManifestWork>,
  clusters: {
    group: `cluster.${OCM}`,
    version: 'v1',
    plural: 'managedclusters',
    kind: 'ManagedCluster',
    namespaced: false,
  } as ResourceType<ManagedCluster>,
  clusterSets: {
    group: `cluster.${OCM}`,
    version: 'v1beta2',
    olderVersions: ['v1beta1'],
    plural: 'managedclustersets',
    kind: 'ManagedClusterSet',
    namespaced: false,
  } as ResourceType<ManagedClusterSet>,
  clusterSetBindings: {
    group: `cluster.${OCM}`,
    version: 'v1beta2',
    olderVersions: ['v1beta1'],
    plural: 'managedclustersetbindings',
    kind: 'ManagedClusterSetBinding',
    namespaced: true,
  } as ResourceType<ManagedClusterSetBinding>,
  placements: {
    group: `cluster.${OCM}`,
    version: 'v1beta1',
    plural: 'placements',
    kind: 'Placement',
    namespaced: true,
  } as ResourceType<Placement>,
  decisions: {
    group: `cluster.${OCM}`,
    version: 'v1beta1',
    plural: 'placementdecisions',
    kind: 'PlacementDecision',
    namespaced: true,
  } as ResourceType<PlacementDecision>,
  reports: {
    group: `apps.${OCM}`,
    version: 'v1alpha1',
    plural: 'multiclusterapplicationsetreports',
    kind: 'MulticlusterApplicationSetReport',
    namespaced: true,
    large: true,
  } as ResourceType<MulticlusterApplicationSetReport>,
  gitOpsClusters: {
    group: `apps.${OCM}`,
    version: 'v1beta1',
    olderVersions: ['v1alpha1'],
    plural: 'gitopsclusters',
    kind: 'GitOpsCluster',
    namespaced: true,
  } as ResourceType<GitOpsCluster>,
  managedServiceAccounts: {
    group: `authentication.${OCM}`,
    version: 'v1beta1',
    olderVersions: ['v1alpha1'],
    plural: 'managedserviceaccounts',
    kind: 'ManagedServiceAccount',
    namespaced: true,
  } as ResourceType<ManagedServiceAccount>,
  clusterSecrets: {
    group: '',
    version: 'v1',
    plural: 'secrets',
    kind: 'Secret',
    namespaced: true,
  } as ResourceType<Secret>,
  generatorConfigs: {
    group: '',
    version: 'v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    namespaced: true,
  } as ResourceType<ConfigMap>,
  placementRoles: {
    group: RBAC,
    version: 'v1',
    plural: 'roles',
    kind: 'Role',
    namespaced: true,
  } as ResourceType<Role>,
  placementRoleBindings: {
    group: RBAC,
    version: 'v1',
    plural: 'rolebindings',
    kind: 'RoleBinding',
    namespaced: true,
  } as ResourceType<RoleBinding>,
  appProjects: {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'appprojects',
    kind: 'AppProject',
    namespaced: true,
  } as ResourceType<ArgoAppProject>,
  rhacmDeployments: {
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    kind: 'Deployment',
    namespaced: true,
  } as ResourceType<Deployment>,
  rhacmConfigMaps: {
    group: '',
    version: 'v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    namespaced: true,
  } as ResourceType<ConfigMap>,
  serviceAccounts: {
    group: '',
    version: 'v1',
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
  } as ResourceType<KubernetesObject>,
};

/** Names of the resources in this plugin. */
export type FleetResource = keyof typeof FLEET_RESOURCES;

/**
 * Resources that are watched on demand, namespace by namespace, so that RBAC need not allow more; and which of their
 * objects: the Secrets of clusters, and single objects by name.
 */
export const NAMESPACED_SELECTORS = {
  managedServiceAccounts: {},
  clusterSecrets: { labelSelector: `${SECRET_TYPE_LABEL}=cluster` },
  generatorConfigs: { fieldSelector: `metadata.name=${PLACEMENT_GENERATOR}` },
  placementRoles: { fieldSelector: `metadata.name=${PLACEMENT_READER}` },
  placementRoleBindings: { fieldSelector: `metadata.name=${PLACEMENT_READER}` },
  appProjects: {},
  rhacmDeployments: {
    fieldSelector: `metadata.name=${RHACM_INTEGRATIONS}`,
  },
  rhacmConfigMaps: { fieldSelector: `metadata.name=${RHACM_SWITCH}` },
  serviceAccounts: {},
} as const satisfies Partial<Record<FleetResource, ObjectSelector>>;

/** Names of the resources that are watched on demand. */
export type NamespacedResource = keyof typeof NAMESPACED_SELECTORS;

/** Names of the resources that are always watched, in the whole cluster. */
export type ClusterWideResource = Exclude<FleetResource, NamespacedResource>;

/** Resources that a hub may do without: there is no finding where it does not serve them. */
export const OPTIONAL_RESOURCES: ReadonlySet<FleetResource> = new Set([
  'gitOpsClusters',
  'managedServiceAccounts',
] as const);

/** An object of a resource, as the hub sends it. */
export type FleetObject<Name extends FleetResource> = NonNullable<
  (typeof FLEET_RESOURCES)[Name]['object']
>;

interface Transformed {
  readonly applications: StoredApplication;
  readonly works: StoredManifestWork;
  readonly reports: StoredReport;
  readonly clusterSecrets: StoredSecret;
}

/** An object of a resource, as the cache stores it. */
export type StoredObject<Name extends FleetResource> =
  Name extends keyof Transformed ? Transformed[Name] : FleetObject<Name>;

const DEFINITIONS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** The CustomResourceDefinition of a resource. */
export function resourceDefinition(resource: ResourceType): {
  readonly resource: ResourceType;
  readonly name: string;
} {
  return { resource: DEFINITIONS, name: resourceId(resource) };
}

/** The software that installs the definition of each resource on a hub. */
export const RESOURCE_ORIGINS: Readonly<Record<ClusterWideResource, string>> = {
  applications: 'Argo CD (its Application CRD)',
  applicationSets: 'Argo CD (its ApplicationSet CRD)',
  works: "Open Cluster Management's cluster manager (`clusteradm init`)",
  clusters: "Open Cluster Management's cluster manager (`clusteradm init`)",
  clusterSets: "Open Cluster Management's cluster manager (`clusteradm init`)",
  clusterSetBindings:
    "Open Cluster Management's cluster manager (`clusteradm init`)",
  placements: "Open Cluster Management's cluster manager (`clusteradm init`)",
  decisions: "Open Cluster Management's cluster manager (`clusteradm init`)",
  reports:
    'the CRD in deploy/multiclusterapplicationsetreports.crd.yaml of this project (`kubectl apply -f`)',
  gitOpsClusters: 'RHACM (its GitOpsCluster CRD)',
};
