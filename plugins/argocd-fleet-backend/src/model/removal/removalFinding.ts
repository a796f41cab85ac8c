import type {
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { removalFindings } from '../findings';
import type { WorkDecision } from './workRemoval';

/**
 * What a person has to know of a work that does not deliver and is not deleted yet; undefined where it delivers, or goes.
 * @param releasedBy - the object whose annotation releases a work that is kept; without it, the fix names none
 */
export function removalFinding(
  { metadata }: ManifestWork,
  decision: WorkDecision,
  releasedBy?: Finding['object'],
): Finding | undefined {
  const { namespace: cluster = '', name } = metadata;
  const details = {
    object: { kind: 'ManifestWork', namespace: cluster, name },
  };
  switch (decision.kind) {
    case 'keep': {
      const kept = releasedBy ? { object: releasedBy } : details;
      return decision.reason === 'frozenByOthers'
        ? removalFindings.frozenByOthers(cluster, kept)
        : removalFindings.noLongerPullModel(cluster, kept);
    }
    case 'wait':
      return decision.for === 'released'
        ? removalFindings.beingReleased(cluster, details)
        : removalFindings.waitsForSuccessor(cluster, decision.for, details);
    case 'release':
      return removalFindings.beingReleased(cluster, details);
    default:
      return undefined;
  }
}
