import type { TestBackend } from '@backstage/backend-test-utils';
import {
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { syncedStatus } from '../../__testUtils__/agentReport';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../../__testUtils__/fleetBackend';
import {
  decisionFor,
  namespacesAndClusters,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import { workLabel } from './__testUtils__/scenario';

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';
const CLUSTERS = ['one', 'two', 'last'];

/** OCM's maximum of clusters in one PlacementDecision. */
const DECISION_SIZE = 100;

/**
 * Defects of the existing pull-model controllers that concern propagation. "Item" is an item of section 4 of the
 * pull-model contract.
 */
describe('propagation avoids the known defects:', () => {
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
        ...namespacesAndClusters(CLUSTERS),
        decisionFor(['one', 'two', ...others]),
        decisionFor(['last'], 'all-decision-2'),
      ],
    });
    backend = await startFleetBackend({
      argocdFleet: oneHub(hub.kubeconfigPath, {
        controllers: { propagation: { fullPassEvery: '10m' } },
      }),
    });
    await deliver('one');
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
    await hub.admin.create('applications', { ...application, ...more });
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

  async function deliver(...args: Parameters<typeof apply>) {
    const application = await apply(...args);
    await waitFor(() => workOf(application));
    return application;
  }

  it('item 2: the hub Application’s destination stays unchanged', async () => {
    const spec = {
      ...pullApplication('any', 'one').spec,
      destination: { name: 'somewhere', namespace: '' },
    };
    const application = await deliver('one', { spec });
    await hub.admin.patch('applications', application.metadata, {
      metadata: { labels: { team: 'blue' } },
    });
    await waitFor(async () => {
      const payload = await payloadOf(application);
      return payload?.metadata.labels?.team === 'blue';
    });
    const now = await hub.admin.get('applications', application.metadata);
    expect(now?.spec).toEqual(spec);
  });

  it('item 6: an Application without the pull label keeps its work, and a person is told', async () => {
    const application = await deliver('one');
    await hub.admin.patch('applications', application.metadata, {
      metadata: { labels: { [PULL_LABEL]: null } },
    });
    await waitFor(async () => {
      const { items } = await getControllers(backend);
      return JSON.stringify(items).includes('AFC-121');
    });
    expect(await labelsOf(application)).toEqual([
      `one ${application.metadata.name}`,
    ]);
  });

  it('item 6: an Application with another cluster loses its previous work once it is synced there', async () => {
    const application = await deliver('one');
    const { name } = application.metadata;
    await hub.admin.patch('applications', application.metadata, {
      metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'two' } },
    });
    await waitFor(async () => (await labelsOf(application)).length === 2);
    for (const work of await hub.works()) {
      if (workLabel(work) === `two ${name}`) {
        await hub.patchStatus(
          'works',
          { namespace: 'two', name: work.metadata.name },
          syncedStatus(work),
        );
      }
    }
    await waitFor(async () => {
      expect(await labelsOf(application)).toEqual([`two ${name}`]);
      return true;
    });
  });

  it('item 10: an Application without a work can be deleted', async () => {
    const { metadata } = await apply('nowhere', {}, [FINALIZER]);
    await hub.admin.delete('applications', metadata);
    await waitFor(async () => !(await hub.admin.get('applications', metadata)));
    expect(hub.deletedWorks()).not.toContain(`nowhere ${metadata.name}`);
  });

  it('item 11: an operation that Argo CD removes on the cluster is not restored', async () => {
    const application = await deliver('one');
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

  it('item 13: a cluster in the second decision of its Placement gets its works', async () => {
    const application = await deliver('last');
    expect(await labelsOf(application)).toEqual([
      `last ${application.metadata.name}`,
    ]);
  });

  it('item 18: an Application deleted without a finalizer loses its work', async () => {
    const application = await deliver('one');
    await hub.admin.delete('applications', application.metadata);
    await waitFor(async () => !(await workOf(application)));
    expect(hub.deletedWorks()).toContain(`one ${application.metadata.name}`);
  });

  it('item 20: a new Application costs one create and no other request', async () => {
    const from = hub.backendRequests().length;
    const applications = [];
    for (let index = 0; index < 20; index += 1) {
      applications.push(await apply('two'));
    }
    for (const application of applications) {
      await waitFor(() => workOf(application));
    }
    const sent = hub
      .backendRequests()
      .slice(from)
      .filter(({ verb }) => verb !== 'watch');
    expect(sent.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(
      applications.map(() => 'create manifestworks'),
    );
  });

  it('item 21: an operation stays in the work until the agent is back', async () => {
    const operation = { sync: { revision: 'abc' } };
    const application = await apply('one', { operation });
    await waitFor(async () => {
      const now = await hub.admin.get('applications', application.metadata);
      return now?.operation === undefined;
    });
    expect((await payloadOf(application))?.operation).toMatchObject(operation);
    await hub.admin.patch('applications', application.metadata, {
      metadata: { labels: { team: 'blue' } },
    });
    const payload = await waitFor(async () => {
      const it = await payloadOf(application);
      return it?.metadata.labels?.team === 'blue' && it;
    });
    expect(payload.operation).toMatchObject(operation);
  });
});
