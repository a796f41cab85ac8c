import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ApplicationSetList,
  ClusterList,
  Inventory,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  decisionFor,
  namespacesAndClusters,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import { workOf } from '../../model/__testUtils__/works';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import { waitLong } from './__testUtils__/scenario';

jest.setTimeout(120_000);

/** Several pages of 500. */
const APPLICATIONS = 2_000;
const CLUSTERS = Array.from({ length: 10 }, (_, index) => `c${index}`);
/** Milliseconds for each page of ManifestWorks. */
const PAGE_MS = 1_500;
/** Milliseconds in which a page of the portal has to get its answer. */
const AT_ONCE_MS = 1_000;

const SET_UID = '5e700000-0000-4000-8000-000000000000';

function fleet() {
  const { metadata, ...set } = pullApplicationSet('shop');
  const owner = { ...set, metadata: { ...metadata, uid: SET_UID } };
  const applications = Array.from({ length: APPLICATIONS }, (_, index) =>
    pullApplication(`app-${index}`, CLUSTERS[index % CLUSTERS.length], {
      uid: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
      ...ownedBy(owner),
    }),
  );
  return [
    ...namespacesAndClusters(CLUSTERS),
    decisionFor(CLUSTERS),
    owner,
    ...applications,
    ...applications.map(workOf),
  ];
}

describe('while a hub takes long to list its ManifestWorks', () => {
  let hub: FaultyHub;
  let backend: TestBackend;

  beforeAll(async () => {
    hub = await startFaultyHub({ snapshot: fleet() });
    hub.faults.add({
      type: 'latency',
      match: { resource: 'manifestworks', verb: 'list' },
      milliseconds: PAGE_MS,
    });
    backend = await startFleetBackend({
      argocdFleet: oneHub(hub.kubeconfigPath, {
        controllers: {
          propagation: { mode: 'off' },
          applicationStatus: { mode: 'off' },
          aggregation: { mode: 'off' },
        },
      }),
    });
  });

  afterAll(async () => {
    await backend.stop();
    await hub.stop();
  });

  /** Gets a list. */
  async function get<T>(path: string): Promise<{ body: T; ms: number }> {
    const startedAt = performance.now();
    const { body } = await request(backend.server).get(
      `/api/argocd-fleet${path}`,
    );
    return { body, ms: performance.now() - startedAt };
  }

  const getLists = () =>
    Promise.all([
      get<ApplicationSetList>('/applicationsets'),
      get<ClusterList>('/clusters'),
      get<Inventory>('/inventory'),
    ]);

  it('every list answers at once with what is there, and says that the hub is starting', async () => {
    const answers: Awaited<ReturnType<typeof getLists>>[] = [];
    await waitLong(async () => {
      const lists = await getLists();
      answers.push(lists);
      return lists.every(({ body }) => body.hubs[0].state === 'ready');
    });
    const early = answers.filter(lists =>
      lists.every(({ body }) => body.hubs[0].state === 'starting'),
    );
    // Some were requested while everything but the works was known.
    expect(
      early.filter(
        ([sets, clusters, inventory]) =>
          sets.body.items.length === 1 &&
          clusters.body.items.length === CLUSTERS.length &&
          inventory.body.clusters.length === CLUSTERS.length &&
          sets.body.hubs[0].unread?.includes('manifestworks'),
      ).length,
    ).toBeGreaterThan(2);
    expect(
      Math.max(...answers.flatMap(lists => lists.map(({ ms }) => ms))),
    ).toBeLessThan(AT_ONCE_MS);
    const [sets] = answers.at(-1)!;
    expect(sets.body.items[0].summary).toMatchObject({
      clusters: CLUSTERS.length,
      applications: APPLICATIONS,
    });
  });
});
