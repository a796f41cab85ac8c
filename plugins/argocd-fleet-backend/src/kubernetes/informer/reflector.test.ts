import { setTimeout as sleep } from 'node:timers/promises';
import { mockLogger } from '../../__testUtils__/mockLogger';
import { FLEET_RESOURCES } from '../../fleet/resources';
import { KubernetesError, type KubernetesClient } from '../client';
import { createReflector } from './reflector';

jest.mock('node:timers/promises', () => ({
  ...jest.requireActual('node:timers/promises'),
  setTimeout: jest.fn(async () => {}),
}));

const throws = (kind: 'unavailable' | 'forbidden' | 'gone') => () => {
  throw new KubernetesError(kind, 'no watch');
};

it.each<[string, () => void, readonly number[]]>([
  ['are refused', throws('unavailable'), [20, 40, 80, 160, 320, 400, 400]],
  ['are forbidden', throws('forbidden'), [50, 100, 200, 400, 400, 400, 400]],
  ['end at once', () => {}, [20, 40, 80, 160, 320, 400, 400]],
  // An expired watch waits only for a jitter at first.
  ['expire at once', throws('gone'), [5, 5, 80, 160, 320, 400, 400]],
])(
  'retries less and less often while lists work and watches %s',
  async (_, end, waits) => {
    // The middle of each jitter.
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const slept = jest.mocked(sleep);
    slept.mockClear();
    const stop = new AbortController();
    const reflector = createReflector({
      client: {
        list: async () => ({ items: [], resourceVersion: '1' }),
        // eslint-disable-next-line require-yield -- a watch that ends before its first event
        async *watch() {
          if (slept.mock.calls.length === waits.length) {
            stop.abort();
          }
          end();
        },
      } as unknown as KubernetesClient,
      resource: FLEET_RESOURCES.clusters,
      store: {
        startListing: () => ({ add() {}, async complete() {} }),
        upsert() {},
        remove() {},
      },
      logger: mockLogger(),
      onStateChange: () => {},
      timing: {
        watchSeconds: 60,
        watchProvenMs: 100,
        backoffMinMs: 20,
        backoffMaxMs: 100,
        relistMaxMs: 400,
        absentRetryMs: 50,
        relistJitterMs: 10,
      },
    });
    await reflector.run(stop.signal);
    expect(slept.mock.calls.map(([ms]) => ms)).toEqual(waits);
  },
);
