import { mockServices } from '@backstage/backend-test-utils';
import { createHubCache } from '../fleet/hubCache';
import { FLEET_INDEXES, type FleetCache } from '../fleet/indexes';
import { createHubConnector } from '../kubernetes/client/connection';
import { createHttpHubClient } from '../kubernetes/client/httpClient';

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
