import { pulledApplication } from '../__testUtils__/applicationWork';
import {
  createSimulatedClusters,
  SimulatedCluster,
} from '../cluster/simulatedCluster';
import { Application } from '../kubernetes/argocdTypes';
import { createClock } from '../runtime/clock';
import { silentLogger } from '../runtime/logger';
import { parseScenario } from '../scenario/loadScenario';
import { startSpokeArgoCds } from './spokeArgoCd';

const RESOURCES = 'resources-finalizer.argocd.argoproj.io';
const NAMES = ['Service/web', 'Deployment/web', 'Rollout/api'];
const SCENARIO = `
clusters: [{ name: c1 }]
workloads:
  - path: demo
    resources:
      - { version: v1, kind: Service, name: web }
      - { group: apps, version: v1, kind: Deployment, name: web }
      - { group: argoproj.io, version: v1alpha1, kind: Rollout, name: api }
timings: { outOfSyncSeconds: 0, syncSeconds: 0, progressingSeconds: 0, pruneSeconds: 0 }
`;

const refOf = (name: string) => ({
  group: 'argoproj.io',
  resource: 'applications',
  namespace: 'openshift-gitops',
  name,
});

describe('the deletion of an Application on its cluster', () => {
  let cluster: SimulatedCluster;
  let stop: () => void;
  beforeEach(() => {
    const abort = new AbortController();
    const clock = createClock(1000);
    const clusters = createSimulatedClusters(
      parseScenario(SCENARIO, 'the test'),
    );
    cluster = clusters.get('c1')!;
    startSpokeArgoCds({
      clusters,
      clock,
      logger: silentLogger,
      signal: abort.signal,
      timings: {
        outOfSyncMs: 0,
        syncMs: 0,
        progressingMs: 0,
        pruneMs: 0,
        retryMs: 0,
      },
    });
    stop = () => {
      abort.abort();
      clock.stop();
    };
  });
  afterEach(() => stop());

  const get = (name: string) =>
    cluster.store.get(refOf(name)) as Application | undefined;
  const until = (check: () => boolean) =>
    new Promise<void>(resolve => {
      const look = () => check() && resolve();
      cluster.store.onChange(() => setImmediate(look));
      look();
    });
  const running = () =>
    cluster.workloads.list().map(({ kind, name }) => `${kind}/${name}`);
  const rollouts = () => cluster.store.list('argoproj.io', 'rollouts');
  const deploy = async (name: string, finalizers: string[]) => {
    const application = pulledApplication(name, 'demo');
    cluster.store.put({
      ...application,
      metadata: { ...application.metadata, finalizers },
    });
    await until(() => get(name)?.status?.operationState?.phase === 'Succeeded');
    await until(() => rollouts().length === 1);
  };

  it.each([
    ['takes its workload along', [RESOURCES], true],
    ['takes its workload along', [`${RESOURCES}/background`], true],
    ['takes its workload along', [`${RESOURCES}/foreground`], true],
    ['leaves its workload', [], false],
    [
      'leaves its workload',
      ['post-delete-finalizer.argocd.argoproj.io/cleanup'],
      false,
    ],
  ])('%s with the finalizers %j', async (_, finalizers, taken) => {
    await deploy('app', finalizers);
    expect(running()).toEqual(NAMES);
    cluster.store.delete(refOf('app'));
    await until(() => !get('app'));
    expect(running()).toEqual(taken ? [] : NAMES);
    expect(rollouts()).toHaveLength(taken ? 0 : 1);
  });

  it('waits for finalizers that are not those of Argo CD', async () => {
    await deploy('app', [RESOURCES, 'example.com/wait']);
    cluster.store.delete(refOf('app'));
    await until(() => running().length === 0);
    expect(get('app')?.metadata.finalizers).toEqual(['example.com/wait']);
  });

  it('leaves the workload to the Application that deployed it later', async () => {
    await deploy('old', [RESOURCES]);
    await deploy('new', []);
    cluster.store.delete(refOf('old'));
    await until(() => !get('old'));
    expect(running()).toEqual(NAMES);
  });
});
