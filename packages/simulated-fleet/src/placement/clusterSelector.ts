import { ClusterSelector, ManagedCluster } from '../kubernetes/clusterTypes';
import { matchesExpressions, matchesLabels } from './labelSelector';

/** Whether a cluster has the labels and the claims that are asked for; without a selector every cluster does. */
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

/** What is wrong with a selector, if anything is. */
export function selectorMistake(
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
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}
