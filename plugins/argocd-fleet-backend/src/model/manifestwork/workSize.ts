import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { goJsonBytes } from '../json';

/** Limit of OCM's webhook for the size of all manifests of a work together, in bytes. */
export const MAX_MANIFESTS = 512_000;

/** Size of all manifests of a work as the webhook counts it, in bytes. */
export function manifestBytes(work: ManifestWork): number {
  return (work.spec.workload?.manifests ?? [])
    .map(manifest => goJsonBytes(JSON.stringify(manifest)))
    .reduce((sum, bytes) => sum + bytes, 0);
}
