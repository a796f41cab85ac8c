import { KubeObject } from '../kubernetes/objects';
import { manifestWorks } from '../kubernetes/resources';
import { ManifestWork, UpdateStrategy } from '../kubernetes/workTypes';
import { FleetOnHub, startHubForFleets } from '../__testUtils__/fleetOnHub';
import { SimulatedFleet } from '../startSimulatedFleet';

const configMap = (
  name: string,
  data?: Record<string, string>,
): KubeObject & { data?: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  ...(data && { data }),
});
const refOf = (name: string) => ({
  group: '',
  resource: 'configmaps',
  namespace: 'default',
  name,
});
const workOf = (
  name: string,
  manifests: KubeObject[],
  updateStrategy?: UpdateStrategy,
): ManifestWork => ({
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  metadata: { name, namespace: 'c1' },
  spec: {
    workload: { manifests },
    manifestConfigs: updateStrategy && [
      { resourceIdentifier: refOf('*'), updateStrategy },
    ],
  },
});
const IGNORING: UpdateStrategy = {
  type: 'ServerSideApply',
  serverSideApply: {
    force: true,
    ignoreFields: [{ condition: 'OnSpokeChange', jsonPaths: ['.data.other'] }],
  },
};

describe('without a change on the hub', () => {
  let on: FleetOnHub;
  let fleet: SimulatedFleet;
  beforeEach(async () => {
    on = await startHubForFleets();
  });
  afterEach(() => on.stop());

  const start = async (timings: string) => {
    fleet = await on.start(
      `clusters: [{ name: c1 }]\ntimings: { ${timings} }`,
      { speed: 60 },
    );
  };
  const store = () => fleet.clusters.get('c1')!.store;
  const applied = (name: string, status = 'True') =>
    on.until(manifestWorks, items =>
      items.find(
        each =>
          each.metadata.name === name &&
          each.status?.conditions?.some(
            condition =>
              condition.type === 'Applied' && condition.status === status,
          ),
      ),
    );
  const create = async (work: ManifestWork) => {
    await on.client.create(manifestWorks, work);
    return applied(work.metadata.name);
  };
  const matches = (object: object, expected: object) => {
    const { data } = object as { data?: unknown };
    return JSON.stringify({ data }) === JSON.stringify(expected);
  };
  /** Waits until an object of the cluster is as described; null: absent. */
  const untilOnCluster = (name: string, expected: object | null) =>
    new Promise<void>(resolve => {
      const check = () => {
        const object = store().get(refOf(name));
        if (expected === null ? !object : object && matches(object, expected)) {
          resolve();
        }
      };
      store().onChange(check);
      check();
    });
  const ONE = { data: { value: '1' } };
  const witness = workOf('witness', [configMap('witness', ONE.data)]);

  /** The versions of all works but the witness. */
  const versions = async () =>
    (await on.client.list(manifestWorks)).items
      .filter(({ metadata }) => metadata.name !== witness.metadata.name)
      .map(({ metadata }) => metadata.resourceVersion);

  /**
   * Waits until every work has been applied again. The witness is applied at
   * least one interval after the last time, the others at most one and a half.
   */
  const everyWorkAppliedAgain = async () => {
    for (let application = 0; application < 3; application += 1) {
      store().delete(refOf('witness'));
      await untilOnCluster('witness', ONE);
    }
  };

  describe('a work', () => {
    const WRONG = { value: 'wrong' };
    beforeEach(() => start('reapplySeconds: 10, feedbackPollSeconds: 1'));

    it.each<[string, UpdateStrategy | undefined]>([
      ['Update', undefined],
      ['ServerSideApply', { type: 'ServerSideApply' }],
      ['ServerSideApply and ignored fields', IGNORING],
      ['CreateOnly', { type: 'CreateOnly' }],
    ])(
      'makes again what somebody deleted on the cluster, with %s',
      async (_, strategy) => {
        await create(workOf('w', [configMap('a', ONE.data)], strategy));
        store().delete(refOf('a'));
        await untilOnCluster('a', ONE);
        const { ownerReferences } = store().get(refOf('a'))!.metadata;
        expect(ownerReferences).toHaveLength(1);
      },
    );

    it.each<[string, UpdateStrategy | undefined]>([
      ['Update', undefined],
      ['ServerSideApply', { type: 'ServerSideApply' }],
    ])(
      'repairs what somebody changed on the cluster, with %s',
      async (_, strategy) => {
        await create(workOf('w', [configMap('a', ONE.data)], strategy));
        store().put(configMap('a', WRONG));
        await untilOnCluster('a', ONE);
        expect(store().get(refOf('a'))).toMatchObject(ONE);
      },
    );

    it('leaves alone what it must not change, and writes nothing to the hub', async () => {
      store().put(configMap('existing', WRONG));
      await create(witness);
      const read = await create(
        workOf('read', [configMap('read', ONE.data)], { type: 'ReadOnly' }),
      );
      expect(read.status?.resourceStatus?.manifests?.[0].conditions).toEqual([
        expect.objectContaining({ type: 'Applied', status: 'True' }),
        expect.objectContaining({ type: 'Available', status: 'False' }),
      ]);
      await create(
        workOf('create', [configMap('existing', ONE.data)], {
          type: 'CreateOnly',
        }),
      );
      await create(workOf('ignoring', [configMap('same', ONE.data)], IGNORING));
      const live = store().get(refOf('same'))!;
      store().put({ ...live, ...{ data: WRONG } });
      await everyWorkAppliedAgain();
      const before = await versions();
      await everyWorkAppliedAgain();
      expect(store().get(refOf('read'))).toBeUndefined();
      expect(store().get(refOf('existing'))).toMatchObject({ data: WRONG });
      // The annotation with the hash of the manifest still is that of the manifest.
      expect(store().get(refOf('same'))).toMatchObject({ data: WRONG });
      expect(await versions()).toEqual(before);
    });

    it('is repaired by an agent that cannot reach the hub', async () => {
      await create(workOf('w', [configMap('a', ONE.data)]));
      fleet.faults.offline('c1');
      store().delete(refOf('a'));
      await untilOnCluster('a', ONE);
      expect(store().get(refOf('a'))).toMatchObject(ONE);
    });

    it('reports that it can no longer be applied', async () => {
      const namespace = {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'shop' },
      };
      store().put(namespace);
      const inShop = configMap('a', ONE.data);
      inShop.metadata.namespace = 'shop';
      await create(workOf('w', [inShop]));
      store().delete({ ...refOf('a'), namespace: 'shop' });
      store().delete({
        group: '',
        resource: 'namespaces',
        namespace: '',
        name: 'shop',
      });
      await applied('w', 'False');
      store().put(namespace);
      expect(await applied('w')).toBeDefined();
    });
  });

  describe('a work that the hub lost', () => {
    /** Deletes the work on the hub without its agent. */
    const lose = async (name: string) => {
      fleet.faults.offline('c1');
      const ref = { namespace: 'c1', name };
      await on.client.delete(manifestWorks, ref);
      await on.client.patch(manifestWorks, ref, {
        metadata: { finalizers: [] },
      });
      await on.until(
        manifestWorks,
        items => !items.some(({ metadata }) => metadata.name === name),
      );
      fleet.faults.online('c1');
    };

    it('loses its objects after the time for eviction, except those of another work', async () => {
      await start('evictionSeconds: 60');
      await create(workOf('w', [configMap('mine'), configMap('ours')]));
      await create(workOf('other', [configMap('ours')]));
      await lose('w');
      await untilOnCluster('mine', null);
      expect(store().get(refOf('ours'))).toBeDefined();
      await lose('other');
      await untilOnCluster('ours', null);
      expect(store().get(refOf('ours'))).toBeUndefined();
    });

    it('loses them when it was frozen, too', async () => {
      await start('evictionSeconds: 60');
      await create(workOf('w', [configMap('mine')]));
      await on.client.patch(
        manifestWorks,
        { namespace: 'c1', name: 'w' },
        {
          spec: {
            manifestConfigs: [
              {
                resourceIdentifier: refOf('mine'),
                updateStrategy: { type: 'ReadOnly' },
              },
            ],
          },
        },
      );
      await on.until(manifestWorks, ([item]) =>
        item.status?.conditions?.some(each => each.observedGeneration === 2),
      );
      await lose('w');
      await untilOnCluster('mine', null);
      expect(store().get(refOf('mine'))).toBeUndefined();
    });

    it('is not applied again', async () => {
      await start('reapplySeconds: 10');
      await create(witness);
      await create(workOf('w', [configMap('a')]));
      await lose('w');
      store().delete(refOf('a'));
      await everyWorkAppliedAgain();
      expect(store().get(refOf('a'))).toBeUndefined();
    });

    it('keeps its objects when it is created again within that time', async () => {
      await start('evictionSeconds: 3600');
      await create(workOf('w', [configMap('kept'), configMap('dropped')]));
      const { metadata } = store().get(refOf('kept'))!;
      await lose('w');
      await create(workOf('w', [configMap('kept')]));
      expect(store().get(refOf('kept'))!.metadata.ownerReferences).toEqual(
        metadata.ownerReferences,
      );
      // What the new work no longer has goes, because it is the same owner.
      await untilOnCluster('dropped', null);
      await on.client.delete(manifestWorks, { namespace: 'c1', name: 'w' });
      await untilOnCluster('kept', null);
      expect(store().get(refOf('kept'))).toBeUndefined();
    });
  });
});
