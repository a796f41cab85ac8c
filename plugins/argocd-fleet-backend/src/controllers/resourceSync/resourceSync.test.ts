import type {
  ArgoApplication,
  ClusterApplication,
} from 'backstage-plugin-argocd-fleet-common';
import type { ResourceSource } from 'backstage-plugin-argocd-fleet-node';
import { type SimulatedFleet } from 'simulated-fleet';
import {
  EXAMPLE_SET,
  startExampleFleet,
} from '../../__testUtils__/exampleFleet';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  MIGRATIONS,
  openSqlite,
  type TestDatabase,
} from '../../database/__testUtils__/testDatabase';
import {
  fleetDatabaseOn,
  type FleetDatabase,
} from '../../database/fleetDatabase';
import { readFeedback } from '../../model/feedback/feedback';
import {
  composedHub,
  runForever,
} from '../../systemTests/convergence/__testUtils__/composedHub';

const { namespace: NAMESPACE } = EXAMPLE_SET;
const PULLED = 'pcluster1-guestbook-app';
const PUSHED = 'payments-pcluster2';
const AGENTS = 'from-an-agent';

/** An Application managed by argocd-agent, on a cluster of its own. */
const agentsApplication = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: AGENTS, namespace: NAMESPACE },
  spec: {
    project: 'default',
    source: { repoURL: 'https://git.example.com/app.git', path: '.' },
    destination: {
      server: 'https://argocd-agent-resource-proxy:9090?agentName=edge',
      namespace: 'app',
    },
  },
};

