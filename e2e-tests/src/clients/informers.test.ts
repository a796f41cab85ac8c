import { randomBytes } from 'node:crypto';
import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObject,
  makeInformer,
} from '@kubernetes/client-node';
import { HubFaults, startHubFaults } from 'hub-faults';
import { eventually } from '../contract/conditions';
import { HUBS_TO_TRY } from './hubsToTry';

jest.setTimeout(60_000);

const APPLICATIONS = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'applications',
};

function application(name: string) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name },
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example/a.git', path: 'a' },
      destination: {
        server: 'https://kubernetes.default.svc',
        namespace: 'a',
      },
    },
  };
}

describe.each(HUBS_TO_TRY)('informers on $name', ({ start }) => {
  const namespace = `informers-${randomBytes(3).toString('hex')}`;
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

  /** An informer of Applications, and what it has told. */
  async function follow(config: KubeConfig) {
    const api = config.makeApiClient(CustomObjectsApi);
    const informer = makeInformer<KubernetesObject>(
      config,
      `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applications`,
      () => api.listNamespacedCustomObject({ ...APPLICATIONS, namespace }),
    );
    const told: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata }) =>
        told.push(`${verb} ${metadata?.name}`),
      );
    }
    let following = true;
    // The library stops at errors other than 410, which an end is too; its users start it again.
    informer.on('error', () => {
      if (following) {
        void informer.start();
      }
    });
    await informer.start();
    const end = () => {
      following = false;
      return informer.stop();
    };
    return { informer, told, end };
  }

  const api = () => direct.makeApiClient(CustomObjectsApi);
  const create = (name: string) =>
    api().createNamespacedCustomObject({
      ...APPLICATIONS,
      namespace,
      body: application(name),
    });
  const remove = (name: string) =>
    api().deleteNamespacedCustomObject({ ...APPLICATIONS, namespace, name });

  it('tell of everything, once', async () => {
    await create('before');
    const { informer, told, end } = await follow(direct);
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
        () => told,
        events => events.length >= 5,
      );
      expect(told).toEqual([
        'add before',
        'add after',
        'update after',
        'delete before',
        'delete after',
      ]);
      expect(informer.list()).toEqual([]);
    } finally {
      await end();
    }
  });

  it('get over a 410, a refusal and broken connections in between', async () => {
    const expired = faults.add({ type: 'watchExpired', count: 1 });
    const { informer, end } = await follow(throughFaults);
    const knows = (...names: string[]) =>
      eventually(
        () =>
          informer
            .list()
            .map(({ metadata }) => metadata?.name)
            .sort(),
        known => known.join() === names.join(),
        30_000,
      );
    try {
      await create('one');
      await knows('one');
      expect(expired.hits()).toBe(1);
      const refusal = faults.add({ type: 'serverError', count: 1 });
      faults.dropConnections();
      await create('two');
      await knows('one', 'two');
      expect(refusal.hits()).toBe(1);
      faults.dropConnections();
      await remove('one');
      await knows('two');
    } finally {
      await end();
    }
  });
});
