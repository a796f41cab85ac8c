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
  type HubResource,
  type HubSelection,
} from '../kubernetes/client';
import type { SpecWriter } from './transforms';

const OCM = 'open-cluster-management.io';
const RBAC = 'rbac.authorization.k8s.io';

/** The resources of a hub that this plugin reads. */
export const HUB_RESOURCES = {
  applications: {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'applications',
    kind: 'Application',
    namespaced: true,
  } as HubResource<ArgoApplication>,
  applicationSets: {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'applicationsets',
    kind: 'ApplicationSet',
    namespaced: true,
  } as HubResource<ArgoApplicationSet>,
  works: {
    group: `work.${OCM}`,
    version: 'v1',
    plural: 'manifestworks',
    kind: 'ManifestWork',
    namespaced: true,
  } as HubResource<ManifestWork & { readonly specWriter?: SpecWriter }>,
  clusters: {
    group: `cluster.${OCM}`,
    version: 'v1',
    plural: 'managedclusters',
    kind: 'ManagedCluster',
    namespaced: false,
  } as HubResource<ManagedCluster>,
  placements: {
    group: `cluster.${OCM}`,
    version: 'v1beta1',
    plural: 'placements',
    kind: 'Placement',
    namespaced: true,
  } as HubResource<Placement>,
  decisions: {
    group: `cluster.${OCM}`,
    version: 'v1beta1',
    plural: 'placementdecisions',
    kind: 'PlacementDecision',
    namespaced: true,
  } as HubResource<PlacementDecision>,
  reports: {
    group: `apps.${OCM}`,
    version: 'v1alpha1',
    plural: 'multiclusterapplicationsetreports',
    kind: 'MulticlusterApplicationSetReport',
    namespaced: true,
    large: true,
  } as HubResource<MulticlusterApplicationSetReport>,
  gitOpsClusters: {
    group: `apps.${OCM}`,
    version: 'v1beta1',
    olderVersions: ['v1alpha1'],
    plural: 'gitopsclusters',
    kind: 'GitOpsCluster',
    namespaced: true,
  } as HubResource<GitOpsCluster>,
  managedServiceAccounts: {
    group: `authentication.${OCM}`,
    version: 'v1beta1',
    olderVersions: ['v1alpha1'],
    plural: 'managedserviceaccounts',
    kind: 'ManagedServiceAccount',
    namespaced: true,
  } as HubResource<ManagedServiceAccount>,
  clusterSecrets: {
    group: '',
    version: 'v1',
    plural: 'secrets',
    kind: 'Secret',
    namespaced: true,
  } as HubResource<Secret>,
  generatorConfigs: {
    group: '',
    version: 'v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    namespaced: true,
  } as HubResource<ConfigMap>,
  placementRoles: {
    group: RBAC,
    version: 'v1',
    plural: 'roles',
    kind: 'Role',
    namespaced: true,
  } as HubResource<Role>,
  placementRoleBindings: {
    group: RBAC,
    version: 'v1',
    plural: 'rolebindings',
    kind: 'RoleBinding',
    namespaced: true,
  } as HubResource<RoleBinding>,
  appProjects: {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'appprojects',
    kind: 'AppProject',
    namespaced: true,
  } as HubResource<ArgoAppProject>,
  integrationDeployments: {
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    kind: 'Deployment',
    namespaced: true,
  } as HubResource<Deployment>,
  integrationSwitches: {
    group: '',
    version: 'v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    namespaced: true,
  } as HubResource<ConfigMap>,
  serviceAccounts: {
    group: '',
    version: 'v1',
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
  } as HubResource<KubernetesObject>,
};

/** What the resources are called in this plugin. */
export type HubResourceName = keyof typeof HUB_RESOURCES;

/**
 * The resources that are read only where somebody asks for it, namespace by namespace, so that nobody has to allow more, and which of
 * their objects: of Secrets those of clusters, of others the one that we look after.
 */
export const ON_DEMAND = {
  managedServiceAccounts: {},
  clusterSecrets: { labelSelector: `${SECRET_TYPE_LABEL}=cluster` },
  generatorConfigs: { fieldSelector: `metadata.name=${PLACEMENT_GENERATOR}` },
  placementRoles: { fieldSelector: `metadata.name=${PLACEMENT_READER}` },
  placementRoleBindings: { fieldSelector: `metadata.name=${PLACEMENT_READER}` },
  appProjects: {},
  integrationDeployments: {
    fieldSelector: `metadata.name=${RHACM_INTEGRATIONS}`,
  },
  integrationSwitches: { fieldSelector: `metadata.name=${RHACM_SWITCH}` },
  serviceAccounts: {},
} as const satisfies Partial<Record<HubResourceName, HubSelection>>;

/** What the resources are called that are read on demand. */
export type OnDemandName = keyof typeof ON_DEMAND;

/** What the resources are called that are read whole, at all times. */
export type WatchedName = Exclude<HubResourceName, OnDemandName>;

/** Resources that a hub does well without: that one is not served is no finding. */
export const OPTIONAL: ReadonlySet<HubResourceName> = new Set([
  'gitOpsClusters',
  'managedServiceAccounts',
] as const);

/** The type of a resource's objects. */
export type HubObject<Name extends HubResourceName> = NonNullable<
  (typeof HUB_RESOURCES)[Name]['object']
>;

const DEFINITIONS: HubResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** Where a hub says what fields a custom resource has. */
export function resourceDefinition(resource: HubResource): {
  readonly resource: HubResource;
  readonly name: string;
} {
  return { resource: DEFINITIONS, name: resourceId(resource) };
}

/** Which software brings the resource's definition to a hub. */
export const RESOURCE_ORIGINS: Readonly<Record<WatchedName, string>> = {
  applications: 'Argo CD (its Application CRD)',
  applicationSets: 'Argo CD (its ApplicationSet CRD)',
  works: "Open Cluster Management's cluster manager (`clusteradm init`)",
  clusters: "Open Cluster Management's cluster manager (`clusteradm init`)",
  placements: "Open Cluster Management's cluster manager (`clusteradm init`)",
  decisions: "Open Cluster Management's cluster manager (`clusteradm init`)",
  reports:
    'the CRD in deploy/multiclusterapplicationsetreports.crd.yaml of this project (`kubectl apply -f`)',
  gitOpsClusters: 'RHACM (its GitOpsCluster CRD)',
};
