import {
  PULL_LABEL,
  type ArgoApplication,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { useFakeClock } from '../../__testUtils__/fakeClock';
import { mockLogger } from '../../__testUtils__/mockLogger';
import {
  managedCluster,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import { createMemoryRemovalStore } from '../../database/removalStore';
import type { FleetCache } from '../../fleet';
import type { KubernetesClient } from '../../kubernetes/client';
import { buildManifestWork } from '../../model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../../model/manifestwork/workPlan';
import type { RemovalTimes } from '../../model/removal';
import type { ReconcileContext } from '../../runtime';
import { createWorkRemovals } from './workRemovals';

const FREEZE_MS = 60_000;
const BATCH_MS = 1_000;

function removalsOf(cache: FleetCache, times: Partial<RemovalTimes>) {
  const client = { get: async () => ({ metadata: { uid: 'hub' } }) };
  return createWorkRemovals({
    cache,
    client: client as unknown as KubernetesClient,
    store: createMemoryRemovalStore(),
    logger: mockLogger(),
    times,
  });
}

function workOf(application: ArgoApplication, cluster: string): ManifestWork {
  const built = buildManifestWork(
    application,
    { cluster, name: 'work' },
    DEFAULT_PROPAGATION,
  );
  return { ...built, metadata: { ...built.metadata, uid: cluster } };
}

describe('the time for which a work has not delivered', () => {
  const run = new AbortController();

  afterAll(() => {
    run.abort();
    jest.restoreAllMocks();
  });

  it('begins anew after it delivered, though another replica ran then', async () => {
    let now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const cache = emptyCache();
    const removals = removalsOf(cache, { freezeMs: FREEZE_MS });
    const work = workOf(pullApplication('shop', 'one', { uid: 'app' }), 'one');
    cache.applyWriteResult('works', work);

    let versions = 0;
    function label(value: string): ArgoApplication {
      versions += 1;
      const application = pullApplication('shop', 'one', {
        uid: 'app',
        resourceVersion: String(versions),
        labels: { [PULL_LABEL]: value },
      });
      cache.applyWriteResult('applications', application);
      return application;
    }
    /** Milliseconds until it is frozen. */
    async function timeLeft(application: ArgoApplication) {
      const context = { writer: {}, signal: run.signal } as ReconcileContext;
      const outcome = await removals.handle(work, application, work, context);
      return outcome.requeueAfterMs;
    }

    expect(await timeLeft(label('no'))).toBe(FREEZE_MS);
    now += 50_000;
    expect(await timeLeft(label('no'))).toBe(10_000);
    label('true');
    now += 5_000;
    expect(await timeLeft(label('no'))).toBe(FREEZE_MS);
  });
});

describe('works whose Applications are all gone', () => {
  const run = new AbortController();
  useFakeClock();

  afterAll(() => run.abort());

  it('are held together, though a batch’s time passes before the next is come to', async () => {
    const cache = emptyCache();
    const removals = removalsOf(cache, { batchMs: BATCH_MS });
    const set = pullApplicationSet('shop');
    const works = ['one', 'two', 'three'].map(cluster => {
      cache.applyWriteResult('clusters', managedCluster(cluster));
      return workOf(
        pullApplication(`shop-${cluster}`, cluster, ownedBy(set)),
        cluster,
      );
    });
    works.forEach(work => cache.applyWriteResult('works', work));
    await removals.prepare(run.signal);
    const context = {
      writer: { isWithheld: false },
      signal: run.signal,
    } as ReconcileContext;
    for (const work of works) {
      const handled = removals.handle(work, undefined, undefined, context);
      await jest.advanceTimersByTimeAsync(3 * BATCH_MS);
      await handled;
    }
    expect(removals.brake.held()).toHaveLength(3);
  });
});
