import { rm, writeFile } from 'node:fs/promises';
import type { TestBackend } from '@backstage/backend-test-utils';
import type { Fault } from 'hub-faults';
import { startFleetBackend } from '../../__testUtils__/fleetBackend';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import { fleetState, type FleetState } from './__testUtils__/fleetState';
import {
  furnish,
  hasWorks,
  isReported,
  meddle,
  muchHappens,
  patiently,
  reportAll,
  touchAll,
  workLabel,
  WORKS_AFTER,
  WORKS_BEFORE,
  WORKS_REMOVED,
} from './__testUtils__/scenario';

jest.setTimeout(300_000);

/** Something that is wrong with a hub. */
interface Disturbance {
  /** Whether it has hit at all, where that is left to chance: what goes wrong nowhere shows nothing. */
  readonly hasHit?: () => boolean;
  /** What goes wrong when much has just happened. */
  readonly afterwards?: () => Promise<void>;
  readonly end: () => Promise<void> | void;
}

type Disturb = (hub: FaultyHub) => Promise<Disturbance> | Disturbance;

/** Faults that begin with broken connections, so that lists and watches meet them too. */
function faulty(...faults: Fault[]): Disturb {
  return hub => {
    const handles = faults.map(fault => hub.faults.add(fault));
    hub.faults.dropConnections();
    return {
      hasHit: () => handles.every(({ hits }) => hits() > 0),
      end: () => hub.faults.clear(),
    };
  };
}

/** Watches that are open, and tell nothing. */
function silent(resource?: string): Disturb {
  return hub => {
    const match = resource ? { resource } : {};
    const { hits } = hub.faults.add({ type: 'watchSilence', match });
    return { hasHit: () => hits() > 0, end: () => hub.faults.clear() };
  };
}

/** What is refused is tried again after minutes, or when something changes. */
function revoked(
  verb: NonNullable<Fault['match']>['verb'],
  resource: string,
): Disturb {
  return async hub => ({
    ...(await faulty({ type: 'forbidden', match: { verb, resource } })(hub)),
    async end() {
      hub.faults.clear();
      await touchAll(hub);
    },
  });
}

/**
 * An API server that starts anew, after it was away for long enough that everything that reads it has tried more than once: what answers
 * then may be another history, and a watch that is taken up at once, where it was, does not notice.
 */
async function restartSlowly(
  hub: FaultyHub,
  state: Parameters<FaultyHub['restart']>[0],
) {
  const watched = new Set(
    hub
      .backendRequests()
      .flatMap(({ verb, resource = '' }) => (verb === 'watch' ? resource : [])),
  );
  const away = [...watched].map(resource =>
    hub.faults.add({ type: 'serverError', code: 503, match: { resource } }),
  );
  hub.faults.dropConnections();
  await patiently(() => away.every(({ hits }) => hits() > 1));
  await hub.restart(state);
  away.forEach(fault => fault.remove());
}

/** It starts anew at the moment at which there is most to do. */
function restarted(state: 'kept' | 'backedUp'): Disturb {
  return async hub => {
    // So that the backend is in the middle of it.
    const slow = hub.faults.add({ type: 'latency', milliseconds: 50 });
    await hub.backUp();
    return {
      hasHit: () => slow.hits() > 0,
      async afterwards() {
        await restartSlowly(hub, state);
        if (state === 'backedUp') {
          await muchHappens(hub);
        }
      },
      end: () => hub.faults.clear(),
    };
  };
}

