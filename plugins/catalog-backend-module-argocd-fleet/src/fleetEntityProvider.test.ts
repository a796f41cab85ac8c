import { mockServices } from '@backstage/backend-test-utils';
import type { EntityProviderMutation } from '@backstage/plugin-catalog-node';
import type {
  ApplicationSet,
  Cluster,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';
import { aCluster, aHub, anApplicationSet } from './__testUtils__/fleet';
import { createFleetEntityProvider } from './fleetEntityProvider';

/** A provider with an API whose answers the test sets, and a catalog that only records mutations. */
async function connectedProvider(options: {
  hubs: HubState[];
  clusters?: Cluster[];
  applicationSets?: ApplicationSet[];
}) {
  const fleet = { clusters: [], applicationSets: [], ...options };
  const failures: Error[] = [];
  const mutations: EntityProviderMutation[] = [];
  const logger = mockServices.logger.mock();
  let run: ((signal: AbortSignal) => Promise<void>) | undefined;

  function answer<T>(items: T[]) {
    const failure = failures.shift();
    if (failure) {
      throw failure;
    }
    return { items, hubs: fleet.hubs };
  }
  const provider = createFleetEntityProvider({
    client: {
      listClusters: async () => answer(fleet.clusters),
      listApplicationSets: async () => answer(fleet.applicationSets),
    },
    getToken: async () => 'token',
    taskRunner: {
      async run(task) {
        run = async signal => task.fn(signal);
      },
    },
    logger,
    defaultOwner: 'group:default/platform',
  });
  await provider.connect({
    applyMutation: async mutation => {
      mutations.push(mutation);
    },
    refresh: async () => {},
  });
  return {
    fleet,
    failures,
    logger,
    /** Runs the task once; returns its mutations. */
    async run(): Promise<EntityProviderMutation[]> {
      await run?.(new AbortController().signal);
      return mutations.splice(0);
    },
  };
}

describe('the provider', () => {
  it('applies a full mutation first, then the changes, then nothing', async () => {
    const { fleet, run } = await connectedProvider({
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1'), aCluster('cluster2')],
    });
    expect(await run()).toEqual([
      { type: 'full', entities: [expect.anything(), expect.anything()] },
    ]);

    fleet.clusters = [aCluster('cluster2'), aCluster('cluster3')];
    expect(await run()).toEqual([
      {
        type: 'delta',
        added: [
          expect.objectContaining({
            entity: expect.objectContaining({
              metadata: expect.objectContaining({ name: 'hub.cluster3' }),
            }),
          }),
        ],
        removed: [
          expect.objectContaining({
            entityRef: 'resource:default/hub.cluster1',
          }),
        ],
      },
    ]);

    expect(await run()).toEqual([]);
  });

  it('applies a full mutation again after a minute, to correct what other replicas wrote', async () => {
    jest.useFakeTimers();
    try {
      const { run } = await connectedProvider({ hubs: [aHub('hub')] });
      await run();
      jest.advanceTimersByTime(59_999);
      expect(await run()).toEqual([]);
      jest.advanceTimersByTime(1);
      expect(await run()).toEqual([{ type: 'full', entities: [] }]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('removes nothing of an unreachable hub, not even after a restart', async () => {
    const { run } = await connectedProvider({
      hubs: [aHub('east'), aHub('west', 'unreachable')],
      clusters: [aCluster('east/cluster1')],
    });
    expect(await run()).toEqual([
      { type: 'delta', added: [expect.anything()], removed: [] },
    ]);
  });

  it('removes nothing of a resource that the backend may not read, and updates the others', async () => {
    const { fleet, run } = await connectedProvider({
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1', 'guestbook'), aCluster('cluster2')],
      applicationSets: [anApplicationSet('guestbook')],
    });
    await run();

    fleet.hubs = [aHub('hub', 'ready', ['applicationsets', 'applications'])];
    fleet.applicationSets = [];
    fleet.clusters = [aCluster('cluster1')];
    expect(await run()).toEqual([
      {
        type: 'delta',
        added: [],
        removed: [
          expect.objectContaining({
            entityRef: 'resource:default/hub.cluster2',
          }),
        ],
      },
    ]);

    fleet.hubs = [aHub('hub')];
    expect(await run()).toEqual([
      {
        type: 'delta',
        added: [],
        removed: [
          expect.objectContaining({
            entityRef: expect.stringContaining('guestbook'),
          }),
        ],
      },
    ]);
  });

  it('applies no full mutation while the inventory is incomplete, not even after a restart', async () => {
    const { run } = await connectedProvider({
      hubs: [aHub('hub', 'ready', ['managedclusters'])],
      applicationSets: [anApplicationSet('guestbook')],
    });
    expect(await run()).toEqual([
      { type: 'delta', added: [expect.anything()], removed: [] },
    ]);
  });

  it('removes nothing and fails the run when the API stops answering', async () => {
    const { failures, run } = await connectedProvider({
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1')],
    });
    await run();
    failures.push(new Error('connect ECONNREFUSED'));
    await expect(run()).rejects.toThrow(
      /stay in the catalog as they are.*connect ECONNREFUSED/,
    );
    expect(await run()).toEqual([]);
  });

  it('retries within the same run while the backend starts', async () => {
    const { fleet, failures, logger, run } = await connectedProvider({
      hubs: [aHub('hub', 'starting')],
    });
    failures.push(new Error('not ready yet'));
    logger.info.mockImplementation(() => {
      // At the retry, the backend has listed its hub.
      fleet.hubs = [aHub('hub')];
      fleet.clusters = [aCluster('cluster1')];
    });
    expect(await run()).toEqual([
      { type: 'full', entities: [expect.anything()] },
    ]);
    expect(logger.info).toHaveBeenCalledTimes(1);
  });

  it('logs a problem once', async () => {
    const { logger, run } = await connectedProvider({
      hubs: [aHub('hub')],
      applicationSets: [
        anApplicationSet('guestbook', { 'argocd-fleet/component': 'a b' }),
      ],
    });
    await run();
    await run();
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });
});
