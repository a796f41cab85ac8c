import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { goJsonBytes } from '../json';

/** What OCM's webhook takes of all manifests of a work together, in bytes. */
export const MAX_MANIFESTS = 512_000;

/** Bytes of all manifests of a work, as the webhook counts them. */
export function manifestBytes(work: ManifestWork): number {
  return (work.spec.workload?.manifests ?? [])
    .map(manifest => goJsonBytes(JSON.stringify(manifest)))
    .reduce((sum, bytes) => sum + bytes, 0);
}
