import { Placement, PlacementDecision } from '../kubernetes/clusterTypes';
import { withConditions, NewCondition } from '../kubernetes/objects';
import { DecisionGroup } from './decisionGroups';
import { ClusterSelection } from './selectClusters';

/** The label of a PlacementDecision with the name of its Placement. */
export const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement';

const GROUP_INDEX_LABEL =
  'cluster.open-cluster-management.io/decision-group-index';
const GROUP_NAME_LABEL =
  'cluster.open-cluster-management.io/decision-group-name';

/** OCM's limit on one PlacementDecision. */
export const DECISIONS_PER_OBJECT = 100;

/** The PlacementDecisions of ungrouped clusters: at least one, which may be empty. */
export function ungroupedDecisions(
  placement: Placement,
  clusterNames: readonly string[],
): PlacementDecision[] {
  return groupedDecisions(placement, [{ name: '', clusterNames }]);
}

/** The PlacementDecisions of decision groups. */
export function groupedDecisions(
  placement: Placement,
  groups: readonly DecisionGroup[],
): PlacementDecision[] {
  return groups
    .flatMap((group, groupIndex) =>
      slices(group.clusterNames).map(slice => ({ group, groupIndex, slice })),
    )
    .map(({ group, groupIndex, slice }, index) =>
      placementDecision(placement, index, slice, {
        [GROUP_INDEX_LABEL]: `${groupIndex}`,
        [GROUP_NAME_LABEL]: group.name,
      }),
    );
}

function slices(clusterNames: readonly string[]): string[][] {
  const count = Math.max(
    1,
    Math.ceil(clusterNames.length / DECISIONS_PER_OBJECT),
  );
  return Array.from({ length: count }, (_, index) =>
    clusterNames.slice(
      index * DECISIONS_PER_OBJECT,
      (index + 1) * DECISIONS_PER_OBJECT,
    ),
  );
}

function placementDecision(
  { metadata: { name, namespace, uid = '' } }: Placement,
  index: number,
  clusterNames: readonly string[],
  groupLabels: Record<string, string>,
): PlacementDecision {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: {
      name: `${name}-decision-${index + 1}`,
      namespace,
      labels: { [PLACEMENT_LABEL]: name, ...groupLabels },
      ownerReferences: [
        {
          apiVersion: 'cluster.open-cluster-management.io/v1beta1',
          kind: 'Placement',
          name,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    status: {
      decisions: clusterNames.map(clusterName => ({ clusterName, reason: '' })),
    },
  };
}

/** The Placement's status after a selection. */
export function placementStatus(
  placement: Placement,
  selection: ClusterSelection,
  decisions: readonly PlacementDecision[],
  now: Date,
): NonNullable<Placement['status']> {
  const count = selection.clusterNames.length;
  return {
    numberOfSelectedClusters: count,
    decisionGroups: groupsOf(decisions),
    conditions: withConditions(
      placement.status?.conditions ?? [],
      [
        misconfiguredCondition(selection),
        satisfiedCondition(placement, selection),
      ],
      now,
    ),
  };
}

/** `status.decisionGroups`, from the group labels of the decisions. */
function groupsOf(
  decisions: readonly PlacementDecision[],
): NonNullable<NonNullable<Placement['status']>['decisionGroups']> {
  const byIndex = new Map<string, PlacementDecision[]>();
  for (const decision of decisions) {
    const index = decision.metadata.labels?.[GROUP_INDEX_LABEL] ?? '0';
    byIndex.set(index, [...(byIndex.get(index) ?? []), decision]);
  }
  return [...byIndex].map(([index, members]) => ({
    decisionGroupIndex: Number(index),
    decisionGroupName: members[0].metadata.labels?.[GROUP_NAME_LABEL] ?? '',
    decisions: members.map(({ metadata }) => metadata.name),
    clusterCount: members.reduce(
      (count, { status }) => count + (status?.decisions?.length ?? 0),
      0,
    ),
  }));
}

function misconfiguredCondition({ error }: ClusterSelection): NewCondition {
  return error
    ? {
        type: 'PlacementMisconfigured',
        status: 'True',
        reason: 'Misconfigured',
        message: error,
      }
    : {
        type: 'PlacementMisconfigured',
        status: 'False',
        reason: 'Succeedconfigured',
        message: 'Placement configurations check pass',
      };
}

function satisfiedCondition(
  placement: Placement,
  selection: ClusterSelection,
): NewCondition {
  const unsatisfied = (reason: string, message: string): NewCondition => ({
    type: 'PlacementSatisfied',
    status: 'False',
    reason,
    message,
  });
  const { boundSets, eligibleSets, availableClusters, unscheduled, error } =
    selection;
  if (boundSets.length === 0) {
    return unsatisfied(
      'NoManagedClusterSetBindings',
      'No valid ManagedClusterSetBindings found in placement namespace',
    );
  }
  if (eligibleSets.length === 0) {
    const desired = placement.spec?.clusterSets?.join(',') ?? '';
    return unsatisfied(
      'NoIntersection',
      `None of ManagedClusterSets [${desired}] is bound to placement namespace`,
    );
  }
  if (availableClusters === 0) {
    return unsatisfied(
      'AllManagedClusterSetsEmpty',
      `All ManagedClusterSets [${eligibleSets.join(
        ',',
      )}] have no member ManagedCluster`,
    );
  }
  if (error) {
    return unsatisfied('NotAllDecisionsScheduled', error);
  }
  if (selection.clusterNames.length === 0) {
    return unsatisfied(
      'NoManagedClusterMatched',
      'No ManagedCluster matches any of the cluster predicate',
    );
  }
  if (unscheduled > 0) {
    return unsatisfied(
      'NotAllDecisionsScheduled',
      `${unscheduled} cluster decisions unscheduled`,
    );
  }
  return {
    type: 'PlacementSatisfied',
    status: 'True',
    reason: 'AllDecisionsScheduled',
    message: 'All cluster decisions scheduled',
  };
}
