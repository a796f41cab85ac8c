import {
  applicationWork,
  pulledApplication,
} from '../__testUtils__/applicationWork';
import { FleetOnHub, startHubForFleets } from '../__testUtils__/fleetOnHub';
import { manifestWorks } from '../kubernetes/resources';
import { ManifestWork, UpdateStrategy } from '../kubernetes/workTypes';

const SCENARIO = 'clusters: [{ name: c1 }]';
const WORK = { namespace: 'c1', name: 'app' };
const APPLICATION = {
  group: 'argoproj.io',
  resource: 'applications',
  namespace: 'openshift-gitops',
  name: 'app',
};
const WORKLOAD = ['Service', 'Deployment'];

const strategy = (updateStrategy: UpdateStrategy) => ({
  manifestConfigs: [{ resourceIdentifier: APPLICATION, updateStrategy }],
});
const SERVER_SIDE = strategy({
  type: 'ServerSideApply',
  serverSideApply: { force: true },
});
const { metadata, ...rest } = pulledApplication('app', 'demo');
const WITHOUT_FINALIZERS = {
  workload: {
    manifests: [{ ...rest, metadata: { ...metadata, finalizers: [] } }],
  },
};

type Spec = ManifestWork['spec'];

describe('the work of an Application that is deleted', () => {
  let on: FleetOnHub;
  beforeEach(async () => {
    on = await startHubForFleets();
  });
  afterEach(() => on.stop());

  it.each<[string, Spec, Spec, { application: boolean; workload: string[] }]>([
    [
      'takes Application and workload along',
      {},
      undefined,
      { application: false, workload: [] },
    ],
    [
      'takes both along when it is frozen',
      {},
      strategy({ type: 'ReadOnly' }),
      { application: false, workload: [] },
    ],
    [
      'leaves both when it gave up the Application',
      {},
      {
        ...strategy({ type: 'CreateOnly' }),
        deleteOption: {
          propagationPolicy: 'SelectivelyOrphan',
          selectivelyOrphans: { orphaningRules: [APPLICATION] },
        },
      },
      { application: true, workload: WORKLOAD },
    ],
    [
      'leaves the workload when it took the finalizers off',
      {},
      { ...SERVER_SIDE, ...WITHOUT_FINALIZERS },
      { application: false, workload: WORKLOAD },
    ],
    [
      'takes both along when an update cannot take the finalizers off',
      {},
      { ...strategy({ type: 'Update' }), ...WITHOUT_FINALIZERS },
      { application: false, workload: [] },
    ],
    [
      'takes both along when an update made the finalizers',
      strategy({ type: 'Update' }),
      { ...SERVER_SIDE, ...WITHOUT_FINALIZERS },
      { application: false, workload: [] },
    ],
  ])('%s', async (_, created, changed, left) => {
    const fleet = await on.start(SCENARIO);
    const { store, workloads } = fleet.clusters.get('c1')!;
    const work = applicationWork('c1', 'app');
    await on.client.create(manifestWorks, {
      ...work,
      spec: { ...work.spec, ...created },
    });
    const isApplied = ({ status }: ManifestWork, generation: number) =>
      status?.conditions?.some(
        ({ type, observedGeneration }) =>
          type === 'Applied' && observedGeneration === generation,
      );
    await on.until(manifestWorks, ([item]) => item && isApplied(item, 1));
    await new Promise<void>(resolve => {
      const check = () => workloads.list().length > 0 && resolve();
      store.onChange(() => setImmediate(check));
      check();
    });
    if (changed) {
      await on.client.patch(manifestWorks, WORK, { spec: changed });
      await on.until(manifestWorks, ([item]) => isApplied(item, 2));
    }
    await on.client.delete(manifestWorks, WORK);
    await on.until(manifestWorks, items => items.length === 0);
    expect({
      application: store.get(APPLICATION) !== undefined,
      workload: workloads.list().map(({ kind }) => kind),
    }).toEqual(left);
  });
});
