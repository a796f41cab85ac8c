import {
  PULL_LABEL,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { mockLogger } from '../../__testUtils__/mockLogger';
import { pullApplication } from '../../__testUtils__/objects';
import { createMemoryRemovalStore } from '../../database/removalStore';
import type { KubernetesClient } from '../../kubernetes/client';
import { buildManifestWork } from '../../model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../../model/manifestwork/workPlan';
import type { ReconcileContext } from '../../runtime';
import { createWorkRemovals } from './workRemovals';

const FREEZE_MS = 60_000;

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
    const client = { get: async () => ({ metadata: { uid: 'hub' } }) };
    const removals = createWorkRemovals({
      cache,
      client: client as unknown as KubernetesClient,
      store: createMemoryRemovalStore(),
      logger: mockLogger(),
      times: { freezeMs: FREEZE_MS },
    });
    const built = buildManifestWork(
      pullApplication('shop', 'one', { uid: 'app' }),
      { cluster: 'one', name: 'work' },
      DEFAULT_PROPAGATION,
    );
    const work = { ...built, metadata: { ...built.metadata, uid: 'work' } };
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
