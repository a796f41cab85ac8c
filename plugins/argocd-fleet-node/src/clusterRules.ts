import {
  createConditionExports,
  createPermissionResourceRef,
  createPermissionRule,
} from '@backstage/plugin-permission-node';
import { RESOURCE_TYPE_CLUSTER } from 'backstage-plugin-argocd-fleet-common';
import type { ClusterFacts, FactCondition } from './accessFacts';
import { hasLabel, isTrue, labelParams, namesParams } from './factConditions';

/** The resource type of managed clusters, for rules of other modules. @public */
export const argocdFleetClusterResourceRef = createPermissionResourceRef<
  ClusterFacts,
  FactCondition<ClusterFacts>
>().with({ pluginId: 'argocd-fleet', resourceType: RESOURCE_TYPE_CLUSTER });

const onHub =
  (hubs: readonly string[]) =>
  ({ hub }: ClusterFacts) =>
    hubs.includes(hub);

const hasHub = createPermissionRule({
  resourceRef: argocdFleetClusterResourceRef,
  name: 'HAS_HUB',
  description: 'Allow managed clusters of these hubs',
  paramsSchema: namesParams('hubs', 'Names of hubs, as in argocdFleet.hubs'),
  apply: (facts, { hubs }) => onHub(hubs)(facts),
  toQuery: ({ hubs }) => onHub(hubs),
});

const hasLabelRule = createPermissionRule({
  resourceRef: argocdFleetClusterResourceRef,
  name: 'HAS_LABEL',
  description: 'Allow managed clusters with this label',
  paramsSchema: labelParams,
  apply: (facts, label) => isTrue(hasLabel(label)(facts)),
  toQuery: hasLabel,
});

const inSet =
  (sets: readonly string[]) =>
  ({ clusterSets }: ClusterFacts) =>
    clusterSets?.some(set => sets.includes(set));

const inClusterSet = createPermissionRule({
  resourceRef: argocdFleetClusterResourceRef,
  name: 'IN_CLUSTER_SET',
  description: 'Allow managed clusters in one of these ManagedClusterSets',
  paramsSchema: namesParams('clusterSets', 'Names of ManagedClusterSets'),
  apply: (facts, { clusterSets }) => isTrue(inSet(clusterSets)(facts)),
  toQuery: ({ clusterSets }) => inSet(clusterSets),
});

/** The rules on managed clusters. @public */
export const argocdFleetClusterRules = {
  hasHub,
  hasLabel: hasLabelRule,
  inClusterSet,
};

const conditionExports = createConditionExports({
  resourceRef: argocdFleetClusterResourceRef,
  rules: argocdFleetClusterRules,
});

/** Conditions on managed clusters, for a permission policy. @public */
export const argocdFleetClusterConditions = conditionExports.conditions;

/** A policy's decision on a permission on managed clusters, by conditions. @public */
export const createArgocdFleetClusterConditionalDecision =
  conditionExports.createConditionalDecision;