const FAULTS: [string, [string, Disturb][]][] = [
  [
    'requests that fail',
    [
      ['a storm of 409', faulty({ type: 'conflict', probability: 0.7 })],
      [
        'a storm of 429 with Retry-After',
        faulty({ type: 'tooManyRequests', probability: 0.3 }),
      ],
      [
        'a storm of 500',
        faulty({ type: 'serverError', code: 500, probability: 0.5 }),
      ],
      [
        'a storm of 503',
        faulty({ type: 'serverError', code: 503, probability: 0.5 }),
      ],
      [
        'connections that break before a request arrives',
        faulty({ type: 'reset', probability: 0.5 }),
      ],
      [
        'writes that are done and never answered',
        faulty({
          type: 'reset',
          when: 'beforeResponse',
          match: { verb: ['create', 'patch', 'delete'] },
          probability: 0.7,
        }),
      ],
      [
        'connections that break during an answer',
        faulty({ type: 'reset', when: 'duringResponse', probability: 0.5 }),
      ],
      [
        'much of that at once',
        faulty(
          { type: 'latency', milliseconds: 5, jitterMilliseconds: 50 },
          { type: 'conflict', probability: 0.3 },
          { type: 'serverError', code: 503, probability: 0.2 },
          { type: 'reset', when: 'beforeResponse', probability: 0.2 },
          { type: 'watchExpired', probability: 0.3 },
          {
            type: 'watchSilence',
            match: { resource: 'placementdecisions' },
          },
        ),
      ],
    ],
  ],
  [
    'watches that tell nothing or too little',
    [
      ['silent watches', silent()],
      ['a silent watch of Applications', silent('applications')],
      ['a silent watch of works', silent('manifestworks')],
      ['a silent watch of decisions', silent('placementdecisions')],
      [
        'watches that begin with 410',
        faulty({ type: 'watchExpired', as: 'event', probability: 0.8 }),
      ],
      [
        'watches that are answered 410',
        faulty({ type: 'watchExpired', as: 'http', probability: 0.8 }),
      ],
    ],
  ],
  [
    'a hub that goes away',
    [
      ['an API server that restarts', restarted('kept')],
      ['an API server that is restored from a backup', restarted('backedUp')],
      [
        'an API server that loses everything and is filled again',
        async hub => {
          await restartSlowly(hub, 'lost');
          await furnish(hub);
          await hasWorks(hub, WORKS_BEFORE);
          await reportAll(hub, 'first');
          return { end: () => {} };
        },
      ],
      [
        'an API server that does not answer',
        async hub => {
          await hub.faults.down();
          return { end: () => hub.faults.up() };
        },
      ],
      [
        'a kubeconfig that is broken',
        async hub => {
          const good = hub.faults.kubeconfig();
          await writeFile(hub.kubeconfigPath, 'clusters: [');
          hub.faults.dropConnections();
          return { end: () => writeFile(hub.kubeconfigPath, good) };
        },
      ],
      [
        'a kubeconfig that is gone',
        async hub => {
          const good = hub.faults.kubeconfig();
          await rm(hub.kubeconfigPath);
          hub.faults.dropConnections();
          return { end: () => writeFile(hub.kubeconfigPath, good) };
        },
      ],
    ],
  ],
  [
    'a permission that is revoked',
    [
      ['works that may not be created', revoked('create', 'manifestworks')],
      ['works that may not be changed', revoked('patch', 'manifestworks')],
      ['works that may not be deleted', revoked('delete', 'manifestworks')],
      [
        'Applications that may not be changed',
        revoked('patch', 'applications'),
      ],
      [
        'Applications that may not be read',
        revoked(['list', 'watch'], 'applications'),
      ],
      [
        'Applications that may not be asked for',
        revoked('get', 'applications'),
      ],
      [
        'works that may not be read',
        revoked(['list', 'watch'], 'manifestworks'),
      ],
      [
        'decisions that may not be read',
        revoked(['list', 'watch'], 'placementdecisions'),
      ],
      [
        'clusters that may not be read',
        revoked(['list', 'watch'], 'managedclusters'),
      ],
    ],
  ],
];

/** Each has had the same when it is started. */
async function startHubs(count: number): Promise<FaultyHub[]> {
  const model = await startFaultyHub();
  await furnish(model);
  const snapshot = await model.backUp();
  const hubs: FaultyHub[] = [];
  while (hubs.length < count) {
    hubs.push(await startFaultyHub({ snapshot }));
  }
  await model.stop();
  return hubs;
}

