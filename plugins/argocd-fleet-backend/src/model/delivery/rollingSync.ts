import type {
  ArgoApplication,
  ArgoApplicationSet,
  ArgoRollingSyncStatus,
  RollingSync,
  RollingSyncPosition,
} from 'backstage-plugin-argocd-fleet-common';
import { sameJson } from '../json';

interface MatchExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** The part of `spec.strategy` in Argo CD's CRD that is read here. */
interface Strategy {
  readonly type?: string;
  readonly rollingSync?: {
    readonly steps?: readonly {
      readonly matchExpressions?: readonly MatchExpression[];
    }[];
  };
}

/** Whether the ApplicationSet's controller syncs its Applications step by step, and takes automated sync from them. */
export function isRollingSync(
  applicationSet: ArgoApplicationSet | undefined,
): boolean {
  const strategy = applicationSet?.spec?.strategy as Strategy | undefined;
  return strategy?.type === 'RollingSync';
}

/** The step of its ApplicationSet's rolling sync that selects an Application; undefined where the set has none. */
export function rollingSyncPosition(
  applicationSet: ArgoApplicationSet | undefined,
  application: ArgoApplication,
): RollingSyncPosition | undefined {
  if (!isRollingSync(applicationSet)) {
    return undefined;
  }
  const index = rollingSyncStep(applicationSet, application);
  return {
    steps: stepsOf(applicationSet).length,
    ...(index !== undefined && { step: index + 1 }),
  };
}

/** So many of the Applications are named that a rolling sync waits for. */
const SHOWN_NAMES = 3;

/** By the list of an ApplicationSet that is read: all of thousands may be looked up, one after the other. */
const byName = new WeakMap<
  readonly ArgoRollingSyncStatus[],
  ReadonlyMap<string, ArgoRollingSyncStatus>
>();

/** As {@link rollingSyncPosition}, with what the controller of the ApplicationSet reports of the Application. */
export function reportedRollingSyncPosition(
  applicationSet: ArgoApplicationSet | undefined,
  application: ArgoApplication,
): RollingSyncPosition | undefined {
  const position = rollingSyncPosition(applicationSet, application);
  const all = applicationSet?.status?.applicationStatus;
  if (!position || !all) {
    return position;
  }
  let named = byName.get(all);
  if (!named) {
    named = new Map(all.map(each => [each.application, each]));
    byName.set(all, named);
  }
  const { status, message, lastTransitionTime } =
    named.get(application.metadata.name) ?? {};
  return {
    ...position,
    ...(status && { status }),
    ...(message && { message }),
    ...(lastTransitionTime && { since: lastTransitionTime }),
  };
}

/** How far the rolling sync of an ApplicationSet is, as its controller reports it; undefined where it has none. */
export function rollingSyncProgress(
  applicationSet: ArgoApplicationSet,
): RollingSync | undefined {
  if (!isRollingSync(applicationSet)) {
    return undefined;
  }
  const { conditions = [], applicationStatus = [] } =
    applicationSet.status ?? {};
  const steps = stepsOf(applicationSet).length;
  const condition = conditions.find(
    ({ type }) => type === 'RolloutProgressing',
  );
  /** Applications that are not done, by step. */
  const waiting = new Map<number, string[]>();
  for (const { application, step, status } of applicationStatus) {
    const number = Number(step);
    if (status !== 'Healthy' && number >= 1 && number <= steps) {
      const names = waiting.get(number) ?? [];
      waiting.set(number, names);
      names.push(application);
    }
  }
  const current =
    condition?.status === 'True' ? Math.min(...waiting.keys()) : Infinity;
  const names = waiting.get(current) ?? [];
  return {
    steps,
    reported: condition !== undefined,
    ...(names.length > 0 && {
      step: current,
      waiting: names.length,
      waitsFor: names.toSorted().slice(0, SHOWN_NAMES),
    }),
    ...(condition?.lastTransitionTime && {
      since: condition.lastTransitionTime,
    }),
  };
}

/** Whether the two ApplicationSets select the Applications of each step alike. */
export function sameRollingSync(
  a: ArgoApplicationSet | undefined,
  b: ArgoApplicationSet | undefined,
): boolean {
  return sameJson(a?.spec?.strategy, b?.spec?.strategy);
}

/**
 * Index of the progressive sync step of its ApplicationSet that selects an Application; undefined if no step does.
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Progressive-Syncs/
 */
export function rollingSyncStep(
  applicationSet: ArgoApplicationSet | undefined,
  application: ArgoApplication,
): number | undefined {
  if (!isRollingSync(applicationSet)) {
    return undefined;
  }
  const labels = application.metadata.labels ?? {};
  const index = stepsOf(applicationSet).findIndex(({ matchExpressions = [] }) =>
    matchExpressions.every(expression => matches(labels, expression)),
  );
  return index < 0 ? undefined : index;
}

function stepsOf(applicationSet: ArgoApplicationSet | undefined) {
  const strategy = applicationSet?.spec?.strategy as Strategy | undefined;
  return strategy?.rollingSync?.steps ?? [];
}

function matches(
  labels: Readonly<Record<string, string>>,
  { key, operator, values = [] }: MatchExpression,
): boolean {
  const value = labels[key];
  if (value === undefined) {
    return operator !== 'In';
  }
  switch (operator) {
    case 'In':
      return values.includes(value);
    case 'NotIn':
      return !values.includes(value);
    default:
      return false;
  }
}
