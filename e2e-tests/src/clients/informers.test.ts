import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObject,
  makeInformer,
} from '@kubernetes/client-node';
import { HubFaults, startHubFaults } from 'hub-faults';
import { RUN } from '../environment';
import { applicationManifest } from '../hub/manifests';
import { eventually } from '../polling';
import { TESTED_HUBS } from './testedHubs';

const APPLICATIONS = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'applications',
};

describe.each(TESTED_HUBS)('informers on $name', ({ start }) => {
  const namespace = `informers-${RUN}`;
  const direct = new KubeConfig();
  const throughFaults = new KubeConfig();
  let faults: HubFaults;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const hub = await start();
    stop = hub.stop;
    direct.loadFromString(hub.kubeconfig);
    faults = await startHubFaults({ target: { kubeconfig: hub.kubeconfig } });
    throughFaults.loadFromString(faults.kubeconfig());
    await direct.makeApiClient(CoreV1Api).createNamespace({
      body: { metadata: { name: namespace } },
    });
  });
  afterAll(async () => {
    await direct.makeApiClient(CoreV1Api).deleteNamespace({ name: namespace });
    await faults.stop();
    await stop();
  });

  /** An informer of Applications that records its events. */
  async function startInformer(config: KubeConfig) {
    const api = config.makeApiClient(CustomObjectsApi);
    const informer = makeInformer<KubernetesObject>(
      config,
      `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applications`,
      () => api.listNamespacedCustomObject({ ...APPLICATIONS, namespace }),
    );
    const events: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata }) =>
        events.push(`${verb} ${metadata?.name}`),
      );
    }
    let isStarted = true;
    // The library stops at the end of a watch and at errors other than 410; its users restart it.
    informer.on('error', () => {
      if (isStarted) {
        void informer.start();
      }
    });
    await informer.start();
    const stopInformer = () => {
      isStarted = false;
      return informer.stop();
    };
    return { informer, events, stopInformer };
  }

  const api = () => direct.makeApiClient(CustomObjectsApi);
  const create = (name: string) =>
    api().createNamespacedCustomObject({
      ...APPLICATIONS,
      namespace,
      body: applicationManifest(name),
    });
  const remove = (name: string) =>
    api().deleteNamespacedCustomObject({ ...APPLICATIONS, namespace, name });

  it('report every change once', async () => {
    await create('before');
    const { informer, events, stopInformer } = await startInformer(direct);
    try {
      await create('after');
      await api().patchNamespacedCustomObject({
        ...APPLICATIONS,
        namespace,
        name: 'after',
        body: [{ op: 'replace', path: '/spec/project', value: 'other' }],
      });
      await remove('before');
      await remove('after');
      await eventually(
        () => events,
        recorded => recorded.length >= 5,
      );
      expect(events).toEqual([
        'add before',
        'add after',
        'update after',
        'delete before',
        'delete after',
      ]);
      expect(informer.list()).toEqual([]);
    } finally {
      await stopInformer();
    }
  });

  it('recover from a 410, a server error and broken connections', async () => {
    const expired = faults.add({ type: 'watchExpired', count: 1 });
    const { informer, stopInformer } = await startInformer(throughFaults);
    const waitForNames = (...names: string[]) =>
      eventually(
        () =>
          informer
            .list()
            .map(({ metadata }) => metadata?.name)
            .sort(),
        found => found.join() === names.join(),
      );
    try {
      await create('one');
      await waitForNames('one');
      expect(expired.hits()).toBe(1);
      const serverError = faults.add({ type: 'serverError', count: 1 });
      faults.dropConnections();
      await create('two');
      await waitForNames('one', 'two');
      expect(serverError.hits()).toBe(1);
      faults.dropConnections();
      await remove('one');
      await waitForNames('two');
    } finally {
      await stopInformer();
    }
  });
});
