import { mockServices } from '@backstage/backend-test-utils';
import { FLEET_INDEXES, type FleetCache } from '../controllers/fleetIndexes';
import {
  createHttpHubClient,
  createHubCache,
  createHubConnector,
} from '../hub';

/** A cache that no hub fills, for tests that have it `absorb` objects. */
export function emptyCache(): FleetCache {
  const access = { kubeconfig: { path: '/nowhere' } };
  return createHubCache({
    hub: 'hub',
    client: createHttpHubClient({
      hub: 'hub',
      connector: createHubConnector({ hub: 'hub', access }),
      fieldManager: 'test',
    }),
    indexes: FLEET_INDEXES,
    logger: mockServices.logger.mock(),
  });
}
