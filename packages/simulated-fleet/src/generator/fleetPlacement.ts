import {
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
} from '../kubernetes/clusterTypes';
import { ConfigMap } from '../kubernetes/coreTypes';
import { KubeObject, kubeTime } from '../kubernetes/objects';
import {
  placementStatus,
  ungroupedDecisions,
} from '../placement/placementDecisions';
import { selectClusters } from '../placement/selectClusters';
import { CLUSTER_SETS, FleetCluster } from './fleetClusters';
import { CompletePlan } from './fleetPlan';
import { SeededChoice } from './seededChoice';

/** The name of the Placement that selects the whole fleet. */
export const PLACEMENT_NAME = 'whole-fleet';

/**
 * The Placement with its decisions, and the other objects that placement and
 * ApplicationSet generation need; `selected` are the names of the selected clusters.
 */
export function fleetPlacement(
  plan: CompletePlan,
  clusters: readonly FleetCluster[],
  choose: SeededChoice,
): { objects: KubeObject[]; selected: readonly string[] } {
  const { namespace, now } = plan;
  const meta = (kind: string, name: string, objectNamespace?: string) => ({
    name,
    namespace: objectNamespace,
    uid: choose.uid(kind, objectNamespace ?? '', name),
    creationTimestamp: kubeTime(now),
  });
  const clusterSets = CLUSTER_SETS.map((name): ManagedClusterSet => ({
    apiVersion: 'cluster.open-cluster-management.io/v1beta2',
    kind: 'ManagedClusterSet',
    metadata: { ...meta('ManagedClusterSet', name), generation: 1 },
    spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
  }));
  const bindings = CLUSTER_SETS.map((name): ManagedClusterSetBinding => ({
    apiVersion: 'cluster.open-cluster-management.io/v1beta2',
    kind: 'ManagedClusterSetBinding',
    metadata: {
      ...meta('ManagedClusterSetBinding', name, namespace),
      generation: 1,
    },
    spec: { clusterSet: name },
  }));
  const placement: Placement = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: {
      ...meta('Placement', PLACEMENT_NAME, namespace),
      generation: 1,
    },
    spec: {
      clusterSets: [...CLUSTER_SETS],
      tolerations: ['unreachable', 'unavailable'].map(taint => ({
        key: `cluster.open-cluster-management.io/${taint}`,
        operator: 'Exists',
      })),
    },
  };
  const selection = selectClusters(placement, {
    bindings,
    clusterSets,
    clusters: clusters.map(({ object }) => object),
    selected: new Set(),
    now,
  });
  const decisions = ungroupedDecisions(placement, selection.clusterNames);
  const generator: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: meta('ConfigMap', 'ocm-placement-generator', namespace),
    data: {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'placementdecisions',
      statusListKey: 'decisions',
      matchKey: 'clusterName',
    },
  };
  const project: KubeObject = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { ...meta('AppProject', 'default', namespace), generation: 1 },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  };
  const importer: KubeObject = {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { ...meta('GitOpsCluster', 'fleet', namespace), generation: 1 },
    spec: {
      argoServer: { cluster: 'local-cluster', argoNamespace: namespace },
      placementRef: {
        apiVersion: placement.apiVersion,
        kind: 'Placement',
        name: PLACEMENT_NAME,
        namespace,
      },
    },
  };
  return {
    selected: selection.clusterNames,
    objects: [
      ...clusterSets,
      ...bindings,
      {
        ...placement,
        status: placementStatus(placement, selection, decisions, now),
      },
      ...decisions.map(decision => ({
        ...decision,
        metadata: {
          ...decision.metadata,
          ...meta('PlacementDecision', decision.metadata.name, namespace),
          generation: 1,
        },
      })),
      generator,
      project,
      importer,
    ],
  };
}
