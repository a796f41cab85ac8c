import type {
  ArgoApplication,
  ArgoApplicationSet,
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

/** Whether a step of a rolling sync selects an Application; undefined where its set has no rolling sync. */
export function rollingSyncOf(
  applicationSet: ArgoApplicationSet | undefined,
  application: ArgoApplication,
): 'inStep' | 'inNoStep' | undefined {
  if (!isRollingSync(applicationSet)) {
    return undefined;
  }
  return rollingSyncStep(applicationSet, application) === undefined
    ? 'inNoStep'
    : 'inStep';
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
  const strategy = applicationSet?.spec.strategy as Strategy | undefined;
  if (strategy?.type !== 'RollingSync') {
    return undefined;
  }
  const labels = application.metadata.labels ?? {};
  const index = strategy.rollingSync?.steps?.findIndex(
    ({ matchExpressions = [] }) =>
      matchExpressions.every(expression => matches(labels, expression)),
  );
  return index === undefined || index < 0 ? undefined : index;
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
