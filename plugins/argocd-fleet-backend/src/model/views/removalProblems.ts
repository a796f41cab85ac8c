import {
  RELEASE_ANNOTATION,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { heldFinding, releaseOf } from '../removal';
import { removalFindings } from '../findings';
import type { FleetApplicationSet } from './fleetApplicationSet';

/** What is wrong with works of an ApplicationSet that deliver no Application any more. */
export function removalProblems({
  hub,
  applicationSet,
  remaining = { kept: [], frozen: [], ending: [] },
  held = [],
  releases,
}: FleetApplicationSet): Finding[] {
  const { name, namespace = '', annotations } = applicationSet.metadata;
  const object = { kind: 'ApplicationSet', name, namespace };
  const details = (clusters: readonly string[]) => ({
    object,
    ...(clusters.length > 1 && { evidence: clusters.join('\n') }),
  });
  const { kept, frozen, ending } = remaining;
  const release = annotations?.[RELEASE_ANNOTATION];
  return [
    ...(held.length > 0
      ? [heldFinding(hub, `${namespace}/${name}`, held)]
      : []),
    ...(kept.length > 0
      ? [removalFindings.noLongerPullModel(clustersText(kept), details(kept))]
      : []),
    ...(frozen.length > 0
      ? [removalFindings.frozenByOthers(clustersText(frozen), details(frozen))]
      : []),
    ...(ending.length > 0
      ? [removalFindings.beingDeleted(clustersText(ending), details(ending))]
      : []),
    ...(release !== undefined && !releaseOf(applicationSet)
      ? [removalFindings.releaseWithoutEffect(release, 'value', { object })]
      : []),
    ...(releaseOf(applicationSet) && releases === 0
      ? [removalFindings.releaseWithoutEffect(release!, 'nothing', { object })]
      : []),
  ];
}

function clustersText(clusters: readonly string[]): string {
  return clusters.length === 1 ? clusters[0] : `${clusters.length} clusters`;
}
