import { PlacementDecision } from '../kubernetes/clusterTypes';
import { objectKey } from '../kubernetes/objects';

/**
 * An order of writing decisions in which no cluster that stays selected is
 * missing from all of them at some point, as far as there is one: whoever
 * looks in between would take its Applications away.
 */
export function writeOrder(
  current: readonly PlacementDecision[],
  wanted: readonly PlacementDecision[],
): PlacementDecision[] {
  const held = new Map(
    current.map(decision => [objectKey(decision), namesIn(decision)]),
  );
  const staying = new Set(wanted.flatMap(namesIn));
  const waiting = [...wanted];
  const order: PlacementDecision[] = [];
  /** Clusters that would be nowhere if this were written next. */
  const lost = (decision: PlacementDecision) => {
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
  while (waiting.length > 0) {
    const losses = waiting.map(lost);
    const [next] = waiting.splice(losses.indexOf(Math.min(...losses)), 1);
    held.set(objectKey(next), namesIn(next));
    order.push(next);
  }
  return order;
}

function namesIn({ status }: PlacementDecision): string[] {
  return (status?.decisions ?? []).map(({ clusterName }) => clusterName);
}
