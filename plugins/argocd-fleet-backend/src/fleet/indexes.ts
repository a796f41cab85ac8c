import {
  HOSTING_APPLICATION_SET_ANNOTATION,
  isNamespaceName,
  PLACEMENT_LABEL,
  type ArgoApplication,
  type GitOpsCluster,
  type KubernetesObject,
  type ManagedCluster,
  type ManagedClusterSetBinding,
  type ManifestWork,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import type { IndexFunction } from '../kubernetes/informer';
import {
  argoClusterName,
  clusterAddresses,
  clusterIdentities,
  importTarget,
  type StoredSecret,
} from '../model/clusterimport';
import {
  agentOfSecret,
  applicationManifest,
  clusterId,
  clusterNameOf,
  remappedTarget,
  hubApplicationOf,
  isPullModel,
  isReadOnlyWork,
  owningApplicationSet,
  targetCluster,
  workTarget,
} from '../model/delivery';
import { hasOneShotFields } from '../model/manifestwork';
import { boundSetName } from '../model/placement';
import { mayReportFault } from '../model/views';
import type { FleetResource, StoredObject } from './resources';

/** By what the controllers and the API find objects of a hub. */
export const FLEET_INDEXES = {
  applications: {
    /** `<namespace>/<name>` of the owning ApplicationSet. */
    applicationSet: (application: ArgoApplication) => {
      const owner = owningApplicationSet(application);
      return owner ? [objectKey(owner)] : [];
    },
    /** Name of the cluster in any delivery model, where no agent of argocd-agent is known. */
    cluster: (application: ArgoApplication) => [clusterNameOf(application)],
    /** Namespace of Applications that are not of the pull model: it may be that of an agent of argocd-agent. */
    agentNamespace: (application: ArgoApplication) =>
      isPullModel(application) ? [] : [application.metadata.namespace ?? ''],
    /** Name of the target ManagedCluster; pull-model Applications only. */
    pullTarget: (application: ArgoApplication) =>
      isPullModel(application) ? [targetCluster(application) ?? ''] : [],
    /** The cluster that the pull model delivered to; only of Applications that name one and are not of the pull model. */
    formerTarget: (application: ArgoApplication) => {
      const cluster = targetCluster(application);
      return cluster === undefined || isPullModel(application) ? [] : [cluster];
    },
    /** Its place on the cluster; only of pull-model Applications that are delivered to another namespace there. */
    remappedTarget: (application: ArgoApplication) => {
      const target = remappedTarget(application);
      return target === undefined ? [] : [target];
    },
  },
  applicationSets: {},
  works: {
    /** `<namespace>/<name>` of the hub Application. */
    hubApplication: hubApplicationKeys,
    /** `<namespace>/<name>` of the ApplicationSet that the work names. */
    applicationSet: applicationSetKeys,
    /** The same, of the few works that are frozen or terminating. */
    stoppedOfSet: (work: ManifestWork) =>
      work.metadata.deletionTimestamp || isReadOnlyWork(work)
        ? applicationSetKeys(work)
        : [],
    /** Its cluster; only of the few works of the pull model that are being deleted. */
    ending: (work: ManifestWork) =>
      work.metadata.deletionTimestamp && hubApplicationOf(work)
        ? [work.metadata.namespace ?? '']
        : [],
    /** Its cluster; only of the few works that may report that something is wrong with the whole cluster. */
    faulty: (work: ManifestWork) =>
      hubApplicationOf(work) && mayReportFault(work)
        ? [work.metadata.namespace ?? '']
        : [],
    /** Its place on the cluster; only of those that put their Application into another namespace than on the hub. */
    remappedTarget: (work: ManifestWork) => {
      const target = workTarget(work);
      return target !== undefined &&
        applicationManifest(work)?.metadata.namespace !==
          hubApplicationOf(work)?.namespace
        ? [target]
        : [];
    },
    /** `<namespace>/<name>` of the hub Application of the few works with one-shot fields, which have to be removed in time. */
    oneShotFields: (work: ManifestWork) =>
      hasOneShotFields(work) ? hubApplicationKeys(work) : [],
  },
  clusters: {
    /** Hosts of its API server, as it reports them. */
    address: (cluster: ManagedCluster) => clusterAddresses(cluster),
    /** The ID that it reports of itself. */
    id: (cluster: ManagedCluster) => {
      const id = clusterId(cluster);
      return id === undefined ? [] : [id];
    },
  },
  clusterSets: {},
  clusterSetBindings: {
    /** Namespace into which it binds a set. */
    namespace: (binding: ManagedClusterSetBinding) =>
      boundSetName(binding) ? [binding.metadata.namespace ?? ''] : [],
    /** Name of the set that it binds. */
    clusterSet: (binding: ManagedClusterSetBinding) => {
      const set = boundSetName(binding);
      return set ? [set] : [];
    },
  },
  placements: {},
  decisions: {
    namespace: ({ metadata }: PlacementDecision) => [metadata.namespace ?? ''],
    /** `<namespace>/<cluster>` of each cluster that the decision selects. */
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
    /** Namespace of the Argo CD into which clusters are imported. */
    argoNamespace: ({ spec }: GitOpsCluster) => {
      const namespace = spec?.argoServer?.argoNamespace ?? '';
      return isNamespaceName(namespace) ? [namespace] : [];
    },
  },
  managedServiceAccounts: {},
  clusterSecrets: {
    namespace: ({ metadata }: StoredSecret) => [metadata.namespace ?? ''],
    /** Name and server, by which Argo CD identifies clusters. */
    identity: (secret: StoredSecret) => clusterIdentities(secret),
    /** Name of argocd-agent's agent. */
    agent: (secret: StoredSecret) => {
      const agent = agentOfSecret(secret);
      return agent === undefined ? [] : [agent];
    },
    /** Name of an agent's cluster. */
    agentCluster: (secret: StoredSecret) =>
      agentOfSecret(secret) === undefined
        ? []
        : [argoClusterName(secret)].filter(name => name !== ''),
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
} satisfies {
  readonly [Name in FleetResource]: Readonly<
    Record<string, IndexFunction<StoredObject<Name>>>
  >;
};

function hubApplicationKeys(work: ManifestWork): string[] {
  const application = hubApplicationOf(work);
  return application ? [objectKey(application)] : [];
}

function applicationSetKeys({ metadata }: ManifestWork): string[] {
  const set = metadata.annotations?.[HOSTING_APPLICATION_SET_ANNOTATION];
  return set ? [set] : [];
}

/** Names of the clusters that a decision selects. */
export function decidedClusters(
  decision: PlacementDecision | undefined,
): string[] {
  return (decision?.status?.decisions ?? []).map(
    ({ clusterName }) => clusterName,
  );
}
