import { mockServices } from '@backstage/backend-test-utils';
import { createFleetCache, type FleetCache } from '../fleet/fleetCache';
import { createConnector } from '../kubernetes/client/connection';
import { createHttpClient } from '../kubernetes/client/httpClient';

/** A cache without a hub, for tests that fill it by `applyWriteResult`. */
export function emptyCache(): FleetCache {
  const access = { kubeconfig: { path: '/nowhere' } };
  return createFleetCache({
    hub: 'hub',
    client: createHttpClient({
      server: 'hub "hub"',
      connector: createConnector({ server: 'hub "hub"', access }),
      fieldManager: 'test',
    }),
    logger: mockServices.logger.mock(),
  });
}
