import {
  isNamespaceName,
  PLACEMENT_LABEL,
  type ArgoApplication,
  type GitOpsCluster,
  type KubernetesObject,
  type ManifestWork,
  type PlacementDecision,
  type Secret,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import { clusterIdentities, importTarget } from '../model/clusterimport';
import {
  clusterNameOf,
  remappedTarget,
  hubApplicationOf,
  isPullModel,
  owningApplicationSet,
  targetCluster,
} from '../model/delivery';
import { hasOneShotFields } from '../model/manifestwork';
import type { HubCache, HubIndexes } from './hubCache';

/** How the controllers and the API look things up on a hub. */
export const FLEET_INDEXES = {
  applications: {
    /** `<namespace>/<name>` of the owning ApplicationSet. */
    applicationSet: (application: ArgoApplication) => {
      const owner = owningApplicationSet(application);
      return owner ? [objectKey(owner)] : [];
    },
    /** Name of the cluster, by whichever model it gets there. */
    cluster: (application: ArgoApplication) => [clusterNameOf(application)],
    /** Name of the target ManagedCluster; pull-model Applications only. */
    pullTarget: (application: ArgoApplication) =>
      isPullModel(application) ? [targetCluster(application) ?? ''] : [],
    /** Where on its cluster it comes to; only of pull-model Applications that come to another namespace there. */
    remappedTarget: (application: ArgoApplication) => {
      const place = remappedTarget(application);
      return place === undefined ? [] : [place];
    },
  },
  applicationSets: {},
  works: {
    /** `<namespace>/<name>` of the hub Application. */
    hubApplication: hubApplicationKeys,
    /** The same, of the few works that carry what, as time passes, they have to drop. */
    oneShotFields: (work: ManifestWork) =>
      hasOneShotFields(work) ? hubApplicationKeys(work) : [],
  },
  clusters: {},
  placements: {},
  decisions: {
    /** `<namespace>/<cluster>` of each cluster that is decided on. */
    cluster: (decision: PlacementDecision) =>
      decidedClusters(decision).map(name =>
        objectKey({ namespace: decision.metadata.namespace, name }),
      ),
    /** `<namespace>/<name>` of the Placement. */
    placement: (decision: PlacementDecision) => {
      const name = decision.metadata.labels?.[PLACEMENT_LABEL];
      return name
        ? [objectKey({ namespace: decision.metadata.namespace, name })]
        : [];
    },
  },
  reports: {},
  gitOpsClusters: {
    /** `<namespace>/<name>` of the Placement. */
    placement: (gitOpsCluster: GitOpsCluster) => {
      const target = importTarget(gitOpsCluster);
      return target.kind === 'target' ? [objectKey(target.placement)] : [];
    },
    /** Namespace of the Argo CD that clusters are imported into. */
    argoNamespace: ({ spec }: GitOpsCluster) => {
      const namespace = spec?.argoServer?.argoNamespace ?? '';
      return isNamespaceName(namespace) ? [namespace] : [];
    },
  },
  managedServiceAccounts: {},
  clusterSecrets: {
    namespace: ({ metadata }: Secret) => [metadata.namespace ?? ''],
    /** By what Argo CD tells clusters apart. */
    identity: (secret: Secret) => clusterIdentities(secret),
  },
  generatorConfigs: {},
  placementRoles: {},
  placementRoleBindings: {},
  appProjects: {},
  rhacmDeployments: {},
  rhacmConfigMaps: {},
  serviceAccounts: {
    namespace: ({ metadata }: KubernetesObject) => [metadata.namespace ?? ''],
  },
} satisfies HubIndexes;

function hubApplicationKeys(work: ManifestWork): string[] {
  const application = hubApplicationOf(work);
  return application ? [objectKey(application)] : [];
}

/** A hub's cache with the indexes of this plugin. */
export type FleetCache = HubCache<typeof FLEET_INDEXES>;

/** Clusters that a decision names. */
export function decidedClusters(
  decision: PlacementDecision | undefined,
): string[] {
  return (decision?.status?.decisions ?? []).map(
    ({ clusterName }) => clusterName,
  );
}
