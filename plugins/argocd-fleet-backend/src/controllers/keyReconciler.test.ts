import { mockServices } from '@backstage/backend-test-utils';
import { HubError, type HubClient } from '../hub';
import type { Controller } from './controller';
import type { FleetCache } from './fleetIndexes';
import { createKeyReconciler } from './keyReconciler';
import { NO_TELEMETRY } from './controllerTelemetry';

const DAY_MS = 24 * 3_600_000;

describe('a key that failed', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['put back', -DAY_MS],
    ['put forward', DAY_MS],
  ])(
    'is tried again when it would have been, also where the machine’s clock is %s',
    async (_, skew) => {
      const reconciler = createKeyReconciler({
        controller: {
          name: 'failing',
          needs: [],
          debounceMs: 0,
          allKeys: () => [],
          keysOf: () => [],
          async reconcile() {
            throw new HubError('unavailable', 'the hub is away');
          },
        } satisfies Controller,
        cache: { hub: 'hub' } as FleetCache,
        client: {} as HubClient,
        mode: 'manage',
        logger: mockServices.logger.mock(),
        telemetry: NO_TELEMETRY,
        onFindingsChange: () => {},
      });
      const { signal } = new AbortController();
      const retryInMs = await reconciler.reconcile('a/b', signal, Infinity);
      expect(retryInMs).toBeGreaterThan(0);
      const now = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(now + skew);
      const waitMs = reconciler.waitOf('a/b', 'pass');
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(retryInMs!);
    },
  );
});
