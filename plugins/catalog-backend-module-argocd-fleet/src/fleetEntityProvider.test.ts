import { mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import type { EntityProviderMutation } from '@backstage/plugin-catalog-node';
import {
  aCluster,
  aHub,
  anApplicationSet,
  createInventoryAnswers,
  type Fleet,
} from './__testUtils__/fleet';
import { createFleetEntityProvider } from './fleetEntityProvider';

/** A provider with an API whose answers the test sets, and a catalog that only records mutations. */
async function connectedProvider(
  options: Partial<Fleet> & Pick<Fleet, 'hubs'>,
) {
  const fleet: { -readonly [Key in keyof Fleet]: Fleet[Key] } = {
    clusters: [],
    applicationSets: [],
    ...options,
  };
  const failures: Error[] = [];
  const mutations: EntityProviderMutation[] = [];
  const mutationFailures: Error[] = [];
  const asked: (string | undefined)[] = [];
  const catalog = new Map<string, Entity>();
  const lookedUp: string[] = [];
  const lookUpFailures: Error[] = [];
  const logger = mockServices.logger.mock();
  let inventoryOf = createInventoryAnswers();
  let run: ((signal: AbortSignal) => Promise<void>) | undefined;

  const provider = createFleetEntityProvider({
    client: {
      async getInventory(since) {
        const failure = failures.shift();
        if (failure) {
          throw failure;
        }
        asked.push(since);
        return inventoryOf({ ...fleet }, since);
      },
    },
    findEntities: async refs => {
      const failure = lookUpFailures.shift();
      if (failure) {
        throw failure;
      }
      lookedUp.push(...refs);
      return new Map(catalog);
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
      const failure = mutationFailures.shift();
      if (failure) {
        throw failure;
      }
      mutations.push(mutation);
    },
    refresh: async () => {},
  });
  return {
    fleet,
    /** What the catalog has. */
    catalog,
    /** References that were looked up. */
    lookedUp,
    lookUpFailures,
    failures,
    mutationFailures,
    logger,
    /** `since` of the requests since the last call. */
    asked: () => asked.splice(0),
    /** Another replica answers from now on, or the same one after a restart. */
    changeReplica() {
      inventoryOf = createInventoryAnswers('another');
    },
    /** Mutations since the last call. */
    published: () => mutations.splice(0),
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

  it('compares everything after an hour, and asks only for changes until then', async () => {
    jest.useFakeTimers();
    try {
      const { asked, run } = await connectedProvider({ hubs: [aHub('hub')] });
      await run();
      jest.advanceTimersByTime(60 * 60_000 - 1);
      expect(await run()).toEqual([]);
      expect(asked()).toEqual([undefined, 'replica.0']);
      jest.advanceTimersByTime(1);
      expect(await run()).toEqual([{ type: 'full', entities: [] }]);
      expect(asked()).toEqual([undefined]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('makes up for the hourly full mutation once every hub can be read', async () => {
    jest.useFakeTimers();
    try {
      const { asked, fleet, run } = await connectedProvider({
        hubs: [aHub('hub')],
      });
      await run();
      fleet.hubs = [aHub('hub', 'unreachable')];
      jest.advanceTimersByTime(60 * 60_000);
      expect(await run()).toEqual([]);
      expect(await run()).toEqual([]);
      fleet.hubs = [aHub('hub')];
      expect(await run()).toEqual([{ type: 'full', entities: [] }]);
      expect(asked()).toEqual([
        undefined,
        undefined,
        'replica.1',
        'replica.2',
        undefined,
      ]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('applies a full mutation after an answer of another replica only if something is different', async () => {
    const { changeReplica, fleet, run } = await connectedProvider({
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1')],
    });
    await run();
    changeReplica();
    expect(await run()).toEqual([]);
    fleet.clusters = [];
    changeReplica();
    expect(await run()).toEqual([{ type: 'full', entities: [] }]);
  });

  it('publishes the changes of a failed mutation with the next one', async () => {
    const { fleet, mutationFailures, run } = await connectedProvider({
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1')],
    });
    await run();
    fleet.clusters = [];
    mutationFailures.push(new Error('database is locked'));
    await expect(run()).rejects.toThrow('database is locked');
    expect(await run()).toEqual([
      {
        type: 'delta',
        added: [],
        removed: [
          expect.objectContaining({
            entityRef: 'resource:default/hub.cluster1',
          }),
        ],
      },
    ]);
  });

  it('updates the component with the ApplicationSet that names it', async () => {
    const shop = { 'argocd-fleet/component': 'shop' };
    const { fleet, run } = await connectedProvider({
      hubs: [aHub('hub')],
      applicationSets: [anApplicationSet('a', shop), anApplicationSet('b')],
    });
    await run();
    fleet.applicationSets = [anApplicationSet('a'), anApplicationSet('b')];
    expect(await run()).toEqual([
      {
        type: 'delta',
        added: [
          expect.objectContaining({
            entity: expect.objectContaining({ kind: 'Resource' }),
          }),
        ],
        removed: [
          expect.objectContaining({ entityRef: 'component:default/shop' }),
        ],
      },
    ]);
    fleet.applicationSets = [
      anApplicationSet('a'),
      anApplicationSet('b', shop),
    ];
    expect(await run()).toMatchObject([
      {
        type: 'delta',
        added: [
          { entity: { metadata: { name: 'hub.openshift-gitops.b' } } },
          { entity: { kind: 'Component', metadata: { name: 'shop' } } },
        ],
        removed: [],
      },
    ]);
  });

  it('names the clusters of an ApplicationSet again when one leaves it', async () => {
    const { fleet, run } = await connectedProvider({
      hubs: [aHub('hub')],
      clusters: [aCluster('c1', 'shop'), aCluster('c2', 'shop')],
      applicationSets: [anApplicationSet('shop')],
    });
    await run();
    fleet.clusters = [aCluster('c1', 'shop'), aCluster('c2')];
    expect(await run()).toMatchObject([
      {
        type: 'delta',
        added: [
          { entity: { metadata: { name: 'hub.c2' } } },
          { entity: { spec: { dependsOn: ['resource:default/hub.c1'] } } },
        ],
        removed: [],
      },
    ]);
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
    // What the API mentions is published again, with what was known of it.
    expect(await run()).toMatchObject([
      {
        type: 'delta',
        added: [
          { entity: { metadata: { name: 'hub.cluster1' } } },
          {
            entity: { spec: { dependsOn: ['resource:default/hub.cluster1'] } },
          },
        ],
        removed: [{ entityRef: 'resource:default/hub.cluster2' }],
      },
    ]);

    // Everything is compared: only a full answer shows which of the kept objects are gone.
    fleet.hubs = [aHub('hub')];
    expect(await run()).toEqual([
      {
        type: 'full',
        entities: [
          expect.objectContaining({
            entity: expect.objectContaining({
              metadata: expect.objectContaining({ name: 'hub.cluster1' }),
            }),
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
        anApplicationSet('guestbook', {
          'argocd-fleet/component': 'guestbook',
          'argocd-fleet/component-owner': 'a:b:c',
        }),
      ],
    });
    await run();
    await run();
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });

  it('looks a component up once, and publishes none that comes from elsewhere', async () => {
    const { catalog, fleet, logger, lookedUp, run } = await connectedProvider({
      hubs: [aHub('hub')],
      applicationSets: [
        anApplicationSet('a', { 'argocd-fleet/component': 'Mine' }),
        anApplicationSet('b', { 'argocd-fleet/component': 'theirs' }),
      ],
    });
    catalog.set('component:default/theirs', {
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: {
        name: 'theirs',
        annotations: { 'backstage.io/managed-by-location': 'file:/theirs' },
      },
    });
    const [mutation] = await run();
    expect(JSON.stringify(mutation)).toContain('"name":"Mine"');
    expect(JSON.stringify(mutation)).not.toContain('"name":"theirs"');
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(lookedUp.splice(0)).toEqual([
      'component:default/mine',
      'component:default/theirs',
    ]);

    fleet.clusters = [aCluster('cluster1')];
    await run();
    expect(lookedUp).toEqual(['component:default/theirs']);
  });

  describe('while the catalog does not say which components it has', () => {
    const away = () => new Error('catalog is down');
    const shop = anApplicationSet('shop', { 'argocd-fleet/component': 'shop' });
    /** Kinds and names of the entities that a mutation adds. */
    const addedBy = (mutations: readonly EntityProviderMutation[]) =>
      mutations.map(mutation =>
        (mutation.type === 'full' ? mutation.entities : mutation.added).map(
          ({ entity: { kind, metadata } }) => `${kind} ${metadata.name}`,
        ),
      );

    it('publishes clusters and ApplicationSets, fails, and makes up for the components', async () => {
      const { fleet, lookUpFailures, run, published } = await connectedProvider(
        { hubs: [aHub('hub')], clusters: [aCluster('cluster1')] },
      );
      await run();

      fleet.applicationSets = [shop];
      lookUpFailures.push(away(), away());
      await expect(run()).rejects.toThrow(/catalog is down/);
      expect(addedBy(published())).toEqual([
        ['Resource hub.openshift-gitops.shop'],
      ]);
      await expect(run()).rejects.toThrow(/catalog is down/);
      expect(published()).toEqual([]);

      expect(await run()).toMatchObject([
        { type: 'delta', added: [{ entity: { kind: 'Component' } }] },
      ]);
      expect(await run()).toEqual([]);
    });

    it('leaves components as they are, also those that no ApplicationSet defines any more', async () => {
      const { fleet, lookUpFailures, run, published } = await connectedProvider(
        { hubs: [aHub('hub')], applicationSets: [shop] },
      );
      await run();
      const other = { 'argocd-fleet/component': 'other' };
      fleet.applicationSets = [anApplicationSet('shop', other)];
      lookUpFailures.push(away());
      await expect(run()).rejects.toThrow(/catalog is down/);
      expect(published()).toMatchObject([{ type: 'delta', removed: [] }]);
      expect(await run()).toMatchObject([
        {
          type: 'delta',
          added: [{ entity: { metadata: { name: 'other' } } }],
          removed: [{ entityRef: 'component:default/shop' }],
        },
      ]);
    });

    it('applies the full mutation of each hour once it answers', async () => {
      jest.useFakeTimers();
      try {
        const { fleet, lookUpFailures, run, published } =
          await connectedProvider({ hubs: [aHub('hub')] });
        await run();
        fleet.applicationSets = [shop];
        lookUpFailures.push(away());
        jest.advanceTimersByTime(60 * 60_000);
        await expect(run()).rejects.toThrow(/catalog is down/);
        expect(published()).toMatchObject([{ type: 'delta' }]);
        const mutations = await run();
        expect(mutations).toMatchObject([{ type: 'full' }]);
        expect(addedBy(mutations)).toEqual([
          ['Resource hub.openshift-gitops.shop', 'Component shop'],
        ]);
      } finally {
        jest.useRealTimers();
      }
    });

    it('tries again within the first run', async () => {
      const { lookUpFailures, run } = await connectedProvider({
        hubs: [aHub('hub')],
        applicationSets: [shop],
      });
      lookUpFailures.push(away());
      const mutations = await run();
      expect(mutations.map(({ type }) => type)).toEqual(['delta', 'full']);
      expect(addedBy(mutations)).toEqual([
        ['Resource hub.openshift-gitops.shop'],
        ['Resource hub.openshift-gitops.shop', 'Component shop'],
      ]);
    });
  });
});
