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

  async function get<T>(path: string): Promise<T> {
    const { body } = await request(backend.server).get(
      `/api/argocd-fleet${path}`,
    );
    return body;
  }

  const getLists = () =>
    Promise.all([
      get<ApplicationSetList>('/applicationsets'),
      get<ClusterList>('/clusters'),
      get<Inventory>('/inventory'),
    ]);

  it('every list answers with what is there before the hub is listed, and says that it is starting', async () => {
    const answers: Awaited<ReturnType<typeof getLists>>[] = [];
    await waitLong(async () => {
      const lists = await getLists();
      answers.push(lists);
      return lists.every(({ hubs }) => hubs[0].state === 'ready');
    });
    const early = answers.filter(lists =>
      lists.every(({ hubs }) => hubs[0].state === 'starting'),
    );
    // Some were requested while everything but the works was known.
    expect(
      early.filter(
        ([sets, clusters, inventory]) =>
          sets.items.length === 1 &&
          clusters.items.length === CLUSTERS.length &&
          inventory.clusters.length === CLUSTERS.length &&
          sets.hubs[0].unread?.includes('manifestworks'),
      ).length,
    ).toBeGreaterThan(2);
    const [sets] = answers.at(-1)!;
    expect(sets.items[0].summary).toMatchObject({
      clusters: CLUSTERS.length,
      applications: APPLICATIONS,
    });
  });
});