function startBackend(hubs: readonly FaultyHub[]): Promise<TestBackend> {
  // Whatever happens is acted on because it happened, and not because a pass came by.
  const seldom = {
    fullPassEvery: '10m',
    runWindow: '10m',
    schedule: { frequency: { seconds: 1 }, timeout: { minutes: 11 } },
  };
  return startFleetBackend({
    argocdFleet: {
      hubs: hubs.map(({ kubeconfigPath }, index) => ({
        name: `hub-${index}`,
        kubeconfig: { path: kubeconfigPath },
      })),
      controllers: {
        // That Secrets can be read again is no event to it: it finds out with its next pass.
        clusterImport: { ...seldom, fullPassEvery: '2s' },
        propagation: seldom,
        applicationStatus: seldom,
        aggregation: seldom,
      },
    },
  });
}

/** Resolves once the hub's fleet is so, when its agents have compared with that revision. */
async function becomes(hub: FaultyHub, revision: string, expected: FleetState) {
  await patiently(async () => {
    await reportAll(hub, revision);
    expect(await fleetState(hub)).toEqual(expected);
    return true;
  });
}

/** Works that the same one is to be after all that happens. */
function isKept(label: string): boolean {
  return (
    WORKS_AFTER.includes(label) &&
    !WORKS_REMOVED.includes(label) &&
    // That one somebody deletes.
    label !== 'c4 alpha-c4'
  );
}

/** One backend, one healthy hub, and one hub for each thing that goes wrong: all at the same time. */
describe.each(FAULTS)(
  'in spite of %s, a fleet comes to what it would have come to, and another hub’s notices nothing:',
  (_group, faults) => {
    let backend: TestBackend;
    let healthy: FaultyHub;
    let others: FaultyHub[];
    let results: PromiseSettledResult<void>[];

    beforeAll(async () => {
      [healthy, ...others] = await startHubs(faults.length + 1);
      const hubs = [healthy, ...others];
      backend = await startBackend(hubs);
      for (const hub of hubs) {
        await hasWorks(hub, WORKS_BEFORE);
      }
      await isReported(healthy, 'first');
      const before = await fleetState(healthy);
      for (const hub of others) {
        await becomes(hub, 'first', before);
      }
      const disturbing = faults.map(async ([, disturb], index) =>
        disturb(others[index]),
      );
      await Promise.allSettled(disturbing);
      const undisturbed = comesToItsEnd();
      results = await Promise.allSettled(
        disturbing.map(async (disturbance, index) =>
          run(others[index], await disturbance, undisturbed),
        ),
      );
    });

    afterAll(async () => {
      await backend?.stop();
      await Promise.all([healthy, ...others].map(hub => hub.stop()));
    });

    /** While all others are disturbed, the healthy hub's fleet comes to where it should be. */
    async function comesToItsEnd(): Promise<FleetState> {
      await muchHappens(healthy);
      await meddle(healthy);
      await hasWorks(healthy, WORKS_AFTER);
      await isReported(healthy, 'second');
      return fleetState(healthy);
    }

    async function run(
      hub: FaultyHub,
      { hasHit = () => true, afterwards, end }: Disturbance,
      undisturbed: Promise<FleetState>,
    ) {
      expect(hub.deletedWorks()).toEqual([]);
      const before = await hub.works();
      await muchHappens(hub);
      await meddle(hub);
      await afterwards?.();
      await patiently(hasHit);
      const expected = await undisturbed;
      await end();

      await hasWorks(hub, WORKS_AFTER);
      await becomes(hub, 'second', expected);
      expect(hub.deletedWorks()).toEqual(WORKS_REMOVED);
      const uids = (await hub.works()).map(({ metadata }) => metadata.uid);
      const kept = before.filter(work => isKept(workLabel(work)));
      expect(kept).toHaveLength(6);
      for (const { metadata } of kept) {
        expect(uids).toContain(metadata.uid);
      }
    }

    it.each(faults.map(([name], index) => [name, index] as const))(
      '%s',
      (_, index) => {
        const result = results[index];
        if (result.status === 'rejected') {
          throw result.reason;
        }
        expect(result.status).toBe('fulfilled');
      },
    );
  },
);
