import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { removalFindings, shownNames } from '../findings';
import type { Wish } from './brake';

/**
 * The finding about works of one ApplicationSet whose deletion is held.
 * @param applicationSet - `<namespace>/<name>`; undefined for works that no set made
 */
export function heldFinding(
  hub: string,
  applicationSet: string | undefined,
  held: readonly Wish[],
): Finding {
  const works = held.map(({ work }) => work).sort();
  return removalFindings.deletionsHeld(
    {
      hub,
      applicationSet,
      count: works.length,
      heldFor: held.some(({ heldFor }) => heldFor === 'hub') ? 'hub' : 'set',
    },
    { evidence: shownNames(works).join('\n') },
  );
}
