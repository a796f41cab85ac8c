import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestBackend } from '@backstage/backend-test-utils';
import {
  MANAGED_CLUSTER_ANNOTATION,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { startEmbeddedHub, type EmbeddedHub } from 'embedded-hub';
import { generateFleet, type FleetPlan } from 'simulated-fleet';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../__testUtils__/fleetBackend';
import {
  adminClientWith,
  clientOf,
  type AdminClient,
} from '../__testUtils__/hubFixture';
import { numberOfCases } from '../__testUtils__/randomCases';
import {
  openSqliteService,
  type SqliteService,
} from '../__testUtils__/sqliteService';
import { waitFor } from '../__testUtils__/waitFor';
import { CONTROLLER_NAMES } from '../config/controllerNames';
import { FLEET_RESOURCES } from '../fleet/resources';
import { buildManifestWork } from '../model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../model/manifestwork/workPlan';

// The fleet of the long run takes a minute to vanish.
jest.setTimeout(300_000);

const CLUSTERS = numberOfCases({ test: 500, long: 3_500 });
/** Argo CD's controller deletes one Application after the other; this is faster. */
const AT_ONCE = 10;

/** The hub of a fleet on which one ApplicationSet runs everywhere. */
function settledFleet() {
  const buildWork = (application: ArgoApplication) => {
    const { name, uid = '', annotations } = application.metadata;
    const cluster = annotations?.[MANAGED_CLUSTER_ANNOTATION] ?? '';
    return buildManifestWork(
      application,
      { cluster, name: `${name}-${uid.slice(0, 5)}` },
      DEFAULT_PROPAGATION,
    );
  };
  return generateFleet({
    seed: 'emptied placement',
    clusters: CLUSTERS,
    applicationSets: 1,
    // The two packages declare the same API object with different types.
    buildWork: buildWork as unknown as FleetPlan['buildWork'],
  });
}

describe(`an ApplicationSet on ${CLUSTERS} clusters whose Placement selects nothing any more`, () => {
  let folder: string;
  let hub: EmbeddedHub;
  let admin: AdminClient;
  let backend: TestBackend;
  let database: SqliteService;

  async function start(batchMs: number) {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-emptied-'));
    const kubeconfigPath = join(folder, 'kubeconfig');
    hub = await startEmbeddedHub({ kubeconfigPath, snapshot: settledFleet() });
    admin = adminClientWith(clientOf(kubeconfigPath));
    database = openSqliteService();
    backend = await startFleetBackend({
      argocdFleet: oneHub(kubeconfigPath, {
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
    await waitFor(async () => (await run()).objects === CLUSTERS);
  }

  afterEach(async () => {
    await backend?.stop();
    await database?.close();
    await admin?.client.close();
    await hub?.stop();
    await rm(folder, { recursive: true });
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
    const { decisions } = FLEET_RESOURCES;
    for (const { metadata } of await admin.list('decisions')) {
      await admin.client.patch(
        decisions,
        metadata,
        { status: { decisions: [] } },
        { subresource: 'status' },
      );
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

  /** In the status of the set, which lists what it generates. */
  async function forgetApplications() {
    const [{ metadata }] = await admin.list('applicationSets');
    await admin.client.patch(
      FLEET_RESOURCES.applicationSets,
      metadata,
      { status: { resources: [], resourcesCount: 0 } },
      { subresource: 'status' },
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
        await forgetApplications();
      },
    ],
    [
      'for longer than a batch waits',
      1_000,
      async () => {
        await forgetApplications();
        let deleted = 0;
        await deleteApplications(async () => {
          deleted += AT_ONCE;
          await waitFor(async () => (await counted()) >= deleted);
        });
      },
    ],
  ])('keeps all works: Applications vanish %s', async (_, batchMs, vanish) => {
    await start(batchMs);
    expect(await admin.list('works')).toHaveLength(CLUSTERS);
    hub.clearRequests();
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
      hub.requests.filter(
        ({ verb, resource }) =>
          verb.startsWith('delete') && resource === 'manifestworks',
      ),
    ).toEqual([]);
  });
});
