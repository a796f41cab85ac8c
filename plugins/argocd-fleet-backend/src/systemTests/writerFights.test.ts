import type { TestBackend } from '@backstage/backend-test-utils';
import {
  APPLICATION_SET_LABEL,
  type ArgoApplicationSet,
  type ControllerRun,
  type Finding,
  type GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { applyRbac, deployedRbacFor } from '../__testUtils__/deployedRbac';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../__testUtils__/hubFixture';
import {
  managedCluster,
  NAMESPACE,
  ownedBy,
  placementDecision,
  pullApplication,
  pullApplicationSet,
} from '../__testUtils__/objects';
import { waitFor } from '../__testUtils__/waitFor';

/** Writes of ours that the other may undo before they are made more rarely: the first, and three more. */
const UNDONE_AT_ONCE = 4;

/** Each controller beside another writer that undoes what it writes as soon as it sees it. */
describe('writes that another writer undoes', () => {
  let testHub: TestHub;
  let backend: TestBackend;
  let admin: TestHub['admin'];

  beforeAll(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, 'one');
    await applyRbac(admin.client, deployedRbacFor(NAMESPACE));
    await admin.create('clusters', managedCluster('one', { region: 'eu' }));
    await provideDecision(admin);
    await testHub.patchStatus('decisions', placementDecision('all').metadata, {
      decisions: [{ clusterName: 'one', reason: '' }],
    });
    await admin.create(
      'applicationSets',
      pullApplicationSet('shop') as ArgoApplicationSet,
    );
    const set = await admin.get('applicationSets', named('shop'));
    await admin.create(
      'applications',
      pullApplication('app', 'one', ownedBy(set)),
    );
    const importer: GitOpsCluster = {
      apiVersion: 'apps.open-cluster-management.io/v1beta1',
      kind: 'GitOpsCluster',
      metadata: named('importer'),
      spec: {
        argoServer: { argoNamespace: NAMESPACE },
        placementRef: { kind: 'Placement', name: 'all' },
      },
    };
    await admin.create('gitOpsClusters', importer);
    const often = { fullPassEvery: '100ms' };
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: {
          clusterImport: often,
          propagation: often,
          applicationStatus: often,
          aggregation: often,
          resourceSync: often,
        },
      }),
    });
  });

  afterAll(async () => {
    await backend?.stop();
    await testHub.stop();
  });

  function named(name: string) {
    return { namespace: NAMESPACE, name };
  }

  const SECRET = named('one-cluster-secret');

  async function work() {
    return (await admin.list('works'))[0];
  }

  /** The finding about objects of that kind. */
  async function findingAbout(kind: string): Promise<Finding | undefined> {
    const { body } = await request(backend.server).get(
      '/api/argocd-fleet/controllers',
    );
    return (body.items as ControllerRun[])
      .flatMap(({ findings }) => findings)
      .find(({ code, object }) => code === 'AFC-131' && object?.kind === kind);
  }

  it.each<
    [
      kind: string,
      part: string,
      isWritten: () => Promise<unknown>,
      undo: () => Promise<unknown>,
    ]
  >([
    [
      'ManifestWork',
      'the labels, annotations or update strategies of the ManifestWork one/',
      async () => (await work())?.metadata.labels?.[APPLICATION_SET_LABEL],
      async () =>
        admin.patch('works', (await work()).metadata, {
          metadata: { labels: { [APPLICATION_SET_LABEL]: null } },
        }),
    ],
    [
      'MulticlusterApplicationSetReport',
      `the MulticlusterApplicationSetReport ${NAMESPACE}/shop`,
      async () =>
        (await admin.get('reports', named('shop')))?.statuses?.summary
          ?.clusters === '1',
      () =>
        admin.patch('reports', named('shop'), {
          statuses: { summary: { clusters: '7' } },
        }),
    ],
    [
      'GitOpsCluster',
      `the status of the GitOpsCluster ${NAMESPACE}/importer`,
      async () =>
        (await admin.get('gitOpsClusters', named('importer')))?.status?.phase,
      () =>
        testHub.patchStatus('gitOpsClusters', named('importer'), {
          phase: null,
        }),
    ],
    [
      'Secret',
      `the Secret ${NAMESPACE}/one-cluster-secret`,
      async () =>
        (await admin.get('clusterSecrets', SECRET))?.metadata.labels?.region,
      () =>
        admin.patch('clusterSecrets', SECRET, {
          metadata: { labels: { region: null } },
        }),
    ],
  ])(
    'are made more rarely, and reported: %s',
    async (kind, what, isWritten, undo) => {
      let undone = 0;
      while (!(await findingAbout(kind))) {
        expect(undone).toBeLessThanOrEqual(UNDONE_AT_ONCE);
        if (await isWritten()) {
          await undo();
          undone += 1;
        }
      }
      expect(undone).toBeGreaterThanOrEqual(UNDONE_AT_ONCE - 1);
      expect((await findingAbout(kind))?.message).toContain(
        `Another writer changes ${what}`,
      );
      // It is written in the end: the other may be gone.
      await waitFor(isWritten);
    },
  );
});
