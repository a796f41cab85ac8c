import type { TestBackend } from '@backstage/backend-test-utils';
import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../__testUtils__/fleetBackend';
import {
  provideDecidedClusters,
  startTestHub,
  type AdminClient,
  type TestHub,
} from '../__testUtils__/hubFixture';
import {
  NAMESPACE,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../__testUtils__/objects';
import { numberOfCases } from '../__testUtils__/randomCases';
import {
  openSqliteService,
  type SqliteService,
} from '../__testUtils__/sqliteService';
import { waitFor } from '../__testUtils__/waitFor';
import { CONTROLLER_NAMES } from '../config/controllerNames';
import { FLEET_RESOURCES } from '../fleet/resources';

// The fleet of the long run takes a minute to vanish.
jest.setTimeout(300_000);

const CLUSTERS = numberOfCases({ test: 500, long: 3_500 });
/** Argo CD's controller deletes one Application after the other; this is faster. */
const AT_ONCE = 10;

const SET = 'everywhere';
const NAMES = Array.from(
  { length: CLUSTERS },
  (_, index) => `edge-${String(index).padStart(4, '0')}`,
);

describe(`an ApplicationSet on ${CLUSTERS} clusters whose Placement selects nothing any more`, () => {
  let testHub: TestHub;
  let admin: AdminClient;
  let backend: TestBackend;
  let database: SqliteService;

  /** As OCM and Argo CD do once the Placement selects all clusters. */
  async function provideFleet() {
    await provideDecidedClusters(testHub, NAMES);
    await admin.create('applicationSets', pullApplicationSet(SET));
    const set = await admin.get('applicationSets', {
      namespace: NAMESPACE,
      name: SET,
    });
    const applications = NAMES.map(cluster =>
      pullApplication(`${cluster}-${SET}`, cluster, {
        ...ownedBy(set),
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
      }),
    );
    await Promise.all(
      applications.map(each => admin.create('applications', each)),
    );
    await generates(applications);
  }

  async function start(batchMs: number) {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await provideFleet();
    database = openSqliteService();
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: {
          ...Object.fromEntries(
            CONTROLLER_NAMES.map(name => [name, { mode: 'off' }]),
          ),
          propagation: { fullPassEvery: '500ms' },
        },
      }),
      database: database.service,
      plugin: { removalTimes: { batchMs } },
    });
    await waitFor(async () => (await admin.list('works')).length === CLUSTERS);
  }

  afterEach(async () => {
    await backend?.stop();
    await database?.close();
    await testHub?.stop();
  });

  async function run() {
    const { items } = await getControllers(backend);
    return items.find(({ controller }) => controller === 'propagation')!;
  }

  async function held() {
    return (await run()).findings.filter(({ code }) => code === 'AFC-126');
  }

  /** As OCM does when no cluster matches. */
  async function emptyDecisions() {
    for (const { metadata } of await admin.list('decisions')) {
      await testHub.patchStatus('decisions', metadata, { decisions: [] });
    }
  }

  function deleteApplication({ metadata }: ArgoApplication) {
    const { namespace, name, uid = '' } = metadata;
    return admin.client.delete(
      FLEET_RESOURCES.applications,
      { namespace, name },
      { uid },
    );
  }

  /** As Argo CD's controller does for those that a set no longer generates. */
  async function deleteApplications(onDeleted: () => Promise<void>) {
    const left = [...(await admin.list('applications'))];
    while (left.length > 0) {
      await Promise.all(left.splice(0, AT_ONCE).map(deleteApplication));
      await onDeleted();
    }
  }

  /** Says in the status of the set what it generates. */
  function generates(applications: readonly ArgoApplication[]) {
    const resources = applications.map(({ metadata }) => ({
      ...{ group: 'argoproj.io', version: 'v1alpha1', kind: 'Application' },
      ...{ namespace: metadata.namespace, name: metadata.name },
    }));
    return testHub.patchStatus(
      'applicationSets',
      { namespace: NAMESPACE, name: SET },
      { resources, resourcesCount: resources.length },
    );
  }

  async function counted(): Promise<number> {
    const [{ count }] = await database
      .knex('work_removals')
      .count({ count: '*' });
    return Number(count);
  }

  it.each<[string, number, () => Promise<void>]>([
    [
      'at once',
      2_000,
      async () => {
        await deleteApplications(async () => {});
        await generates([]);
      },
    ],
    [
      'for longer than a batch waits',
      1_000,
      async () => {
        await generates([]);
        let deleted = 0;
        await deleteApplications(async () => {
          deleted += AT_ONCE;
          await waitFor(async () => (await counted()) >= deleted);
        });
      },
    ],
  ])('keeps all works: Applications vanish %s', async (_, batchMs, vanish) => {
    await start(batchMs);
    testHub.clearRequests();
    await emptyDecisions();
    await vanish();
    await waitFor(async () => (await held()).length > 0);
    expect((await held()).map(({ title }) => title)).toEqual([
      `${CLUSTERS} deletions are held`,
    ]);
    // Held are works, never Applications.
    await waitFor(async () => (await admin.list('applications')).length === 0);
    expect(await admin.list('works')).toHaveLength(CLUSTERS);
    expect(
      testHub
        .writes()
        .filter(write => write.startsWith('delete manifestworks')),
    ).toEqual([]);
  });
});
