import { mockServices } from '@backstage/backend-test-utils';
import type { EntityProviderMutation } from '@backstage/plugin-catalog-node';
import type {
  ApplicationSet,
  Cluster,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';
import { aCluster, aHub, anApplicationSet } from './__testUtils__/fleet';
import { createFleetEntityProvider } from './fleetEntityProvider';

/** A provider beside an API that answers what a test says, and a catalog that only writes down what it is told. */
async function connectedProvider(options: {
  hubs: HubState[];
  clusters?: Cluster[];
  applicationSets?: ApplicationSet[];
}) {
  const world = { clusters: [], applicationSets: [], ...options };
  const failures: Error[] = [];
  const mutations: EntityProviderMutation[] = [];
  const logger = mockServices.logger.mock();
  let run: ((signal: AbortSignal) => Promise<void>) | undefined;

  function answer<T>(items: T[]) {
    const failure = failures.shift();
    if (failure) {
      throw failure;
    }
    return { items, hubs: world.hubs };
  }
  const provider = createFleetEntityProvider({
    client: {
      listClusters: async () => answer(world.clusters),
      listApplicationSets: async () => answer(world.applicationSets),
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
    world,
    failures,
    logger,
    /** Runs the task once; what it told the catalog. */
    async run(): Promise<EntityProviderMutation[]> {
      await run?.(new AbortController().signal);
      return mutations.splice(0);
    },
  };
}

describe('the provider', () => {
  it('hands over everything first, then what changed, then nothing', async () => {
    const { world, run } = await connectedProvider({
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1'), aCluster('cluster2')],
    });
    expect(await run()).toEqual([
      { type: 'full', entities: [expect.anything(), expect.anything()] },
    ]);

    world.clusters = [aCluster('cluster2'), aCluster('cluster3')];
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

  it('compares everything again after a minute, for what other replicas wrote', async () => {
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

  it('removes nothing of a hub that cannot be reached, not even after a restart', async () => {
    const { run } = await connectedProvider({
      hubs: [aHub('east'), aHub('west', 'unreachable')],
      clusters: [aCluster('east/cluster1')],
    });
    expect(await run()).toEqual([
      { type: 'delta', added: [expect.anything()], removed: [] },
    ]);
  });

  it('removes nothing of a kind that the hub does not let us read, and goes on with the others', async () => {
    const { world, run } = await connectedProvider({
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1', 'guestbook'), aCluster('cluster2')],
      applicationSets: [anApplicationSet('guestbook')],
    });
    await run();

    world.hubs = [aHub('hub', 'ready', ['applicationsets', 'applications'])];
    world.applicationSets = [];
    world.clusters = [aCluster('cluster1')];
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

    world.hubs = [aHub('hub')];
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

  it('hands over nothing as complete that is not, not even after a restart', async () => {
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

  it('asks again soon, within the same run, while the backend starts', async () => {
    const { world, failures, logger, run } = await connectedProvider({
      hubs: [aHub('hub', 'starting')],
    });
    failures.push(new Error('not ready yet'));
    logger.info.mockImplementation(() => {
      // By the time it asks again, the backend has read its hub.
      world.hubs = [aHub('hub')];
      world.clusters = [aCluster('cluster1')];
    });
    expect(await run()).toEqual([
      { type: 'full', entities: [expect.anything()] },
    ]);
    expect(logger.info).toHaveBeenCalledTimes(1);
  });

  it('says once what it cannot put into the catalog', async () => {
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
