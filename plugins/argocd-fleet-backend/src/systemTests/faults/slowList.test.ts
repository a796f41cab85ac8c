import { writeFile } from 'node:fs/promises';
import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ApplicationSetList,
  ClusterList,
  Inventory,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import {
  startFaultyLink,
  type FaultyLink,
} from '../../__testUtils__/faultyLink';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  decisionFor,
  namespacesAndClusters,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import { workOf } from '../../model/__testUtils__/works';
import { waitFor } from '../../__testUtils__/waitFor';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';

/** More than one page of 500. */
const APPLICATIONS = 600;
const CLUSTERS = Array.from({ length: 10 }, (_, index) => `c${index}`);

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
  let link: FaultyLink;
  let backend: TestBackend;

  beforeAll(async () => {
    hub = await startFaultyHub({ snapshot: fleet() });
    link = await startFaultyLink({ url: hub.faults.url });
    await writeFile(
      hub.kubeconfigPath,
      hub.faults.kubeconfig().replaceAll(hub.faults.url, link.url),
    );
    // The second page does not come.
    link.setFault(url =>
      /\/manifestworks\?.*continue=/.test(url) ? { answered: true } : undefined,
    );
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
    await link.stop();
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
    const early = await waitFor(async () => {
      const lists = await getLists();
      const { unread = [] } = lists[0].hubs[0];
      return unread.join() === 'manifestworks' && lists;
    });
    const [{ items }, clusters, inventory] = early;
    expect(early.map(({ hubs }) => hubs[0].state)).toEqual(
      early.map(() => 'starting'),
    );
    expect(items).toHaveLength(1);
    expect(clusters.items).toHaveLength(CLUSTERS.length);
    expect(inventory.clusters).toHaveLength(CLUSTERS.length);

    link.setFault(undefined);
    link.drop();
    const [sets] = await waitFor(async () => {
      const lists = await getLists();
      return lists.every(({ hubs }) => hubs[0].state === 'ready') && lists;
    });
    expect(sets.items[0].summary).toMatchObject({
      clusters: CLUSTERS.length,
      applications: APPLICATIONS,
    });
  });
});
