import { ClusterSelector, ManagedCluster } from '../kubernetes/clusterTypes';
import { errorMessage } from '../runtime/errorMessage';
import { matchesExpressions, matchesLabels } from './labelSelector';

/** Whether a cluster matches the label and claim selectors; an absent selector matches every cluster. */
export function matchesCluster(
  selector: ClusterSelector | undefined,
  { metadata, status }: ManagedCluster,
): boolean {
  const claims = Object.fromEntries(
    (status?.clusterClaims ?? []).map(({ name, value }) => [name, value]),
  );
  return (
    matchesLabels(selector?.labelSelector, metadata.labels ?? {}) &&
    matchesExpressions(selector?.claimSelector?.matchExpressions, claims)
  );
}

/** The error in a selector, or undefined. */
export function selectorError(
  selector: ClusterSelector | undefined,
): string | undefined {
  if (selector?.celSelector?.celExpressions?.length) {
    return 'celSelector is not simulated, use labelSelector or claimSelector';
  }
  try {
    matchesLabels(selector?.labelSelector, {});
    matchesExpressions(selector?.labelSelector?.matchExpressions, {});
    matchesExpressions(selector?.claimSelector?.matchExpressions, {});
  } catch (error) {
    return errorMessage(error);
  }
  return undefined;
}