describe('resource sync', () => {
  let testHub: TestHub;
  let fleet: SimulatedFleet;
  let opened: TestDatabase;
  let database: FleetDatabase;
  const started: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    testHub = await startTestHub();
    fleet = await startExampleFleet(testHub, 40);
    await testHub.admin.create('applications', agentsApplication);
    await setHubHealth(AGENTS, 'Healthy');
    // Everything comes to its clusters, and to rest there.
    const { cache, stop } = start({ propagation: {} });
    await waitFor(() => {
      const [work] = cache.works.by('hubApplication', `${NAMESPACE}/${PULLED}`);
      const { health, phase } = readFeedback(work);
      const pushed = cache.applications.get(`${NAMESPACE}/${PUSHED}`);
      return (
        health === 'Healthy' &&
        phase === 'Succeeded' &&
        pushed?.status?.health?.status === 'Healthy'
      );
    });
    await stop();
  });

  beforeEach(async () => {
    opened = openSqlite();
    await opened.knex.migrate.latest(MIGRATIONS);
    database = fleetDatabaseOn(opened.knex);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(started.splice(0).map(({ stop }) => stop()));
    await opened.close();
  });

  afterAll(async () => {
    await fleet.stop();
    await testHub.stop();
  });

  /** Runs what a backend runs, with these controllers only. */
  function start(
    controllers: Record<string, object>,
    records?: FleetDatabase['records'],
  ) {
    const hub = composedHub(testHub.kubeconfigPath, controllers, {
      records,
    });
    const stop = new AbortController();
    const running = [
      hub.cache.run(stop.signal),
      ...hub.runners
        .filter(({ controller }) => controllers[controller])
        .map(runner => runForever(runner, stop.signal)),
    ];
    const under = {
      ...hub,
      runner: hub.runners.find(({ controller }) => controllers[controller])!,
      async stop() {
        stop.abort();
        await Promise.all(running);
        await hub.client.close();
      },
    };
    started.push(under);
    return under;
  }

  const record = (records: FleetDatabase['records'] = database.records) =>
    start(
      { resourceSync: { fullPassEvery: '50ms', runWindow: '50s' } },
      records,
    );

  /** On the managed cluster, as its own Argo CD does it. */
  function setHealthOnCluster(status: string) {
    const { store } = fleet.clusters.get('pcluster1')!;
    const application = store
      .list('argoproj.io', 'applications')
      .find(({ metadata }) => metadata.name === PULLED)! as ArgoApplication;
    const health = { status, lastTransitionTime: new Date().toISOString() };
    store.put({
      ...application,
      status: { ...application.status, health },
    } as Parameters<typeof store.put>[0]);
  }

  /** On the hub, as the hub's Argo CD and the principal of argocd-agent do it. */
  function setHubHealth(name: string, health: string, more: object = {}) {
    return testHub.admin.patch(
      'applications',
      { namespace: NAMESPACE, name },
      {
        status: {
          health: { status: health },
          sync: { status: 'Synced' },
          ...more,
        },
      },
    );
  }

  async function timeline(name: string) {
    const { items } = await database.timelines.transitions(
      { kind: 'application', ref: { hub: 'hub', namespace: NAMESPACE, name } },
      { limit: 1000 },
    );
    return items;
  }

  /** Resolves once two passes were made that both began after this. */
  async function twoPasses({ runner }: ReturnType<typeof record>) {
    let passes = new Set<string>();
    const begun = new Date().toISOString();
    await waitFor(() => {
      const { lastPassAt = '' } = runner.status();
      passes = lastPassAt > begun ? passes.add(lastPassAt) : passes;
      return passes.size >= 2;
    });
  }

  it.each([
    [
      'in a ManifestWork',
      PULLED,
      async (health: string) => setHealthOnCluster(health),
    ],
    [
      'pushed by the hub',
      PUSHED,
      (health: string) => setHubHealth(PUSHED, health),
    ],
    [
      'by argocd-agent',
      AGENTS,
      (health: string) => setHubHealth(AGENTS, health),
    ],
  ])(
    'has one transition for each change of an Application that is delivered %s',
    async (_, name, turn) => {
      const sync = record();
      await waitFor(async () => (await timeline(name)).length === 1);
      await turn('Degraded');
      await waitFor(async () => (await timeline(name)).length === 2);
      await turn('Healthy');
      await waitFor(async () => (await timeline(name)).length === 3);
      await twoPasses(sync);
      await sync.stop();
      const again = record();
      await twoPasses(again);
      await again.stop();
      expect(
        (await timeline(name)).map(({ sequence, health }) => [
          sequence,
          health,
        ]),
      ).toEqual([
        [3, 'Healthy'],
        [2, 'Degraded'],
        [1, 'Healthy'],
      ]);
    },
  );

  it('has no transition at a time that was reported for the state before it', async () => {
    const reconciled = (hoursAgo: number) => ({
      reconciledAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
    });
    await setHubHealth(AGENTS, 'Healthy', reconciled(24));
    const sync = record();
    await waitFor(async () => (await timeline(AGENTS)).length === 1);
    // Argo CD reconciles it again without a change; later its health changes because of a resource's event.
    const unchanged = reconciled(2);
    await setHubHealth(AGENTS, 'Healthy', unchanged);
    const key = `${NAMESPACE}/${AGENTS}`;
    await waitFor(
      () =>
        sync.cache.applications.get(key)?.status?.reconciledAt ===
        unchanged.reconciledAt,
    );
    await twoPasses(sync);
    await setHubHealth(AGENTS, 'Degraded');
    await waitFor(async () => (await timeline(AGENTS)).length === 2);
    const [{ at, recordedAt }] = await timeline(AGENTS);
    expect(at).toBe(recordedAt);
    await setHubHealth(AGENTS, 'Healthy', { reconciledAt: null });
  });

  it('ends the history of an Application that flapped with the state that holds', async () => {
    const begun = Date.now();
    // It stands still, so that no minute ends in between.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(begun + 3_600_000);
    const sync = record();
    await waitFor(async () => (await timeline(AGENTS)).length === 1);
    const current = async () => {
      const [row] = await opened
        .knex('fleet_applications')
        .where({ name: AGENTS });
      return row;
    };
    const changes = 25;
    for (let change = 1; change <= changes; change += 1) {
      const health = change % 2 === 0 ? 'Suspended' : 'Missing';
      await setHubHealth(AGENTS, health);
      await waitFor(async () => (await current()).health === health);
    }
    expect(await timeline(AGENTS)).toHaveLength(20);
    expect(await current()).toMatchObject({ omitted: 6, sequence: 20 });
    clock.mockReturnValue(begun + 3_600_000 + 60_000);
    await waitFor(async () => (await timeline(AGENTS)).length === 21);
    const [latest] = await timeline(AGENTS);
    expect(latest).toMatchObject({ health: 'Missing', omitted: 5 });
    clock.mockRestore();
    await twoPasses(sync);
    expect(await timeline(AGENTS)).toHaveLength(21);
    await sync.stop();
    await setHubHealth(AGENTS, 'Healthy');
  });

  it('records every Application of the hub once, with its set and cluster', async () => {
    const sync = record();
    await twoPasses(sync);
    await sync.stop();
    const rows = await opened.knex('fleet_applications').select();
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [...sync.cache.applications.list()]
        .map(({ metadata }) => metadata.name)
        .sort(),
    );
    expect(rows.find(({ name }) => name === PULLED)).toMatchObject({
      ...{ application_set: EXAMPLE_SET.name },
      ...{ cluster: 'pcluster1', delivery_model: 'pull', health: 'Healthy' },
      ...{ sync: 'Synced', sequence: 1, gone_at: null },
    });
    expect(rows.find(({ name }) => name === AGENTS)).toMatchObject({
      ...{ application_set: null, cluster: 'edge', delivery_model: 'agent' },
    });
    const details = JSON.parse(
      rows.find(({ name }) => name === PULLED).details,
    ) as ClusterApplication;
    expect(details.resources.length).toBeGreaterThan(0);
    expect(details.steps).toBeUndefined();
  });

  it('makes no query while nothing changes', async () => {
    const { records } = database;
    const queries: string[] = [];
    const sync = record({
      takeOver: hub => {
        queries.push('takeOver');
        return records.takeOver(hub);
      },
      load: hub => {
        queries.push('load');
        return records.load(hub);
      },
      record: (...args) => {
        queries.push('record');
        return records.record(...args);
      },
    });
    await waitFor(async () => (await timeline(PULLED)).length === 1);
    await twoPasses(sync);
    queries.length = 0;
    await twoPasses(sync);
    await sync.stop();
    expect(queries).toEqual([]);
  });

  it('marks Applications as gone that a completely read hub does not have', async () => {
    const name = 'short-lived';
    await testHub.admin.create('applications', {
      ...agentsApplication,
      metadata: { name, namespace: NAMESPACE },
    });
    const sync = record();
    await waitFor(async () => (await timeline(name)).length === 1);
    await sync.stop();
    await testHub.admin.delete('applications', {
      namespace: NAMESPACE,
      name,
    });
    const gone = async () => {
      const names = await opened
        .knex('fleet_applications')
        .whereNotNull('gone_at')
        .pluck('name');
      return names;
    };
    await opened.knex('fleet_applications').update({ updated_at: 0 });
    const again = record();
    await waitFor(async () => (await gone()).length > 0);
    await twoPasses(again);
    await again.stop();
    expect(await gone()).toEqual([name]);
    expect(await timeline(name)).toHaveLength(1);
  });

  it('marks nothing as gone while the hub cannot be read', async () => {
    const sync = record();
    await twoPasses(sync);
    await sync.stop();
    const nowhere = composedHub(
      '/nowhere/kubeconfig',
      { resourceSync: { runWindow: '1s' } },
      { records: database.records },
    );
    const runner = nowhere.runners.find(
      ({ controller }) => controller === 'resourceSync',
    )!;
    const stop = new AbortController();
    const reading = nowhere.cache.run(stop.signal);
    // As long as its window, in which it could have reconciled all that is recorded.
    await expect(runner.run(stop.signal)).rejects.toThrow(/is not running/);
    stop.abort();
    await reading;
    await nowhere.client.close();
    const gone = await opened
      .knex('fleet_applications')
      .whereNotNull('gone_at')
      .pluck('name');
    expect(gone).toEqual([]);
  });

  it('corrects what another replica or a restored backup has written', async () => {
    const hub = composedHub(
      testHub.kubeconfigPath,
      { resourceSync: { fullPassEvery: '10m' } },
      { records: database.records },
    );
    const runner = hub.runners.find(
      ({ controller }) => controller === 'resourceSync',
    )!;
    const end = new AbortController();
    const reading = hub.cache.run(end.signal);
    async function runOnePass() {
      const begun = new Date().toISOString();
      const stop = new AbortController();
      const running = runner.run(stop.signal);
      await waitFor(() => (runner.status().lastPassAt ?? '') >= begun);
      stop.abort();
      await running;
    }
    await runOnePass();
    // What it has written itself, it settles when it has seen that it is so.
    await runOnePass();

    // One that is behind records what was so before, and that what it does not see is gone.
    await database.records.takeOver('hub');
    const named = (name: string) =>
      opened.knex('fleet_applications').where({ name });
    const rows = async () =>
      (await Promise.all([AGENTS, PUSHED].map(named))).map(
        ([{ health, gone_at }]) => ({ health, gone_at }),
      );
    const before = await rows();
    await named(AGENTS).update({ health: 'Missing' });
    await named(PUSHED).update({ gone_at: 1 });
    await runOnePass();
    expect(await rows()).toEqual(before);
    expect((await timeline(AGENTS))[0].health).toBe('Healthy');
    end.abort();
    await reading;
    await hub.client.close();
  });

  it('neither loses nor doubles a write whose answer was lost', async () => {
    const { records } = database;
    let unknown = 0;
    const sync = record({
      ...records,
      async record(...args) {
        await records.record(...args);
        unknown += 1;
        throw new Error('Connection terminated unexpectedly');
      },
    });
    await waitFor(async () => (await timeline(AGENTS)).length === 1);
    await setHubHealth(AGENTS, 'Degraded');
    await waitFor(async () => (await timeline(AGENTS)).length === 2);
    await setHubHealth(AGENTS, 'Healthy');
    await waitFor(async () => (await timeline(AGENTS)).length === 3);
    await waitFor(() => sync.runner.status().lastError === undefined);
    await twoPasses(sync);
    await sync.stop();
    expect(unknown).toBeGreaterThanOrEqual(3);
    expect((await timeline(AGENTS)).map(({ sequence }) => sequence)).toEqual([
      3, 2, 1,
    ]);
    const rows = await opened.knex('fleet_applications').select();
    expect(rows).toHaveLength(sync.cache.applications.size);
    const recorded = rows.reduce((sum, { sequence }) => sum + sequence, 0);
    const transitions = await opened.knex('fleet_transitions').select();
    expect(transitions).toHaveLength(recorded);
  });

  it('reconciles an Application again when its details change, also between two runs', async () => {
    let message = '';
    const source: ResourceSource = {
      id: 'test',
      collect: async () => ({
        details: [
          {
            application: { namespace: NAMESPACE, name: PULLED },
            observedAt: new Date(Date.now() + 3_600_000).toISOString(),
            conditions: [{ type: 'SyncError', message }],
          },
        ],
      }),
    };
    const hub = composedHub(
      testHub.kubeconfigPath,
      { resourceSync: { fullPassEvery: '10m' } },
      {
        records: database.records,
        sources: { added: [source], store: database.answers },
      },
    );
    const runner = hub.runners.find(
      ({ controller }) => controller === 'resourceSync',
    )!;
    const end = new AbortController();
    const report = async (text: string) => {
      message = text;
      await hub.resourceSources!.collect(end.signal);
    };
    const reading = hub.cache.run(end.signal);
    let stop = new AbortController();
    let running = runner.run(stop.signal);
    await waitFor(() => runner.status().lastPassAt !== undefined);
    await report('reported by a source');
    await waitFor(async () => (await timeline(PULLED)).length === 2);
    stop.abort();
    await running;
    await report('reported between two runs');
    stop = new AbortController();
    running = runner.run(stop.signal);
    await waitFor(async () => (await timeline(PULLED)).length === 3);
    stop.abort();
    await running;
    end.abort();
    await reading;
    await hub.client.close();
    expect((await timeline(PULLED))[0].error).toBe('reported between two runs');
  });
});
