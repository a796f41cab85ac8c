import { ManagedCluster, Taint, Toleration } from '../kubernetes/clusterTypes';

/** The error in a toleration that makes its Placement misconfigured, or undefined. */
export function tolerationError(
  tolerations: readonly Toleration[],
): string | undefined {
  for (const { key, operator, value } of tolerations) {
    if (!key && operator !== 'Exists') {
      return 'If the key is empty, operator must be Exists.';
    }
    if (operator === 'Exists' && value) {
      return 'If the operator is Exists, the value should be empty.';
    }
  }
  return undefined;
}

/**
 * For how many milliseconds of simulated time from now a Placement with these
 * tolerations may select the cluster: `Infinity` for ever, 0 for not at all.
 */
export function toleratedForMs(
  cluster: ManagedCluster,
  tolerations: readonly Toleration[],
  alreadySelected: boolean,
  since: (date: Date) => number,
): number {
  return Math.min(
    Infinity,
    ...(cluster.spec?.taints ?? []).map(taint =>
      taint.effect === 'PreferNoSelect' ||
      (taint.effect === 'NoSelectIfNew' && alreadySelected)
        ? Infinity
        : Math.max(
            0,
            ...tolerations.map(toleration =>
              toleratesForMs(taint, toleration, since),
            ),
          ),
    ),
  );
}

function toleratesForMs(
  taint: Taint,
  toleration: Toleration,
  since: (date: Date) => number,
): number {
  const { key, operator, value = '', effect, tolerationSeconds } = toleration;
  const matches =
    (!effect || effect === taint.effect) &&
    (!key || key === taint.key) &&
    (operator === 'Exists' || value === (taint.value ?? ''));
  if (!matches) {
    return 0;
  }
  if (tolerationSeconds === undefined || !taint.timeAdded) {
    return Infinity;
  }
  return Math.max(
    0,
    tolerationSeconds * 1000 - since(new Date(taint.timeAdded)),
  );
}
