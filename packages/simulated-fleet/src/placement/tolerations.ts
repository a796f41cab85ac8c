import { ManagedCluster, Taint, Toleration } from '../kubernetes/clusterTypes';

/** The mistake in a toleration that makes a Placement misconfigured, if there is one. */
export function tolerationMistake(
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

/** Whether a Placement with these tolerations may select the cluster. */
export function toleratesCluster(
  cluster: ManagedCluster,
  tolerations: readonly Toleration[],
  alreadySelected: boolean,
  now: Date,
): boolean {
  return (cluster.spec?.taints ?? []).every(
    taint =>
      taint.effect === 'PreferNoSelect' ||
      (taint.effect === 'NoSelectIfNew' && alreadySelected) ||
      tolerations.some(toleration => tolerates(taint, toleration, now)),
  );
}

function tolerates(taint: Taint, toleration: Toleration, now: Date): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) {
    return false;
  }
  if (toleration.key && toleration.key !== taint.key) {
    return false;
  }
  if (
    toleration.operator !== 'Exists' &&
    (toleration.value ?? '') !== (taint.value ?? '')
  ) {
    return false;
  }
  if (toleration.tolerationSeconds === undefined || !taint.timeAdded) {
    return true;
  }
  const expires =
    Date.parse(taint.timeAdded) + toleration.tolerationSeconds * 1000;
  return now.getTime() < expires;
}
