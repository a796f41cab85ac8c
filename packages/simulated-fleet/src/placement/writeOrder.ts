import { PlacementDecision } from '../kubernetes/clusterTypes';
import { objectKey } from '../kubernetes/objects';

/**
 * Orders the writes of decisions so that, if possible, no cluster that stays
 * selected is missing from all decisions between two writes: a controller
 * that reads them in between would delete the cluster's Applications.
 */
export function writeOrder(
  current: readonly PlacementDecision[],
  desired: readonly PlacementDecision[],
): PlacementDecision[] {
  const held = new Map(
    current.map(decision => [objectKey(decision), namesIn(decision)]),
  );
  const staying = new Set(desired.flatMap(namesIn));
  const unwritten = [...desired];
  const order: PlacementDecision[] = [];
  /** The number of clusters that would be in no decision if this one were written next. */
  const lostClusters = (decision: PlacementDecision) => {
    const key = objectKey(decision);
    const elsewhere = new Set(
      [...held]
        .filter(([other]) => other !== key)
        .flatMap(([, names]) => names),
    );
    const kept = new Set(namesIn(decision));
    return (held.get(key) ?? []).filter(
      name => staying.has(name) && !kept.has(name) && !elsewhere.has(name),
    ).length;
  };
  while (unwritten.length > 0) {
    const losses = unwritten.map(lostClusters);
    const [next] = unwritten.splice(losses.indexOf(Math.min(...losses)), 1);
    held.set(objectKey(next), namesIn(next));
    order.push(next);
  }
  return order;
}

/** The clusters that a decision selects. */
export function namesIn({ status }: PlacementDecision): string[] {
  return (status?.decisions ?? []).map(({ clusterName }) => clusterName);
}
