import type {
  ArgoApplication,
  ArgoApplicationSet,
  ManagedCluster,
  ManifestWork,
  MulticlusterApplicationSetReport,
  Placement,
  PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import { resourceId, type HubResource } from './hubClient';

const OCM = 'open-cluster-management.io';

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
  } as HubResource<ManifestWork>,
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
  } as HubResource<MulticlusterApplicationSetReport>,
};

/** What the resources are called in this plugin. */
export type HubResourceName = keyof typeof HUB_RESOURCES;

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
export const RESOURCE_ORIGINS: Readonly<Record<HubResourceName, string>> = {
  applications: 'Argo CD (its Application CRD)',
  applicationSets: 'Argo CD (its ApplicationSet CRD)',
  works: "Open Cluster Management's cluster manager (`clusteradm init`)",
  clusters: "Open Cluster Management's cluster manager (`clusteradm init`)",
  placements: "Open Cluster Management's cluster manager (`clusteradm init`)",
  decisions: "Open Cluster Management's cluster manager (`clusteradm init`)",
  reports:
    'the CRD in deploy/multiclusterapplicationsetreports.crd.yaml of this project (`kubectl apply -f`)',
};
