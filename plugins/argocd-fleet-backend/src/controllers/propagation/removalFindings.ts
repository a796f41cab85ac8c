import type {
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { removalFindings } from '../../model/findings';
import { heldFinding, type Wish } from '../../model/removal';
import type { RemovalOutcome } from './workRemovals';

/** What a person has to know of a work that does not deliver. */
export function findingsOfRemoval(
  { metadata }: ManifestWork,
  { decision, state }: RemovalOutcome,
): Finding[] {
  const { namespace: cluster = '', name } = metadata;
  const details = {
    object: { kind: 'ManifestWork', namespace: cluster, name },
  };
  switch (decision.kind) {
    case 'keep':
      return decision.reason === 'frozenByOthers'
        ? [removalFindings.frozenByOthers(cluster, details)]
        : [removalFindings.noLongerPullModel(cluster, details)];
    case 'wait':
      return [
        decision.for === 'released'
          ? removalFindings.beingReleased(cluster, details)
          : removalFindings.waitsForSuccessor(cluster, decision.for, details),
      ];
    case 'release':
      return [removalFindings.beingReleased(cluster, details)];
    default:
      return state === 'counted'
        ? [removalFindings.deletionWaits(cluster, details)]
        : [];
  }
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
