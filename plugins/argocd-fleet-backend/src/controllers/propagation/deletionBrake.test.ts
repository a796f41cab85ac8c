import { useFakeClock } from '../../__testUtils__/fakeClock';
import { mockLogger } from '../../__testUtils__/mockLogger';
import { createMemoryRemovalStore } from '../../database/removalStore';
import { WINDOW_MS, type WorksLeft } from '../../model/removal';
import { createDeletionBrake } from './deletionBrake';

const HUB = 'hub';
const SET = 'argocd/shop';
const BATCH_MS = 15_000;

/** All works of the set are wanted gone; those of others stay. */
const LEFT: WorksLeft = {
  has: () => false,
  ofSet: () => 0,
  ofHub: 100,
  peakOfHub: 100,
  hadSeen: () => true,
};

function work(name: string) {
  return {
    uid: name,
    work: `${name}/shop`,
    application: `argocd/shop-${name}`,
    applicationSet: SET,
  };
}

describe('the brake', () => {
  let isBehind = false;
  let mayFollow = false;
  useFakeClock();

  beforeEach(() => {
    isBehind = false;
    mayFollow = false;
  });

  function setUp() {
    const store = createMemoryRemovalStore();
    const replicas: AbortController[] = [];
    return {
      store,
      /** Begins a run of another replica, or of the same one after a restart; the last one ends. */
      async takeOver(logger = mockLogger()) {
        replicas.at(-1)?.abort();
        const run = new AbortController();
        replicas.push(run);
        const brake = createDeletionBrake({
          hub: HUB,
          store,
          worksLeft: LEFT,
          isBehind: () => isBehind,
          mayFollow: set => mayFollow && set === SET,
          logger,
          batchMs: BATCH_MS,
        });
        await brake.load(() => true, run.signal);
        return brake;
      },
      async states() {
        const wishes = await store.wishes(HUB);
        return wishes.map(({ uid, state }) => `${uid} ${state}`);
      },
    };
  }

  /** What is wanted is stored in a turn of the event loop. */
  async function want(
    brake: Awaited<ReturnType<ReturnType<typeof setUp>['takeOver']>>,
    ...names: string[]
  ) {
    const wanted = Promise.all(names.map(name => brake.want(work(name))));
    await jest.advanceTimersByTimeAsync(1);
    await wanted;
  }

  it.each([
    ['long after', 3_600_000],
    ['soon after', 2_000],
  ])(
    'holds a batch whole that one replica began and another one completes %s the first has ended',
    async (_, idleMs) => {
      const { takeOver, states } = setUp();
      await want(await takeOver(), 'one');
      await jest.advanceTimersByTimeAsync(1_000);
      const second = await takeOver();
      jest.setSystemTime(Date.now() + idleMs);
      await jest.advanceTimersByTimeAsync(BATCH_MS / 2);
      // It takes some time until its first full pass has come to them.
      await want(second, 'two', 'three');
      await jest.advanceTimersByTimeAsync(2 * BATCH_MS);
      expect(await states()).toEqual(['one held', 'two held', 'three held']);
    },
  );

  it.each<[string, (waits: boolean) => void]>([
    ['behind many writes', waits => (isBehind = waits)],
    ['from a slow ApplicationSet controller', waits => (mayFollow = waits)],
  ])('holds a batch whole whose rest comes late: %s', async (_, setWaiting) => {
    const { takeOver, states } = setUp();
    const brake = await takeOver();
    setWaiting(true);
    await want(brake, 'one', 'two');
    await jest.advanceTimersByTimeAsync(4 * BATCH_MS);
    expect(await states()).toEqual(['one pending', 'two pending']);
    await want(brake, 'three');
    setWaiting(false);
    await jest.advanceTimersByTimeAsync(2 * BATCH_MS);
    expect(await states()).toEqual(['one held', 'two held', 'three held']);
  });

  it('holds a batch whole whose rest the database takes long to store', async () => {
    const { takeOver, states, store } = setUp();
    const brake = await takeOver();
    await want(brake, 'one', 'two');
    const { saveWishes } = store;
    jest.spyOn(store, 'saveWishes').mockImplementationOnce(async (...args) => {
      await new Promise(resolve => setTimeout(resolve, 2 * BATCH_MS));
      await saveWishes(...args);
    });
    const third = brake.want(work('three'));
    await jest.advanceTimersByTimeAsync(4 * BATCH_MS);
    await third;
    expect(await states()).toEqual(['one held', 'two held', 'three held']);
  });

  it('does not wait for ever for more: a cluster’s agent may make works again and again', async () => {
    const { takeOver, states } = setUp();
    isBehind = true;
    await want(await takeOver(), 'one', 'two');
    await jest.advanceTimersByTimeAsync(WINDOW_MS + BATCH_MS);
    expect(await states()).toEqual(['one allowed', 'two allowed']);
  });

  it('lets a part of a set go after the time of a batch', async () => {
    const { takeOver, states } = setUp();
    const brake = await takeOver();
    await want(brake, 'one', 'two');
    await jest.advanceTimersByTimeAsync(BATCH_MS - 1_000);
    expect(await states()).toEqual(['one pending', 'two pending']);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await states()).toEqual(['one allowed', 'two allowed']);
  });

  it('decides once the database answers again, and warns rarely until then', async () => {
    const { takeOver, states, store } = setUp();
    const logger = mockLogger();
    const brake = await takeOver(logger);
    await want(brake, 'one', 'two', 'three');
    const failing = jest
      .spyOn(store, 'saveWishes')
      .mockRejectedValue(new Error('no connection'));
    await jest.advanceTimersByTimeAsync(BATCH_MS + 170_000);
    expect(logger.warn).toHaveBeenCalledTimes(3);
    expect(logger.warn.mock.calls[0][0]).toMatch(/no connection/);
    failing.mockRestore();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await states()).toEqual(['one held', 'two held', 'three held']);
  });
});
