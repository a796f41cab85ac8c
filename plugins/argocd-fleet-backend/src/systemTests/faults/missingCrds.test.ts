import type { TestBackend } from '@backstage/backend-test-utils';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { CRDS } from '../../__testUtils__/emptyHub';
import {
  getControllers,
  startFleetBackend,
} from '../../__testUtils__/fleetBackend';
import { waitFor } from '../../__testUtils__/waitFor';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import {
  createFleet,
  waitForWorks,
  WORKS_BEFORE,
} from './__testUtils__/scenario';

// Each test waits for several states.
jest.setTimeout(180_000);

const CRD_NAMES = [
  // Deleting one of these two deletes the works too.
  'applications.argoproj.io',
  'manifestworks.work.open-cluster-management.io',
  'managedclusters.cluster.open-cluster-management.io',
  'placements.cluster.open-cluster-management.io',
  'placementdecisions.cluster.open-cluster-management.io',
  'multiclusterapplicationsetreports.apps.open-cluster-management.io',
  'gitopsclusters.apps.open-cluster-management.io',
];

/** One backend, and for each CRD a hub without it. */
describe('a hub without', () => {
  let backend: TestBackend;
  let hubs: FaultyHub[];
  let crds: KubernetesObject[];

  beforeAll(async () => {
    hubs = [];
    crds = [];
    for (const name of CRD_NAMES) {
      const hub = await startFaultyHub();
      hubs.push(hub);
      crds.push(await readCrd(hub, name));
      await removeCrd(hub, name);
    }
    backend = await startFleetBackend({
      argocdFleet: {
        hubs: hubs.map(({ kubeconfigPath }, index) => ({
          name: `hub-${index}`,
          kubeconfig: { path: kubeconfigPath },
        })),
      },
    });
  });

  afterAll(async () => {
    await backend.stop();
    await Promise.all(hubs.map(hub => hub.stop()));
  });

  async function waitForFinding(index: number, expected: boolean) {
    const name = CRD_NAMES[index];
    await waitFor(async () => {
      const { hubs: states } = await getControllers(backend);
      const found = (states[index].findings ?? []).some(
        ({ code, object }) => code === 'AFC-401' && object?.name === name,
      );
      return found === expected;
    });
  }

  it.each(CRD_NAMES)(
    '%s reaches the usual state once the CRD is there',
    async name => {
      const index = CRD_NAMES.indexOf(name);
      const hub = hubs[index];
      await waitForFinding(index, isNeeded(name));
      await hub.admin.client.create(CRDS, crds[index]);
      await createFleet(hub);
      await waitForWorks(hub, WORKS_BEFORE);
      await waitForFinding(index, false);
      expect(hub.deletedWorks()).toEqual([]);
    },
  );

  it.each(CRD_NAMES.slice(2))('%s any more keeps its works', async name => {
    const index = CRD_NAMES.indexOf(name);
    const hub = hubs[index];
    const before = await worksOf(hub);
    await removeCrd(hub, name);
    await waitForFinding(index, isNeeded(name));
    expect(hub.deletedWorks()).toEqual([]);
    expect(await worksOf(hub)).toEqual(before);
  });
});

/** A hub needs no GitOpsCluster, which only RHACM has. */
function isNeeded(name: string): boolean {
  return !name.startsWith('gitopsclusters.');
}

async function worksOf(hub: FaultyHub) {
  return (await hub.works()).map(({ metadata, spec }) => ({ metadata, spec }));
}

async function readCrd(hub: FaultyHub, name: string) {
  const { apiVersion, kind, spec } = (await hub.admin.client.get(CRDS, {
    name,
  })) as KubernetesObject & { spec: unknown };
  return { apiVersion, kind, metadata: { name }, spec } as KubernetesObject;
}

/** Deletes a CRD and waits until it is gone. */
async function removeCrd({ admin: { client } }: FaultyHub, name: string) {
  const { metadata } = await client.get(CRDS, { name });
  await client.delete(CRDS, { name }, { uid: metadata.uid ?? '' });
  await waitFor(async () => {
    const { items } = await client.list(CRDS);
    return items.every(item => item.metadata.name !== name);
  });
}
