import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ArgoApplication,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import type { Fault } from 'hub-faults';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  decisionFor,
  namespacesAndClusters,
  pullApplication,
} from '../../__testUtils__/objects';
import { workOf } from '../../model/__testUtils__/works';
import { waitFor } from '../../__testUtils__/waitFor';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';

// Each test waits for several states.
jest.setTimeout(180_000);

/** More than two pages of 500. */
const APPLICATIONS = 1_300;
const CLUSTERS = Array.from({ length: 10 }, (_, index) => `c${index}`);

function application(index: number): ArgoApplication {
  const uid = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
  // The UIDs differ in their first characters, as on a real hub.
  return pullApplication(`app-${index}`, CLUSTERS[index % CLUSTERS.length], {
    uid: `${(index * 7919).toString(16).padStart(8, '0')}${uid.slice(8)}`,
  });
}

function fleet(): KubernetesObject[] {
  const applications = Array.from({ length: APPLICATIONS }, (_, index) =>
    application(index),
  );
  return [
    ...namespacesAndClusters(CLUSTERS),
    decisionFor(CLUSTERS),
    ...applications,
    // Works of an earlier run.
    ...applications.map(workOf),
  ];
}

describe('a list that fails on its third page', () => {
  let hub: FaultyHub;
  let backend: TestBackend;
  let removed = 0;

  beforeAll(async () => {
    hub = await startFaultyHub({ snapshot: fleet() });
    backend = await startFleetBackend({
      argocdFleet: oneHub(hub.kubeconfigPath, {
        controllers: {
          propagation: { fullPassEvery: '1s' },
          applicationStatus: { mode: 'off' },
        },
      }),
    });
  });

  afterAll(async () => {
    await backend.stop();
    await hub.stop();
  });

  /** Deletes the last Application that is left. Returns the label of its work in `deletedWorks`. */
  async function removeOne() {
    removed += 1;
    const { metadata } = application(APPLICATIONS - removed);
    await hub.admin.delete('applications', metadata);
    const index = (APPLICATIONS - removed) % CLUSTERS.length;
    return `${CLUSTERS[index]} ${metadata.name}`;
  }

  it.each<[string, Partial<Extract<Fault, { type: 'listPage' }>>]>([
    ['applications', { code: 500 }],
    ['applications', { code: 410 }],
    ['manifestworks', { code: 503 }],
    ['managedclusters', { page: 1 }],
  ])('of %s (%p) deletes and creates nothing', async (resource, page) => {
    const before = hub.deletedWorks();
    const uids = new Set(
      (await hub.works()).map(({ metadata }) => metadata.uid),
    );
    const match = { resource };
    const list = hub.faults.add({ type: 'listPage', match, ...page });
    hub.faults.add({ type: 'watchExpired', match });
    hub.faults.dropConnections();
    await waitFor(() => list.hits() > 1);
    const first = await removeOne();
    await waitFor(() => list.hits() > 2);
    // Propagation waits until it has the whole list.
    expect(hub.deletedWorks()).toEqual(before);
    hub.faults.clear();
    const second = await removeOne();

    const expected = [...before, first, second].sort();
    await waitFor(() => hub.deletedWorks().length === expected.length);
    expect(hub.deletedWorks()).toEqual(expected);
    const works = await hub.works();
    expect(works).toHaveLength(APPLICATIONS - removed);
    expect(works.every(({ metadata }) => uids.has(metadata.uid))).toBe(true);
    expect(
      hub
        .backendRequests()
        .filter(
          ({ verb, resource: written }) =>
            ['create', 'patch'].includes(verb) && written === 'manifestworks',
        ),
    ).toEqual([]);
  });
});
