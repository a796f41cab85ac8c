import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { removalFindings } from '../findings';
import type { Wish } from './brake';

/** Works that evidence names. */
const SHOWN = 20;

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
  const more = works.length - SHOWN;
  return removalFindings.deletionsHeld(
    {
      hub,
      applicationSet,
      count: works.length,
      heldFor: held.some(({ heldFor }) => heldFor === 'hub') ? 'hub' : 'set',
    },
    {
      evidence: [
        ...works.slice(0, SHOWN),
        ...(more > 0 ? [`and ${more} more`] : []),
      ].join('\n'),
    },
  );
}
