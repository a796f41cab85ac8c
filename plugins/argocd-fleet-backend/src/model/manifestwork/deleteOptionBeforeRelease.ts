import {
  RELEASING_ANNOTATION,
  type DeleteOption,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * What a work had before it was released with all of its objects, null for none: the rules of another writer are there
 * still. Undefined for a work that is not released so.
 */
export function deleteOptionBeforeRelease({
  metadata,
  spec,
}: ManifestWork): DeleteOption | null | undefined {
  if (
    metadata.annotations?.[RELEASING_ANNOTATION] === undefined ||
    spec.deleteOption?.propagationPolicy !== 'Orphan'
  ) {
    return undefined;
  }
  const { selectivelyOrphans } = spec.deleteOption;
  return selectivelyOrphans
    ? { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans }
    : null;
}
