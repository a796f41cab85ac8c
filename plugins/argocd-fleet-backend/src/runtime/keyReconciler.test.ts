import { mockLogger } from '../__testUtils__/mockLogger';
import type { FleetCache } from '../fleet/fleetCache';
import type { KubernetesClient } from '../kubernetes/client/client';
import { KubernetesError } from '../kubernetes/client/errors';
import { workOf } from '../model/__testUtils__/works';
import { objectOfKind, type Controller } from './controller';
import { NO_TELEMETRY } from './controllerTelemetry';
import { createKeyReconciler } from './keyReconciler';

const DAY_MS = 24 * 3_600_000;

/** Reconciles keys with that function, on a hub with that client. */
function setUp(reconcile: Controller['reconcile'], client = {}) {
  const released: string[] = [];
  const reconciler = createKeyReconciler({
    controller: {
      name: 'tested',
      watches: { synced: [], events: {} },
      failureContext: { objectOf: objectOfKind('Application'), rbacFile: '' },
      listKeys: () => [],
      reconcile,
    },
    cache: { hub: 'hub', applyWriteResult() {} } as unknown as FleetCache,
    client: client as KubernetesClient,
    mode: 'manage',
    logger: mockLogger(),
    telemetry: NO_TELEMETRY,
    onFindingsChange: () => {},
    onRelease: key => released.push(key),
  });
  const { signal } = new AbortController();
  return {
    reconciler,
    released,
    reconcile: (key: string) => reconciler.reconcile(key, signal, Infinity),
  };
}

describe('a key that failed', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    ['set back', -DAY_MS],
    ['set forward', DAY_MS],
  ])(
    'is retried at the same time if the machine’s clock is %s',
    async (_, skew) => {
      const { reconciler, reconcile } = setUp(async () => {
        throw new KubernetesError('unavailable', 'the hub is away');
      });
      const retryInMs = await reconcile('a/b');
      expect(retryInMs).toBeGreaterThan(0);
      jest.setSystemTime(Date.now() + skew);
      expect(reconciler.waitOf('a/b', 'pass')).toBeCloseTo(retryInMs!);
    },
  );

  it('is retried at once when another forbidden key may write again', async () => {
    let allowed = false;
    const { reconciler, reconcile, released } = setUp(
      async (key, { writer }) => {
        if (key !== 'a/idle') {
          await writer.create('works', workOf());
        }
        return {};
      },
      {
        async create(_: unknown, object: unknown) {
          if (!allowed) {
            throw new KubernetesError('forbidden', 'may not');
          }
          return object;
        },
      },
    );
    for (const key of ['a/one', 'a/two']) {
      expect(await reconcile(key)).toBeGreaterThan(0);
    }
    expect(reconciler.waitOf('a/two', 'pass')).toBeGreaterThan(0);
    await reconcile('a/idle');
    expect(released).toEqual([]);
    allowed = true;
    expect(await reconcile('a/one')).toBeUndefined();
    expect(released).toEqual(['a/two']);
    expect(reconciler.waitOf('a/two', 'pass')).toBe(0);
  });
});
