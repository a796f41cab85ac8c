import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { mockLogger } from '../__testUtils__/mockLogger';
import { SEED } from '../__testUtils__/randomCases';
import { waitFor } from '../__testUtils__/waitFor';
import type { FleetCache, FleetEvent } from '../fleet/fleetCache';
import type { KubernetesClient } from '../kubernetes/client/client';
import { KubernetesError } from '../kubernetes/client/errors';
import { createObjectStore } from '../kubernetes/informer/objectStore';
import { objectOfKind, type Controller, type HubChecks } from './controller';
import { createControllerRunner } from './controllerRunner';
import { REQUEST_GRACE_MS } from './runDeadline';

function thing(name: string, version: number): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name, uid: name, resourceVersion: String(version) },
  };
}

/** A store whose events may be lost, and a controller that copies the versions of the objects in it. */
function setUp(
  options: {
    reconcile?: Controller['reconcile'];
    prepare?: HubChecks['prepare'];
    listKeys?: Controller['listKeys'];
    fullPassEveryMs?: number;
  } = {},
) {
  const listeners = new Set<(change: FleetEvent) => void>();
  let lost = false;
  let unsynced = false;
  const store = createObjectStore<KubernetesObject, KubernetesObject, never>({
    indexes: {},
    transform: object => object,
    onChange: change =>
      lost ||
      listeners.forEach(listener =>
        listener({ ...change, resource: 'clusters' } as FleetEvent),
      ),
  });
  const cache = {
    hub: 'hub',
    unsyncedReasons: () => (unsynced ? ['things are not listed'] : []),
    waitForSync: () => waitFor(() => !unsynced),
    onChange(listener: (change: FleetEvent) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as FleetCache;
  const copies = new Map<string, string>();
  const reconciled: string[] = [];
  const versionOf = (key: string) => store.get(key)?.metadata.resourceVersion;
  let meanwhile: (() => void) | undefined;
  let passes = 0;
  const controller: Controller = {
    name: 'copying',
    watches: {
      synced: ['clusters'],
      events: { clusters: ({ key }) => [key] },
    },
    failureContext: { objectOf: objectOfKind('Thing'), rbacFile: '' },
    hubChecks: { prepare: options.prepare },
    *listKeys() {
      yield* options.listKeys?.() ?? [];
      yield* store.keys();
      yield* copies.keys();
    },
    dependencies: key => [store.get(key), copies.get(key)],
    reconcile:
      options.reconcile ??
      (async key => {
        reconciled.push(key);
        const version = versionOf(key);
        meanwhile?.();
        meanwhile = undefined;
        await turn();
        if (version === undefined) {
          copies.delete(key);
        } else {
          copies.set(key, version);
        }
        return {};
      }),
  };
  const runner = createControllerRunner({
    controller,
    cache,
    client: {} as KubernetesClient,
    mode: 'manage',
    timing: {
      fullPassEveryMs: options.fullPassEveryMs ?? 1,
      runWindowMs: 600_000,
    },
    logger: mockLogger(),
    telemetry: {
      span: (_, fn) => fn(),
      worked() {},
      wrote() {},
      retrying() {},
      passed: () => {
        passes += 1;
      },
    },
  });
  return {
    runner,
    store,
    copies,
    reconciled,
    /** Called while the next key is being reconciled. */
    setMeanwhile(next: () => void) {
      meanwhile = next;
    },
    loseEvents(isLost: boolean) {
      lost = isLost;
    },
    /** Whether the resources that the controller needs are not synced. */
    setUnsynced(isUnsynced: boolean) {
      unsynced = isUnsynced;
    },
    async passesEnd(count: number) {
      const before = passes;
      await waitFor(() => passes >= before + count);
    },
  };
}

describe('controller runner', () => {
  it('skips unchanged keys in a pass, and reconciles them when they have changed', async () => {
    const { runner, store, copies, reconciled, passesEnd, loseEvents } =
      setUp();
    const stop = new AbortController();
    store.upsert(thing('a', 1));
    store.upsert(thing('b', 1));
    const running = runner.run(stop.signal);
    await passesEnd(3);
    reconciled.length = 0;
    await passesEnd(3);
    expect(reconciled).toEqual([]);
    expect(runner.status().objects).toBe(2);

    // The pass finds a change whose event was lost.
    loseEvents(true);
    store.upsert(thing('b', 2));
    await waitFor(() => copies.get('b') === '2');
    expect(new Set(reconciled)).toEqual(new Set(['b']));
    stop.abort();
    await running;
  });

  it('misses no change: after any history the copies are those of the final state', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const step = fc.record({
      name,
      what: fc.constantFrom('change', 'remove'),
      isLost: fc.boolean(),
      meanwhile: fc.boolean(),
      turns: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        const test = setUp();
        const { runner, store, copies, reconciled, passesEnd } = test;
        const stop = new AbortController();
        const running = runner.run(stop.signal);
        for (const [index, taken] of steps.entries()) {
          const { name: key, what, isLost, meanwhile, turns } = taken;
          const happen = () => {
            test.loseEvents(isLost);
            if (what === 'change') {
              store.upsert(thing(key, index + 2));
            } else {
              store.remove(thing(key, index + 2));
            }
          };
          if (meanwhile) {
            test.setMeanwhile(happen);
          } else {
            happen();
          }
          for (let i = 0; i < turns; i += 1) {
            await turn();
          }
        }
        test.setMeanwhile(() => {});
        await passesEnd(4);
        expect(Object.fromEntries(copies)).toEqual(
          Object.fromEntries(
            Array.from(store.list(), ({ metadata }) => [
              metadata.name,
              metadata.resourceVersion,
            ]),
          ),
        );
        reconciled.length = 0;
        await passesEnd(2);
        expect(reconciled).toEqual([]);
        stop.abort();
        await running;
      }),
      { seed: SEED, numRuns: 50 },
    );
  });

  it('retries a failed key though nothing has changed', async () => {
    let attempts = 0;
    const { runner, store } = setUp({
      reconcile: async () => {
        attempts += 1;
        if (attempts < 3) {
          throw new KubernetesError('conflict', 'the object was modified');
        }
        return {};
      },
    });
    const stop = new AbortController();
    store.upsert(thing('a', 1));
    const running = runner.run(stop.signal);
    await waitFor(() => attempts >= 3);
    stop.abort();
    await running;
    expect(attempts).toBe(3);
  });

  /** No second pass within a test. */
  const SELDOM = { fullPassEveryMs: 600_000 };

  it('reconciles a failed key that changed while the caches were not synced', async () => {
    const outcomes: unknown[] = [new Error('refused'), undefined];
    const { runner, store, setUnsynced } = setUp({
      ...SELDOM,
      reconcile: async () => {
        const outcome = outcomes.shift();
        if (outcome) {
          throw outcome;
        }
        return {};
      },
    });
    const stop = new AbortController();
    store.upsert(thing('a', 1));
    const running = runner.run(stop.signal);
    await waitFor(() => runner.status().errors === 1);
    setUnsynced(true);
    store.upsert(thing('a', 2));
    await waitFor(() => runner.queued === 0);
    setUnsynced(false);
    await waitFor(() => outcomes.length === 0);
    stop.abort();
    await running;
    expect(runner.status().lastError).toBeUndefined();
  });

  it('retries a key that failed in the run before', async () => {
    let attempts = 0;
    const { runner, store } = setUp({
      ...SELDOM,
      reconcile: async () => {
        attempts += 1;
        if (attempts < 2) {
          throw new KubernetesError('unavailable', 'away for a moment');
        }
        return {};
      },
    });
    store.upsert(thing('a', 1));
    const first = new AbortController();
    const running = runner.run(first.signal);
    await waitFor(() => runner.status().errors === 1);
    first.abort();
    await running;
    const second = new AbortController();
    const runningAgain = runner.run(second.signal);
    await waitFor(() => attempts === 2);
    second.abort();
    await runningAgain;
    expect(attempts).toBe(2);
  });

  const untilAborted: NonNullable<HubChecks['prepare']> = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });

  describe('whose window has passed', () => {
    let windows: AbortController[];
    const endWindow = () => windows.at(-1)?.abort();

    beforeEach(() => {
      windows = [];
      jest.useFakeTimers();
      jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
        const window = new AbortController();
        windows.push(window);
        return window.signal;
      });
    });
    afterEach(() => {
      jest.useRealTimers();
      jest.restoreAllMocks();
    });

    it.each<[string, NonNullable<HubChecks['prepare']>]>([
      ['ends too late', async () => {}],
      [
        'fails too late',
        async () => {
          throw new Error('no connection');
        },
      ],
      ['never ends', untilAborted],
    ])(
      'reports that its preparation %s, until the next run has begun',
      async (_, late) => {
        const preparations = [late];
        const { runner } = setUp({
          prepare: async context => {
            const prepare = preparations.shift();
            if (prepare) {
              endWindow();
              await prepare(context);
            }
          },
        });
        const { signal } = new AbortController();
        await Promise.all([
          expect(runner.run(signal)).rejects.toThrow(
            'copying is not running: its preparation did not end within the run',
          ),
          jest.advanceTimersByTimeAsync(REQUEST_GRACE_MS),
        ]);
        expect(runner.status().lastError).toMatch('preparation did not end');
        const running = runner.run(signal);
        await jest.advanceTimersByTimeAsync(1);
        expect(runner.status().lastError).toBeUndefined();
        endWindow();
        await running;
        expect(runner.status().lastError).toBeUndefined();
      },
    );

    it('reports that its requests had to be cut off', async () => {
      let reconciling = false;
      const { runner, store } = setUp({
        reconcile: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            reconciling = true;
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      });
      store.upsert(thing('a', 1));
      const running = runner.run(new AbortController().signal);
      await jest.advanceTimersByTimeAsync(1);
      expect(reconciling).toBe(true);
      endWindow();
      await Promise.all([
        expect(running).rejects.toThrow(
          'its requests did not end soon after the run',
        ),
        jest.advanceTimersByTimeAsync(REQUEST_GRACE_MS),
      ]);
    });
  });

  it('reports why its keys cannot be listed, until the next run has begun', async () => {
    const lists = [
      () => {
        throw new Error('no such cluster');
      },
    ];
    const { runner, passesEnd } = setUp({
      listKeys: () => lists.shift()?.() ?? [],
    });
    const stop = new AbortController();
    await expect(runner.run(stop.signal)).rejects.toThrow('no such cluster');
    expect(runner.status().lastError).toBe('no such cluster');
    const running = runner.run(stop.signal);
    await passesEnd(1);
    expect(runner.status().lastError).toBeUndefined();
    stop.abort();
    await running;
  });

  it('reports nothing when its preparation was stopped on purpose', async () => {
    const { runner } = setUp({ prepare: untilAborted });
    const stop = new AbortController();
    const running = runner.run(stop.signal);
    await turn();
    stop.abort();
    await running;
    expect(runner.status().lastError).toBeUndefined();
  });

  it('stops only once its writes under way have finished, and does not run after that', async () => {
    const done: string[] = [];
    let finish = () => {};
    const finished = new Promise<void>(resolve => {
      finish = resolve;
    });
    let cutOff: AbortSignal | undefined;
    const { runner, store } = setUp({
      reconcile: async (key, { signal }) => {
        cutOff = signal;
        await finished;
        done.push(key);
        return {};
      },
    });
    store.upsert(thing('a', 1));
    const running = runner.run(new AbortController().signal);
    await waitFor(() => cutOff !== undefined);
    let stopped = false;
    const stopping = runner.stop().then(() => {
      stopped = true;
    });
    await turn();
    expect(stopped).toBe(false);
    expect(cutOff?.aborted).toBe(false);
    finish();
    await Promise.all([stopping, running]);
    expect(done).toEqual(['a']);

    store.upsert(thing('b', 1));
    await runner.run(new AbortController().signal);
    expect(done).toEqual(['a']);
  });
});
