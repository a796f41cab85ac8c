import { KubeObject } from '../kubernetes/objects';
import { manifestWorks } from '../kubernetes/resources';
import {
  DeleteOption,
  ManifestConfig,
  ManifestWork,
} from '../kubernetes/workTypes';
import { silentLogger } from '../runtime/logger';
import { feedbackOf } from '../__testUtils__/applicationWork';
import { FleetOnHub, startHubForFleets } from '../__testUtils__/fleetOnHub';
import { SimulatedFleet } from '../startSimulatedFleet';

const SCENARIO = 'clusters: [{ name: c1 }]\nagents: { maxFeedbackWatches: 1 }';

const configMap = (name: string, value = '1') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { value },
});
const refOf = (name: string) => ({
  group: '',
  resource: 'configmaps',
  namespace: 'default',
  name,
});
const configOf = (
  name: string,
  rest: Partial<ManifestConfig> = {},
): ManifestConfig => ({
  resourceIdentifier: refOf(name),
  feedbackRules: [
    { type: 'JSONPaths', jsonPaths: [{ name, path: '.data.value' }] },
  ],
  ...rest,
});
const workOf = (
  name: string,
  manifests: KubeObject[],
  spec: Partial<ManifestWork['spec']> = {},
): ManifestWork => ({
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  metadata: { name, namespace: 'c1' },
  spec: { workload: { manifests }, ...spec },
});

describe('a work agent', () => {
  let on: FleetOnHub;
  let fleet: SimulatedFleet;
  const logged: string[] = [];
  beforeEach(async () => {
    on = await startHubForFleets();
    fleet = await on.start(SCENARIO, {
      logger: { ...silentLogger, info: message => logged.push(message) },
    });
  });
  afterEach(() => on.stop());

  const store = () => fleet.clusters.get('c1')!.store;
  const create = async (work: ManifestWork) => {
    await on.client.create(manifestWorks, work);
    await on.until(manifestWorks, items =>
      items.some(
        ({ metadata, status }) =>
          metadata.name === work.metadata.name &&
          status?.conditions?.some(({ type }) => type === 'Applied'),
      ),
    );
  };
  const remove = async (name: string) => {
    await on.client.delete(manifestWorks, { namespace: 'c1', name });
    await on.until(
      manifestWorks,
      items => !items.some(({ metadata }) => metadata.name === name),
    );
  };

  it.each<[string, DeleteOption | undefined, string[]]>([
    ['nothing by default', undefined, []],
    ['nothing when Foreground', { propagationPolicy: 'Foreground' }, []],
    ['everything when Orphan', { propagationPolicy: 'Orphan' }, ['a', 'b']],
    [
      'the resources of the orphaning rules when SelectivelyOrphan',
      {
        propagationPolicy: 'SelectivelyOrphan',
        selectivelyOrphans: { orphaningRules: [refOf('b')] },
      },
      ['b'],
    ],
  ])('leaves behind %s', async (_, deleteOption, left) => {
    await create(
      workOf('w', [configMap('a'), configMap('b')], { deleteOption }),
    );
    expect(store().get(refOf('a'))).toBeDefined();
    await remove('w');
    expect(['a', 'b'].filter(name => store().get(refOf(name)))).toEqual(left);
  });

  describe('with two watched resources, one more than its limit', () => {
    const work = workOf('w', [configMap('a'), configMap('b')], {
      manifestConfigs: [
        configOf('a', { feedbackScrapeType: 'Watch' }),
        configOf('b', { feedbackScrapeType: 'Watch' }),
      ],
    });

    it('watches the first only', async () => {
      await fleet.stop();
      fleet = await on.start(
        `${SCENARIO}\ntimings: { feedbackPollSeconds: 3600 }`,
      );
      await create(work);
      // The status of a later work shows that the agent has handled all events before, also that of its own write.
      await create(workOf('x', [configMap('c')]));
      store().put(configMap('b', '2'));
      await create(workOf('y', [configMap('d')]));
      const [first] = (await on.client.list(manifestWorks)).items;
      expect(feedbackOf(first, 'b')).toBe('1');
      // The change of the watched resource reports the whole status.
      store().put(configMap('a', '2'));
      const reported = await on.until(
        manifestWorks,
        ([item]) => feedbackOf(item, 'a') === '2' && item,
      );
      expect(feedbackOf(reported, 'b')).toBe('2');
    });

    it('polls the second', async () => {
      await create(work);
      store().put(configMap('b', '2'));
      const reported = await on.until(
        manifestWorks,
        ([item]) => feedbackOf(item, 'b') === '2' && item,
      );
      expect(feedbackOf(reported, 'a')).toBe('1');
    });
  });

  it('only observes ReadOnly manifests', async () => {
    const readOnly = { updateStrategy: { type: 'ReadOnly' } };
    const { data: _none, ...identity } = configMap('theirs');
    await create(
      workOf('observer', [identity], {
        manifestConfigs: [
          configOf('theirs', { ...readOnly, feedbackScrapeType: 'Watch' }),
        ],
      }),
    );
    expect(store().get(refOf('theirs'))).toBeUndefined();
    store().put(configMap('theirs', 'made by another client'));
    await on.until(
      manifestWorks,
      ([item]) => feedbackOf(item, 'theirs') === 'made by another client',
    );
    await remove('observer');
    expect(store().get(refOf('theirs'))).toMatchObject({
      data: { value: 'made by another client' },
    });
  });

  it('keeps ignored fields that the cluster changed, and logs that it ignores an executor', async () => {
    const manifests = [configMap('a')];
    const manifestConfigs = [
      configOf('a', {
        updateStrategy: {
          type: 'ServerSideApply',
          serverSideApply: {
            ignoreFields: [
              { condition: 'OnSpokePresent', jsonPaths: ['.data.value'] },
            ],
          },
        },
      }),
    ];
    await create(
      workOf('w', manifests, {
        manifestConfigs,
        executor: {
          subject: {
            type: 'ServiceAccount',
            serviceAccount: { namespace: 'default', name: 'deployer' },
          },
        },
      }),
    );
    expect(logged.join('\n')).toContain('c1/w has an executor');
    const live = store().get(refOf('a'))!;
    store().put({
      ...live,
      ...configMap('a', 'scaled'),
      metadata: live.metadata,
    });
    const changed = configMap('a', 'from the hub');
    await on.client.patch(
      manifestWorks,
      { namespace: 'c1', name: 'w' },
      {
        spec: {
          workload: {
            manifests: [
              { ...changed, data: { ...changed.data, other: 'new' } },
            ],
          },
        },
      },
    );
    await on.until(manifestWorks, ([item]) =>
      item.status?.conditions?.some(
        ({ type, observedGeneration }) =>
          type === 'Applied' && observedGeneration === 2,
      ),
    );
    expect(store().get(refOf('a'))).toMatchObject({
      data: { other: 'new', value: 'scaled' },
    });
  });
});
