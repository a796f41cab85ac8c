import { Condition, KubeObject } from './objects';

// OCM's cluster and placement resources: the fields that the fleet reads or writes.

/** The label of a ManagedCluster with the name of its ManagedClusterSet. */
export const CLUSTER_SET_LABEL =
  'cluster.open-cluster-management.io/clusterset';

export interface Taint {
  key: string;
  value?: string;
  effect: 'NoSelect' | 'PreferNoSelect' | 'NoSelectIfNew';
  timeAdded?: string;
}

export interface ManagedCluster extends KubeObject {
  spec?: {
    hubAcceptsClient?: boolean;
    leaseDurationSeconds?: number;
    taints?: Taint[];
  };
  status?: {
    conditions?: Condition[];
    clusterClaims?: { name: string; value: string }[];
    version?: { kubernetes?: string };
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
  };
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export interface ManagedClusterSet extends KubeObject {
  spec?: {
    clusterSelector?: {
      selectorType?: string;
      labelSelector?: LabelSelector;
    };
  };
}

export interface ManagedClusterSetBinding extends KubeObject {
  spec?: { clusterSet?: string };
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

export interface ClusterSelector {
  labelSelector?: LabelSelector;
  claimSelector?: { matchExpressions?: LabelSelectorRequirement[] };
  celSelector?: { celExpressions?: string[] };
}

export interface ClusterPredicate {
  requiredClusterSelector?: ClusterSelector;
}

export interface GroupStrategy {
  /** A number, or a percentage such as `25%`. */
  clustersPerDecisionGroup?: number | string;
  decisionGroups?: {
    groupName?: string;
    groupClusterSelector?: ClusterSelector;
  }[];
}

export interface Placement extends KubeObject {
  spec?: {
    clusterSets?: string[];
    numberOfClusters?: number;
    predicates?: ClusterPredicate[];
    tolerations?: Toleration[];
    decisionStrategy?: { groupStrategy?: GroupStrategy };
  };
  status?: {
    numberOfSelectedClusters?: number;
    decisionGroups?: {
      decisionGroupIndex: number;
      decisionGroupName: string;
      decisions: string[];
      clusterCount: number;
    }[];
    conditions?: Condition[];
  };
}

export interface ClusterDecision {
  clusterName: string;
  reason: string;
}

export interface PlacementDecision extends KubeObject {
  status?: { decisions?: ClusterDecision[] };
}
