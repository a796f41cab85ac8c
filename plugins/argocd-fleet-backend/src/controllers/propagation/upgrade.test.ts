import type {
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applySeededPlacement,
  emptyCache,
} from '../../__testUtils__/emptyCache';
import { mockLogger } from '../../__testUtils__/mockLogger';
import {
  decisionFor,
  managedCluster,
  NAMESPACE,
  pullApplication,
} from '../../__testUtils__/objects';
import { createMemoryRemovalStore } from '../../database/removalStore';
import { createCompetingController } from '../../fleet/competingController';
import { createFleetReader } from '../../fleet/fleetReader';
import type { KubernetesClient } from '../../kubernetes/client/client';
import { applicationManifest } from '../../model/delivery/workManifests';
import { DEFAULT_PROPAGATION } from '../../model/manifestwork/workPlan';
import type { ReconcileContext } from '../../runtime/controller';
import type { HubWriter } from '../../runtime/hubWriter';
import { REWRITES_PER_SECOND } from './expressionRewrites';
import { createPropagation } from './propagation';
import { createWorkRemovals } from './workRemovals';

const WORKS = 1_000;
const OLDER = '"the expression of an older version"';
const MANAGED = ['one', 'two'];

/** Propagation over a cache with 1,000 Applications; the hub stores each write at once. */
function createWorld() {
  const cache = emptyCache();
  let versions = 0;
  const stored = <T extends KubernetesObject>(object: T): T => ({
    ...object,
    metadata: {
      uid: `uid-${object.metadata.name}`,
      ...object.metadata,
      resourceVersion: String((versions += 1)),
    },
  });
  for (const name of MANAGED) {
    cache.applyWriteResult('clusters', stored(managedCluster(name)));
  }
  applySeededPlacement(cache);
  cache.applyWriteResult('decisions', stored(decisionFor(MANAGED)));
  const keys = Array.from({ length: WORKS }, (_, index) => {
    const app = stored(pullApplication(`app-${index}`, MANAGED[index % 2]));
    cache.applyWriteResult('applications', app);
    return `${NAMESPACE}/${app.metadata.name}`;
  });

  let expression = OLDER;
  let options = { ...DEFAULT_PROPAGATION, digestExpression: expression };
  const controller = createPropagation({
    cache,
    reader: createFleetReader({ cache, propagation: () => options }),
    fields: {
      options: () => options,
      refresh: async () => {},
      compareStored: () => {},
      findings: () => [],
    },
    competitor: createCompetingController({
      cache,
      rhacmNamespace: 'open-cluster-management',
    }),
    removals: createWorkRemovals({
      cache,
      client: {} as KubernetesClient,
      store: createMemoryRemovalStore(),
      logger: mockLogger(),
    }),
  });
  const written: string[] = [];
  let isWithheld = false;
  const context = {
    writer: {
      get isWithheld() {
        return isWithheld;
      },
      async create(_: 'works', work: ManifestWork) {
        cache.applyWriteResult('works', stored(work));
      },
      async patch(
        _: 'works',
        existing: ManifestWork,
        { spec }: Partial<ManifestWork>,
      ) {
        written.push(applicationManifest(existing)!.metadata.name);
        if (!isWithheld) {
          // No other part changes in these tests.
          const patched = { ...existing, spec: { ...existing.spec, ...spec } };
          cache.applyWriteResult('works', stored(patched));
        }
      },
    } as unknown as HubWriter,
    signal: new AbortController().signal,
    logger: mockLogger(),
    isUnchanged: () => false,
  } satisfies ReconcileContext;
  const reconcile = async (some: Iterable<string>) => {
    for (const key of some) {
      await controller.reconcile(key, context);
    }
  };
  return {
    cache,
    keys,
    written,
    controller,
    reconcile,
    setExpression(text: string) {
      expression = text;
      options = { ...options, digestExpression: expression };
    },
    withhold(value: boolean) {
      isWithheld = value;
    },
    /** Passes the turns on to the reconciler, as a run does, until the returned function is called. */
    beginRun: () =>
      controller.watches.onOutsideEvent!(due => void reconcile(due)),
    expressions: () =>
      new Set(
        [...cache.works.list()].map(
          ({ spec }) =>
            spec.manifestConfigs?.[0].conditionRules?.[0].messageExpression,
        ),
      ),
  };
}

describe('after an upgrade with another expression', () => {
  let world: ReturnType<typeof createWorld>;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    world = createWorld();
    await world.reconcile(world.keys);
    world.setExpression('"the new expression"');
  });
  afterEach(() => jest.useRealTimers());

  it('1,000 works are written one after another within 50 seconds, over several runs', async () => {
    const { keys, written, reconcile, beginRun, expressions } = world;
    expect(expressions()).toEqual(new Set([OLDER]));
    let endRun = beginRun();
    await reconcile(keys);
    expect(written).toEqual([]);

    for (let second = 1; second <= 50; second += 1) {
      await jest.advanceTimersByTimeAsync(1_000);
      expect(written).toHaveLength(second * REWRITES_PER_SECOND);
      if (second % 20 === 0) {
        endRun();
        await jest.advanceTimersByTimeAsync(10_000);
        endRun = beginRun();
        await reconcile(keys);
      }
    }
    expect(new Set(written).size).toBe(WORKS);
    expect(expressions()).toEqual(new Set(['"the new expression"']));

    await reconcile(keys);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(written).toHaveLength(WORKS);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('passes skip a work that waits, and reconcile it once its turn has come, even if no run heard of it', async () => {
    const { keys, controller, reconcile, beginRun } = world;
    const [key] = keys;
    const before = controller.dependencies!(key);
    await reconcile(keys);
    expect(controller.dependencies!(key)).toEqual(before);

    const endRun = controller.watches.onOutsideEvent!(() => {});
    await jest.advanceTimersByTimeAsync(1_000);
    endRun();
    expect(controller.dependencies!(key)).not.toEqual(before);

    beginRun();
    await reconcile([key]);
    expect(world.written).toEqual(['app-0']);
  });

  it('a work whose Application changed takes the new expression along at once, and a new work does not wait', async () => {
    const { cache, keys, written, reconcile, beginRun, expressions } = world;
    beginRun();
    await reconcile(keys);
    const changed = cache.applications.get(keys[999])!;
    cache.applyWriteResult('applications', {
      ...changed,
      metadata: { ...changed.metadata, resourceVersion: '999999' },
      spec: { ...changed.spec, project: 'other' },
    });
    await reconcile([keys[999]]);
    expect(written).toEqual(['app-999']);

    const added = pullApplication('added', 'one', {
      uid: 'added',
      resourceVersion: '1000000',
    });
    cache.applyWriteResult('applications', added);
    await reconcile([`${NAMESPACE}/added`]);
    expect(cache.works.by('hubApplication', `${NAMESPACE}/added`).length).toBe(
      1,
    );

    await jest.advanceTimersByTimeAsync(50_000);
    // The work that was written meanwhile gave up its place.
    expect(written).toHaveLength(WORKS);
    expect(expressions()).toEqual(new Set(['"the new expression"']));
  });

  it('`observe` mode lists all works at once', async () => {
    world.withhold(true);
    await world.reconcile(world.keys);
    expect(world.written).toHaveLength(WORKS);
    expect(jest.getTimerCount()).toBe(0);
  });
});
