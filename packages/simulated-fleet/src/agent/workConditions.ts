import { Condition, NewCondition } from '../kubernetes/objects';
import { ManifestCondition } from '../kubernetes/workTypes';
import { isFromRule } from './conditionRules';

/** The work's own conditions, aggregated from the conditions of its manifests as in OCM. */
export function aggregateConditions(
  manifests: readonly ManifestCondition[],
  observedGeneration: number,
): NewCondition[] {
  const byType = new Map<string, Condition[]>([['Available', []]]);
  for (const condition of manifests.flatMap(({ conditions }) => conditions)) {
    if (condition.type === 'Available' || isFromRule(condition)) {
      byType.set(condition.type, [
        ...(byType.get(condition.type) ?? []),
        condition,
      ]);
    }
  }
  return [
    appliedCondition(manifests, observedGeneration),
    ...[...byType.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, conditions]) =>
        type === 'Available'
          ? availableCondition(conditions, manifests.length, observedGeneration)
          : ruleCondition(type, conditions, observedGeneration),
      ),
  ];
}

function appliedCondition(
  manifests: readonly ManifestCondition[],
  observedGeneration: number,
): NewCondition {
  const failed = manifests.some(({ conditions }) =>
    conditions.some(
      ({ type, status }) => type === 'Applied' && status === 'False',
    ),
  );
  return {
    type: 'Applied',
    status: failed ? 'False' : 'True',
    reason: failed
      ? 'AppliedManifestWorkFailed'
      : 'AppliedManifestWorkComplete',
    message: failed
      ? 'Failed to apply manifest work'
      : 'Apply manifest work complete',
    observedGeneration,
  };
}

function availableCondition(
  conditions: readonly Condition[],
  total: number,
  observedGeneration: number,
): NewCondition {
  const base = { type: 'Available', observedGeneration };
  const count = (status: string) =>
    conditions.filter(condition => condition.status === status).length;
  if (count('False') > 0) {
    return {
      ...base,
      status: 'False',
      reason: 'ResourcesNotAvailable',
      message: `${count('False')} of ${total} resources are not available`,
    };
  }
  if (count('Unknown') > 0) {
    return {
      ...base,
      status: 'Unknown',
      reason: 'ResourcesStatusUnknown',
      message: `${count('Unknown')} of ${total} resources have unknown status`,
    };
  }
  if (count('True') === 0) {
    return {
      ...base,
      status: 'Unknown',
      reason: 'ResourcesStatusUnknown',
      message: 'cannot get any available resource ',
    };
  }
  return {
    ...base,
    status: 'True',
    reason: 'ResourcesAvailable',
    message: 'All resources are available',
  };
}

function ruleCondition(
  type: string,
  conditions: readonly Condition[],
  observedGeneration: number,
): NewCondition {
  const has = (status: string) =>
    conditions.some(condition => condition.status === status);
  // Progressing is True if it is True for any manifest; every other condition only if it is for all.
  const order =
    type === 'Progressing'
      ? (['True', 'Unknown', 'False'] as const)
      : (['False', 'Unknown', 'True'] as const);
  return {
    type,
    status: order.find(has) ?? 'Unknown',
    reason: 'ConditionRulesAggregated',
    message:
      conditions.length === 1 && conditions[0].message
        ? conditions[0].message
        : `Aggregated from ${conditions.length} manifest conditions`,
    observedGeneration,
  };
}
