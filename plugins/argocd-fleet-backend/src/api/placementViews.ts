import { ServiceUnavailableError } from '@backstage/errors';
import type {
  NamespacedName,
  PlacementOptions,
  PlacementPreview,
  PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';
import {
  placementOptions,
  previewPlacement,
  type PlacementInputs,
} from '../model/placement';
import { placementManifest } from '../model/views';
import type { ApiHub } from './apiHub';

type CachedHub = Pick<ApiHub, 'name' | 'cache'>;

/** What a form for a Placement offers on a hub, as far as the hub is known now. */
export function listPlacementOptions({
  name,
  cache,
}: CachedHub): PlacementOptions {
  return placementOptions(
    name,
    inputsOf(cache),
    Array.from(cache.applicationSets.list(), ({ metadata }) => ({
      namespace: metadata.namespace ?? '',
    })),
  );
}

/**
 * The clusters that a Placement would select now.
 * @throws ServiceUnavailableError while a resource that decides it is not completely known
 */
export function previewSelection(
  { cache }: CachedHub,
  namespace: string,
  selection: PlacementSelection,
): PlacementPreview {
  const [reason] = cache.unsyncedReasons([
    'clusters',
    'clusterSets',
    'clusterSetBindings',
  ]);
  if (reason) {
    throw new ServiceUnavailableError(reason);
  }
  const ref: NamespacedName = { namespace, name: 'preview' };
  return previewPlacement(placementManifest(ref, selection), inputsOf(cache));
}

function inputsOf(cache: ApiHub['cache']): PlacementInputs {
  return {
    clusters: [...cache.clusters.list()],
    clusterSets: [...cache.clusterSets.list()],
    bindings: [...cache.clusterSetBindings.list()],
  };
}
