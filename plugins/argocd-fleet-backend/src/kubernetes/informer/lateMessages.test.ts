import { setImmediate } from 'node:timers/promises';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import { mockLogger } from '../../__testUtils__/mockLogger';
import { SEED } from '../../__testUtils__/randomCases';
import { KubernetesError } from '../client';
import {
  createModelledServer,
  NAMED,
  type WriteAnswer,
} from './__testUtils__/modelledServer';
import { createInformerCache } from './informerCache';
import { versionOf } from './objectVersion';

// Waits between attempts end at once.
jest.mock('node:timers/promises', () => ({
  ...jest.requireActual('node:timers/promises'),
  setTimeout: jest.fn(async () => {}),
}));

type Types = {
  readonly things: {
    readonly object: KubernetesObject;
    readonly stored: KubernetesObject;
    readonly index: never;
  };
};

const WATCHED = ['cluster', 'namespace'] as const;

const KEY = `${NAMED.namespace}/${NAMED.name}`;

const THINGS = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

/** Gives whatever was sent the time to arrive. */
async function arrive() {
  for (let turn = 0; turn < 4; turn += 1) {
    await setImmediate();
  }
}

/** A cache of the modelled server, watched in the whole cluster or in one namespace. */
function setUp(watched: (typeof WATCHED)[number]) {
  const server = createModelledServer();
  const { client } = server;
  const things = {
    client,
    server: 'the modelled server',
    resources: { things: THINGS },
    indexes: { things: {} },
    transforms: {},
    transform: <T>(object: T) => object,
    optional: new Set<'things'>(),
    logger: mockLogger(),
  };
  const onDemand = createInformerCache<Types, 'things'>({
    ...things,
    namespaced: { things: {} },
  });
  const cache =
    watched === 'cluster'
      ? createInformerCache<Types, never>({ ...things, namespaced: {} })
      : onDemand;
  if (watched === 'namespace') {
    onDemand.watchNamespaces('things', new Set([NAMED.namespace]));
  }

  /** What a change of the cache went back on. */
  const wentBack: string[] = [];
  let highest = 0;
  const gone = new Set<string | undefined>();
  cache.onChange(({ key, before, after }) => {
    if (key !== KEY) {
      return;
    }
    if (before && before.metadata.uid !== after?.metadata.uid) {
      gone.add(before.metadata.uid);
    }
    if (after && (versionOf(after) < highest || gone.has(after.metadata.uid))) {
      const { uid, resourceVersion } = after.metadata;
      wentBack.push(`${uid} at ${resourceVersion} after ${highest}`);
    }
    highest = Math.max(highest, after ? versionOf(after) : 0);
  });

  const stop = new AbortController();
  cache.run(stop.signal);

  /** Answers to our writes that have not arrived yet. */
  const answers: (() => void)[] = [];
  function answerLater(
    answer: WriteAnswer | undefined,
    existing?: KubernetesObject,
  ) {
    if (answer && 'written' in answer) {
      answers.push(() => cache.applyWriteResult('things', answer.written));
    } else if (answer && existing) {
      answers.push(() => cache.applyDeletion('things', existing));
    }
  }

  const cached = () => cache.things.get(KEY);

  return {
    server,
    cache,
    cached,
    wentBack,
    stop,
    create: () => answerLater(server.create()),
    patch: (change: Parameters<typeof server.patch>[0]) =>
      cached() && answerLater(server.patch(change, cached())),
    delete: () => cached() && answerLater(server.delete(cached()), cached()),
    receiveAnswer: (index: number) =>
      answers.splice(index % Math.max(1, answers.length), 1)[0]?.(),
    get isDelivered() {
      return answers.length === 0 && server.isDelivered;
    },
  };
}

type World = ReturnType<typeof setUp>;

const EXPIRED = () => new KubernetesError('gone', 'expired');
const BROKEN = () => new KubernetesError('unavailable', 'broken');

/** What may happen, and how often; `index` chooses among the answers to our writes. */
const STEPS = {
  weCreate: [4, world => world.create()],
  wePatch: [2, world => world.patch('labels')],
  weAddFinalizer: [1, world => world.patch('addFinalizer')],
  weRemoveFinalizer: [2, world => world.patch('removeFinalizer')],
  weDelete: [4, world => world.delete()],
  othersCreate: [2, ({ server }) => server.create()],
  othersPatch: [2, ({ server }) => server.patch('labels')],
  othersAddFinalizer: [1, ({ server }) => server.patch('addFinalizer')],
  othersRemoveFinalizer: [1, ({ server }) => server.patch('removeFinalizer')],
  othersDelete: [2, ({ server }) => server.delete()],
  anotherChanges: [1, ({ server }) => server.changeAnother()],
  answerArrives: [8, (world, index) => world.receiveAnswer(index)],
  snapshotIsTaken: [2, ({ server }) => server.takeSnapshot()],
  pageArrives: [5, ({ server }) => server.sendPage()],
  pagesArrive: [
    1,
    async ({ server }) => {
      server.sendPage();
      await arrive();
      server.sendPage();
    },
  ],
  eventArrives: [8, ({ server }) => server.sendEvent()],
  watchExpires: [2, ({ server }) => server.end(EXPIRED())],
  connectionBreaks: [1, ({ server }) => server.end(BROKEN())],
  watchEnds: [1, ({ server }) => server.end()],
  timePasses: [2, () => arrive()],
} satisfies Readonly<
  Record<string, readonly [number, (world: World, index: number) => unknown]>
