import { createFleetCache, type FleetCache } from '../fleet/fleetCache';
import { createConnector } from '../kubernetes/client/connection';
import { createHttpClient } from '../kubernetes/client/httpClient';
import { mockLogger } from './mockLogger';
import { boundSet, GLOBAL_SET, SEEDED_PLACEMENT } from './objects';

/** A cache without a hub, for tests that fill it by `applyWriteResult`. */
export function emptyCache(): FleetCache {
  const access = { kubeconfig: { path: '/nowhere' } };
  const cache = createFleetCache({
    hub: 'hub',
    client: createHttpClient({
      server: 'hub "hub"',
      connector: createConnector({ server: 'hub "hub"', access }),
      fieldManager: 'test',
    }),
    logger: mockLogger(),
  });
  // Nothing is listed: what the test filled in is all there is.
  return {
    ...cache,
    isKnown: () => true,
    state: () => ({ ...cache.state(), state: 'ready' }),
  };
}

/** Adds the Placement of `decisionFor`, and the set that is bound to its namespace. */
export function applySeededPlacement(cache: FleetCache): void {
  cache.applyWriteResult('clusterSets', GLOBAL_SET);
  cache.applyWriteResult(
    'clusterSetBindings',
    boundSet(GLOBAL_SET.metadata.name),
  );
  cache.applyWriteResult('placements', SEEDED_PLACEMENT);
}
