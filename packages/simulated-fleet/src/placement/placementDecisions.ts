import { Placement, PlacementDecision } from '../kubernetes/clusterTypes';
import { Condition, withCondition } from '../kubernetes/objects';
import { Selection } from './selectClusters';

export const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement';

/** OCM's limit on one PlacementDecision. */
export const DECISIONS_PER_OBJECT = 100;

/** The PlacementDecisions that a selection makes; there is always one, if need be empty. */
export function placementDecisions(
  placement: Placement,
  clusterNames: readonly string[],
): PlacementDecision[] {
  const { name, namespace, uid = '' } = placement.metadata;
  const slices: string[][] = [];
  for (let at = 0; at === 0 || at < clusterNames.length;) {
    slices.push(clusterNames.slice(at, at + DECISIONS_PER_OBJECT));
    at += DECISIONS_PER_OBJECT;
  }
  return slices.map((slice, index) => ({
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: {
      name: `${name}-decision-${index + 1}`,
      namespace,
      labels: {
        [PLACEMENT_LABEL]: name,
        'cluster.open-cluster-management.io/decision-group-index': '0',
        'cluster.open-cluster-management.io/decision-group-name': '',
      },
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
      decisions: slice.map(clusterName => ({ clusterName, reason: '' })),
    },
  }));
}

/** The Placement's status after a selection. */
export function placementStatus(
  placement: Placement,
  selection: Selection,
  decisions: readonly PlacementDecision[],
  now: Date,
): NonNullable<Placement['status']> {
  const count = selection.clusterNames.length;
  const misconfigured = withCondition(
    placement.status?.conditions ?? [],
    misconfiguredCondition(selection),
    now,
  );
  return {
    numberOfSelectedClusters: count,
    decisionGroups: [
      {
        decisionGroupIndex: 0,
        decisionGroupName: '',
        decisions: decisions.map(({ metadata }) => metadata.name),
        clusterCount: count,
      },
    ],
    conditions: withCondition(
      misconfigured,
      satisfiedCondition(placement, selection),
      now,
    ),
  };
}

type NewCondition = Omit<Condition, 'lastTransitionTime'>;

function misconfiguredCondition({ mistake }: Selection): NewCondition {
  return mistake
    ? {
        type: 'PlacementMisconfigured',
        status: 'True',
        reason: 'Misconfigured',
        message: mistake,
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
  selection: Selection,
): NewCondition {
  const unsatisfied = (reason: string, message: string): NewCondition => ({
    type: 'PlacementSatisfied',
    status: 'False',
    reason,
    message,
  });
  const { boundSets, eligibleSets, availableClusters, unscheduled, mistake } =
    selection;
  if (boundSets.length === 0) {
    return unsatisfied(
      'NoManagedClusterSetBindings',
      'No valid ManagedClusterSetBindings found in placement namespace',
    );
  }
  if (eligibleSets.length === 0) {
    const asked = placement.spec?.clusterSets?.join(',') ?? '';
    return unsatisfied(
      'NoIntersection',
      `None of ManagedClusterSets [${asked}] is bound to placement namespace`,
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
  if (mistake) {
    return unsatisfied('NotAllDecisionsScheduled', mistake);
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