>;

type Step = keyof typeof STEPS;

async function take(world: World, step: Step, index: number) {
  const [, happen] = STEPS[step];
  await happen(world, index);
  await setImmediate();
}

const STEP = fc.record({
  what: fc.oneof(
    ...Object.entries(STEPS).map(([name, [weight]]) => ({
      weight,
      arbitrary: fc.constant(name as Step),
    })),
  ),
  index: fc.nat(3),
});

/** Delivers all there is to deliver, in turn. */
async function deliverAll(world: World) {
  for (let round = 0; round < 200 && !world.isDelivered; round += 1) {
    world.receiveAnswer(round);
    world.server.sendPage();
    world.server.sendEvent();
    await arrive();
  }
  await arrive();
}

describe('late events and answers to writes', () => {
  // A number is the answer that arrives: its place among those that have not arrived yet.
  const cases: readonly [string, readonly (Step | number)[]][] = [
    [
      'DELETED of the predecessor after the answer to our create',
      ['othersDelete', 'weCreate', 0, 'eventArrives'],
    ],
    [
      'the answer to our next write after DELETED of the predecessor',
      ['othersDelete', 'weCreate', 0, 'eventArrives', 'wePatch', 0],
    ],
    [
      'MODIFIED of the predecessor after the answer to our create',
      ['othersPatch', 'othersDelete', 'weCreate', 0, 'eventArrives'],
    ],
    [
      'the answer to a write of the predecessor after that to our create',
      ['wePatch', 'othersDelete', 'weCreate', 1, 0],
    ],
    [
      'the answer to our delete of the predecessor after that to our create',
      ['weDelete', 'weCreate', 1, 0, 'eventArrives'],
    ],
    [
      'the answer to a delete that waited for a finalizer',
      [
        ...(['othersAddFinalizer', 'eventArrives', 'weDelete'] as const),
        ...(['othersRemoveFinalizer', 'weCreate', 1, 0] as const),
        ...(['eventArrives', 'eventArrives'] as const),
      ],
    ],
    [
      'MODIFIED after our delete',
      ['othersPatch', 'weDelete', 0, 'eventArrives'],
    ],
    [
      'the answer to a write after that to our delete',
      ['wePatch', 'weDelete', 1, 0],
    ],
    [
      'a list from before our delete',
      ['watchExpires', 'snapshotIsTaken', 'weDelete', 0, 'pagesArrive'],
    ],
    [
      'a list from before our delete and create',
      [
        ...(['watchExpires', 'snapshotIsTaken', 'weDelete', 0] as const),
        ...(['weCreate', 0, 'pagesArrive'] as const),
      ],
    ],
    [
      'a list from before others deleted it and we created it, and DELETED',
      [
        ...(['watchExpires', 'snapshotIsTaken', 'othersDelete'] as const),
        ...(['weCreate', 0, 'pagesArrive', 'eventArrives'] as const),
      ],
    ],
    [
      'the answer to our create after a list from after its deletion',
      [
        ...(['othersDelete', 'weCreate', 'othersDelete'] as const),
        ...(['watchExpires', 'pagesArrive', 0] as const),
      ],
    ],
  ];
  it.each(
    WATCHED.flatMap(watched =>
      cases.map(([name, steps]) => [name, watched, steps] as const),
    ),
  )('%s leaves the cache of a %s as it is', async (_, watched, steps) => {
    const world = setUp(watched);
    await deliverAll(world);
    world.server.create();
    await deliverAll(world);
    for (const step of steps) {
      if (typeof step === 'number') {
        world.receiveAnswer(step);
      } else {
        await take(world, step, 0);
      }
      await arrive();
    }
    world.stop.abort();
    expect(world.wentBack).toEqual([]);
    expect(world.cached()?.metadata).toEqual(world.server.current?.metadata);
  });

  it('show no earlier state of a name than the cache has shown, and the cache equals the server in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...WATCHED),
        fc.array(STEP, { maxLength: 40, size: 'max' }),
        async (watched, steps) => {
          const world = setUp(watched);
          // The first list.
          await deliverAll(world);
          for (const { what, index } of steps) {
            await take(world, what, index);
          }
          await deliverAll(world);
          world.stop.abort();
          expect(world.isDelivered).toBe(true);
          expect(world.wentBack).toEqual([]);
          expect(world.cached()?.metadata).toEqual(
            world.server.current?.metadata,
          );
        },
      ),
      { seed: SEED, numRuns: 10_000 },
    );
  });
});
