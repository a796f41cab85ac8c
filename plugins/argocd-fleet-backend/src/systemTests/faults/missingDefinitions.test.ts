import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  HubState,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { CRDS } from '../../__testUtils__/emptyHub';
import { startFleetBackend } from '../../__testUtils__/fleetBackend';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import {
  furnish,
  hasWorks,
  patiently,
  WORKS_BEFORE,
} from './__testUtils__/scenario';

jest.setTimeout(180_000);

const DEFINITIONS = [
  // These two take the works with them when they go.
  'applications.argoproj.io',
  'manifestworks.work.open-cluster-management.io',
  'managedclusters.cluster.open-cluster-management.io',
  'placements.cluster.open-cluster-management.io',
  'placementdecisions.cluster.open-cluster-management.io',
  'multiclusterapplicationsetreports.apps.open-cluster-management.io',
  'gitopsclusters.apps.open-cluster-management.io',
];

/** One backend, and for each definition a hub that lacks it. */
describe('a hub without', () => {
  let backend: TestBackend;
  let hubs: FaultyHub[];
  let definitions: KubernetesObject[];

  beforeAll(async () => {
    hubs = [];
    definitions = [];
    for (const name of DEFINITIONS) {
      const hub = await startFaultyHub();
      hubs.push(hub);
      definitions.push(await definitionOf(hub, name));
      await undefine(hub, name);
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

  async function findsMissing(index: number, missing: boolean) {
    const name = DEFINITIONS[index];
    await patiently(async () => {
      const { body } = await request(backend.server).get(
        '/api/argocd-fleet/controllers',
      );
      const state: HubState = body.hubs[index];
      const found = (state.findings ?? []).some(
        ({ code, object }) => code === 'AFC-401' && object?.name === name,
      );
      return found === missing;
    });
  }

  it.each(DEFINITIONS)('%s comes to the same once it is there', async name => {
    const index = DEFINITIONS.indexOf(name);
    const hub = hubs[index];
    await findsMissing(index, isNeeded(name));
    await hub.somebody.client.create(CRDS, definitions[index]);
    await furnish(hub);
    await hasWorks(hub, WORKS_BEFORE);
    await findsMissing(index, false);
    expect(hub.deletedWorks()).toEqual([]);
  });

  it.each(DEFINITIONS.slice(2))('%s any more loses no work', async name => {
    const index = DEFINITIONS.indexOf(name);
    const hub = hubs[index];
    const before = await worksOf(hub);
    await undefine(hub, name);
    await findsMissing(index, isNeeded(name));
    expect(hub.deletedWorks()).toEqual([]);
    expect(await worksOf(hub)).toEqual(before);
  });
});

/** A hub does well without RHACM's GitOpsCluster. */
function isNeeded(name: string): boolean {
  return !name.startsWith('gitopsclusters.');
}

async function worksOf(hub: FaultyHub) {
  return (await hub.works()).map(({ metadata, spec }) => ({ metadata, spec }));
}

async function definitionOf(hub: FaultyHub, name: string) {
  const { apiVersion, kind, spec } = (await hub.somebody.client.get(CRDS, {
    name,
  })) as KubernetesObject & { spec: unknown };
  return { apiVersion, kind, metadata: { name }, spec } as KubernetesObject;
}

/** Resolves when nothing of it is left. */
async function undefine({ somebody: { client } }: FaultyHub, name: string) {
  const { metadata } = await client.get(CRDS, { name });
  await client.delete(CRDS, { name }, { uid: metadata.uid ?? '' });
  await patiently(async () => {
    const { items } = await client.list(CRDS);
    return items.every(item => item.metadata.name !== name);
  });
}
