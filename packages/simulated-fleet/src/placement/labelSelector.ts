import {
  LabelSelector,
  LabelSelectorRequirement,
} from '../kubernetes/clusterTypes';

/**
 * Whether labels match a Kubernetes selector; an absent or empty selector matches everything.
 *
 * @throws Error on an operator that Kubernetes does not know.
 */
export function matchesLabels(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  const exact = Object.entries(selector?.matchLabels ?? {}).every(
    ([key, value]) => labels[key] === value,
  );
  return exact && matchesExpressions(selector?.matchExpressions, labels);
}

/** The `matchExpressions` part of {@link matchesLabels}; claim selectors have only this part. */
export function matchesExpressions(
  expressions: readonly LabelSelectorRequirement[] | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (expressions ?? []).every(({ key, operator, values = [] }) => {
    const value = labels[key];
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      default:
        throw new Error(`"${operator}" is not a valid label selector operator`);
    }
  });
}
