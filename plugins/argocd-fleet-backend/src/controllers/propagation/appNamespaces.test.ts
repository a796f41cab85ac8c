import type { TestBackend } from '@backstage/backend-test-utils';
import type { JsonObject } from '@backstage/types';
import {
  APP_NAMESPACE_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { parse } from 'yaml';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../../__testUtils__/fleetBackend';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import {
  managedCluster,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';

const TENANT = { namespace: 'tenant', name: 'app' };

/** A tenant’s Application in the namespace of Argo CD on its cluster, delivered before the configuration forbade that. */
describe('a hub that adopts the rule which namespace may use which of a cluster', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;

  beforeEach(async () => {
    testHub = await startTestHub();
    const { admin } = testHub;
    await testHub.provideNamespaces(NAMESPACE, 'tenant', 'one');
    await admin.create('clusters', managedCluster('one'));
    const decision = placementDecision('all', 'tenant');
    await provideDecision(admin, 'all', 'tenant');
    await testHub.patchStatus('decisions', decision.metadata, {
      decisions: [{ clusterName: 'one', reason: '' }],
    });
    await admin.create(
      'applications',
      pullApplication('app', 'one', {
        ...TENANT,
        annotations: {
          [MANAGED_CLUSTER_ANNOTATION]: 'one',
          [APP_NAMESPACE_ANNOTATION]: NAMESPACE,
        },
      }),
    );
  });

  afterEach(async () => {
    await backend?.stop();
    await testHub.stop();
  });

  async function start(propagation: JsonObject = {}) {
    await backend?.stop();
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: { propagation: { fullPassEvery: '100ms' } },
        propagation,
      }),
    });
  }

  async function run() {
    const { items } = await getControllers(backend!);
    return items.find(({ controller }) => controller === 'propagation')!;
  }

  async function findings(): Promise<readonly Finding[]> {
    return (await run()).findings;
  }

  const works = () => testHub.admin.list('works');
  const change = (targetRevision: string) =>
    testHub.admin.patch('applications', TENANT, {
      spec: { source: { targetRevision } },
    });

  it('keeps the work and no longer updates it, until the configuration that the finding names', async () => {
    await start({ appNamespaces: { tenant: [NAMESPACE] } });
    await waitFor(async () => (await works()).length === 1);
    const delivered = await works();
    expect(JSON.stringify(delivered)).toContain(`"namespace":"${NAMESPACE}"`);

    await start();
    const [finding] = await waitFor(async () => {
      const found = await findings();
      return found.length > 0 && found;
    });
    expect(finding).toMatchObject({ code: 'AFC-113', object: TENANT });
    await change('changed');
    for (let passes = 0; passes < 3; passes += 1) {
      const { lastPassAt } = await run();
      await waitFor(async () => (await run()).lastPassAt !== lastPassAt);
    }
    expect(
      (await works()).map(({ spec, metadata }) => [spec, metadata.uid]),
    ).toEqual(delivered.map(({ spec, metadata }) => [spec, metadata.uid]));

    const { argocdFleet } = parse(finding.fix!.command!);
    await start(argocdFleet.propagation);
    await waitFor(async () =>
      JSON.stringify(await works()).includes('changed'),
    );
    await waitFor(async () => (await findings()).length === 0);
    expect((await works()).map(({ metadata }) => metadata.uid)).toEqual(
      delivered.map(({ metadata }) => metadata.uid),
    );
  });
});
