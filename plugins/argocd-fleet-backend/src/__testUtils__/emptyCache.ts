import { mockServices } from '@backstage/backend-test-utils';
import { createHubCache } from '../fleet/hubCache';
import { FLEET_INDEXES, type FleetCache } from '../fleet/indexes';
import { createConnector } from '../kubernetes/client/connection';
import { createHttpClient } from '../kubernetes/client/httpClient';

/** A cache that no hub fills, for tests that have it `absorb` objects. */
export function emptyCache(): FleetCache {
  const access = { kubeconfig: { path: '/nowhere' } };
  return createHubCache({
    hub: 'hub',
    client: createHttpClient({
      hub: 'hub',
      connector: createConnector({ hub: 'hub', access }),
      fieldManager: 'test',
    }),
    indexes: FLEET_INDEXES,
    logger: mockServices.logger.mock(),
  });
}
