import type { TestBackend } from '@backstage/backend-test-utils';
import {
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  type ArgoApplication,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  managedCluster,
  namespace,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import { workLabel } from './__testUtils__/scenario';

jest.setTimeout(90_000);

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';
const CLUSTERS = ['one', 'two', 'last'];

/** OCM puts at most so many clusters into one decision. */
const DECISION_SIZE = 100;

function decision(name: string, clusters: readonly string[]): KubernetesObject {
  const { metadata, ...rest } = placementDecision('all');
  return {
    ...rest,
    metadata: { ...metadata, name },
    status: {
      decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
    },
  } as KubernetesObject;
}

/** What goes wrong in the systems that exist, as the contract of the pull model lists it, where propagation is concerned. */
describe('propagation does not repeat', () => {
  let hub: FaultyHub;
  let backend: TestBackend;
  let count = 0;

  beforeAll(async () => {
    const others = Array.from(
      { length: DECISION_SIZE - 2 },
      (_, index) => `other-${index}`,
    );
    hub = await startFaultyHub({
      snapshot: [
        ...[NAMESPACE, ...CLUSTERS].map(namespace),
        ...CLUSTERS.map(name => managedCluster(name)),
        decision('all-decision-1', ['one', 'two', ...others]),
        decision('all-decision-2', ['last']),
      ],
    });
    backend = await startFleetBackend({
      argocdFleet: oneHub(hub.kubeconfigPath, {
        controllers: { propagation: { fullPassEvery: '10m' } },
      }),
    });
    await delivered(await apply('one'));
  });

  afterAll(async () => {
    await backend.stop();
    await hub.stop();
  });

  async function apply(
    cluster: string,
    more: Partial<ArgoApplication> = {},
    finalizers: string[] = [],
  ): Promise<ArgoApplication> {
    count += 1;
    const application = pullApplication(`app-${count}`, cluster, {
      finalizers,
    });
    await hub.somebody.create('applications', { ...application, ...more });
    return application;
  }

  const labelsOf = async ({ metadata }: ArgoApplication) =>
    (await hub.works())
      .map(workLabel)
      .filter(label => label.endsWith(` ${metadata.name}`));

  async function workOf(application: ArgoApplication) {
    const works = await hub.works();
    return works.find(work =>
      workLabel(work).endsWith(` ${application.metadata.name}`),
    );
  }

  async function payloadOf(application: ArgoApplication) {
    const work = await workOf(application);
    return work?.spec.workload?.manifests?.[0] as ArgoApplication | undefined;
  }

  async function delivered(application: ArgoApplication) {
    await waitFor(() => workOf(application));
    return application;
  }

  it('item 2: the hub Application’s own destination stays as it was written', async () => {
    const spec = {
      ...pullApplication('any', 'one').spec,
      destination: { name: 'somewhere', namespace: '' },
    };
    const application = await delivered(await apply('one', { spec }));
    await hub.somebody.patch('applications', application.metadata, {
      metadata: { labels: { team: 'blue' } },
    });
    await waitFor(async () => {
      const payload = await payloadOf(application);
      return payload?.metadata.labels?.team === 'blue';
    });
    const now = await hub.somebody.get('applications', application.metadata);
    expect(now?.spec).toEqual(spec);
  });

  it.each([
    ['without the pull label', { labels: { [PULL_LABEL]: null } }, []],
    [
      'that goes elsewhere',
      { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'two' } },
      ['two'],
    ],
  ])(
    'item 6: an Application %s leaves nothing where it was',
    async (_, metadata, clusters) => {
      const application = await delivered(await apply('one'));
      await hub.somebody.patch('applications', application.metadata, {
        metadata,
      });
      await waitFor(async () => {
        expect(await labelsOf(application)).toEqual(
          clusters.map(cluster => `${cluster} ${application.metadata.name}`),
        );
        return true;
      });
    },
  );

  it('item 10: an Application goes whose work never existed', async () => {
    const { metadata } = await apply('nowhere', {}, [FINALIZER]);
    await hub.somebody.delete('applications', metadata);
    await waitFor(
      async () => !(await hub.somebody.get('applications', metadata)),
    );
    expect(hub.deletedWorks()).not.toContain(`nowhere ${metadata.name}`);
  });

  it('item 11: an operation that Argo CD takes off on the cluster is not put back', async () => {
    const application = await delivered(await apply('one'));
    const work = await workOf(application);
    expect(
      work?.spec.manifestConfigs?.[0].updateStrategy?.serverSideApply,
    ).toMatchObject({
      force: true,
      ignoreFields: [
        {
          condition: 'OnSpokeChange',
          jsonPaths: [
            '.operation',
            '.metadata.annotations["argocd.argoproj.io/refresh"]',
          ],
        },
      ],
    });
  });

  it('item 13: a cluster is delivered to that stands in the second decision of its Placement', async () => {
    const application = await delivered(await apply('last'));
    expect(await labelsOf(application)).toEqual([
      `last ${application.metadata.name}`,
    ]);
  });

  it('item 18: the work goes of an Application that went without a finalizer', async () => {
    const application = await delivered(await apply('one'));
    await hub.somebody.delete('applications', application.metadata);
    await waitFor(async () => !(await workOf(application)));
    expect(hub.deletedWorks()).toContain(`one ${application.metadata.name}`);
  });

  it('item 20: a new Application costs one create and not one other request', async () => {
    const from = hub.backendRequests().length;
    const applications = [];
    for (let index = 0; index < 20; index += 1) {
      applications.push(await apply('two'));
    }
    for (const application of applications) {
      await delivered(application);
    }
    const asked = hub
      .backendRequests()
      .slice(from)
      .filter(({ verb }) => verb !== 'watch');
    expect(asked.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(
      applications.map(() => 'create manifestworks'),
    );
  });

  it('item 21: an operation waits in the work for an agent that is away', async () => {
    const operation = { sync: { revision: 'abc' } };
    const application = await apply('one', { operation });
    await waitFor(async () => {
      const now = await hub.somebody.get('applications', application.metadata);
      return now?.operation === undefined;
    });
    expect((await payloadOf(application))?.operation).toMatchObject(operation);
    await hub.somebody.patch('applications', application.metadata, {
      metadata: { labels: { team: 'blue' } },
    });
    const payload = await waitFor(async () => {
      const it = await payloadOf(application);
      return it?.metadata.labels?.team === 'blue' && it;
    });
    expect(payload.operation).toMatchObject(operation);
  });
});
