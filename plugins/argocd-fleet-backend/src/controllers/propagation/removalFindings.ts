import type {
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { removalFindings } from '../../model/findings';
import { heldFinding, removalFinding, type Wish } from '../../model/removal';
import type { RemovalOutcome } from './workRemovals';

/** What a person has to know of a work that does not deliver. */
export function findingsOfRemoval(
  work: ManifestWork,
  { decision, state }: RemovalOutcome,
): Finding[] {
  const { namespace: cluster = '', name } = work.metadata;
  const finding =
    state === 'counted'
      ? removalFindings.deletionWaits(cluster, {
          object: { kind: 'ManifestWork', namespace: cluster, name },
        })
      : removalFinding(work, decision);
  return finding ? [finding] : [];
}

/** A work that is being deleted after its Application: no other page shows it. */
export function findingOfEnd({ metadata }: ManifestWork): Finding {
  const { namespace: cluster = '', name } = metadata;
  return removalFindings.beingDeleted(cluster, {
    object: { kind: 'ManifestWork', namespace: cluster, name },
  });
}

/** One finding for each ApplicationSet whose works are held, and one for works that no set made. */
export function heldFindings(hub: string, held: readonly Wish[]): Finding[] {
  const bySet = new Map<string | undefined, Wish[]>();
  for (const wish of held) {
    const ofSet = bySet.get(wish.applicationSet) ?? [];
    ofSet.push(wish);
    bySet.set(wish.applicationSet, ofSet);
  }
  return Array.from(bySet, ([set, wishes]) => heldFinding(hub, set, wishes));
}
