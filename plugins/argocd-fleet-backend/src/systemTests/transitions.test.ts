import type { TestBackend } from '@backstage/backend-test-utils';
import {
  createArgocdFleetClient,
  type ArgocdFleetClient,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../__testUtils__/hubFixture';
import { waitFor } from '../__testUtils__/waitFor';

const NAMESPACE = 'argocd';
const HEALTHS = ['Healthy', 'Degraded', 'Healthy', 'Missing', 'Healthy'];
const BASE = '/api/argocd-fleet';

const shop = { namespace: NAMESPACE, name: 'shop' };
const ref = { hub: 'hub', ...shop };
const spec = {
  project: 'default',
  source: { repoURL: 'https://git.example.com/shop.git', path: '.' },
  destination: { name: 'edge', namespace: 'shop' },
};

describe('transitions over HTTP', () => {
  let testHub: TestHub;
  let backend: TestBackend;
  let client: ArgocdFleetClient;

  beforeAll(async () => {
    testHub = await startTestHub();
    await testHub.provideNamespaces(NAMESPACE);
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath),
    });
    client = createArgocdFleetClient({
      discoveryApi: {
        getBaseUrl: async () =>
          `http://localhost:${backend.server.port()}${BASE}`,
      },
    });
    await testHub.admin.create('applicationSets', {
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' },
      metadata: { name: 'shops', namespace: NAMESPACE },
      spec: { generators: [], template: { metadata: {}, spec } },
    } as KubernetesObject);
    const set = await testHub.admin.get('applicationSets', {
      namespace: NAMESPACE,
      name: 'shops',
    });
    const owner = {
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' },
      ...{ name: 'shops', uid: set!.metadata.uid },
    };
    await testHub.admin.create('applications', {
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
      metadata: { ...shop, ownerReferences: [owner] },
      spec,
      status: { health: { status: HEALTHS[0] }, sync: { status: 'Synced' } },
    } as KubernetesObject);
    for (const [index, status] of HEALTHS.entries()) {
      await testHub.admin.patch('applications', shop, {
        status: { health: { status } },
      });
      await waitForTransitions(index + 1);
    }
  });

  afterAll(async () => {
    await backend.stop();
    await testHub.stop();
  });

  function waitForTransitions(count: number) {
    return waitFor(async () => {
      const { items } = await client.listApplicationTransitions(ref);
      return items.length === count;
    });
  }

  it('are listed for an Application, an ApplicationSet and a cluster', async () => {
    const { items, next } = await client.listApplicationTransitions(ref);
    expect(next).toBeUndefined();
    expect(items.map(({ health }) => health)).toEqual([...HEALTHS].reverse());
    expect(items[1]).toMatchObject({
      application: shop,
      ...{ applicationSet: 'shops', cluster: 'edge', sequence: 4 },
      ...{ health: 'Missing', sync: 'Synced' },
      previous: { health: 'Healthy', sync: 'Synced' },
    });
    expect(
      await client.listApplicationSetTransitions({ ...ref, name: 'shops' }),
    ).toEqual({ items });
    expect(
      await client.listClusterTransitions({ hub: 'hub', name: 'edge' }),
    ).toEqual({ items });
  });

  it('are paged', async () => {
    const whole = await client.listApplicationTransitions(ref);
    const first = await client.listApplicationTransitions(ref, { limit: 3 });
    expect(first.items).toEqual(whole.items.slice(0, 3));
    const second = await client.listApplicationTransitions(ref, {
      limit: 3,
      before: first.next,
    });
    expect(second).toEqual({ items: whole.items.slice(3) });
  });

  it('are empty for a cluster without history', async () => {
    expect(
      await client.listClusterTransitions({ hub: 'hub', name: 'nowhere' }),
    ).toEqual({ items: [] });
  });

  it.each([
    [
      'before=nothing',
      400,
      /"before" must be the value of "next" of the previous page/,
    ],
    ['limit=0', 400, /limit/],
    ['limit=1001', 400, /limit/],
    ['limit=many', 400, /limit/],
  ])('are rejected for ?%s', async (query, status, message) => {
    const { body } = await request(backend.server)
      .get(`${BASE}/clusters/hub/edge/transitions?${query}`)
      .expect(status);
    expect(body.error.message).toMatch(message);
  });

  it('are not found for a hub that is not configured', async () => {
    const { body } = await request(backend.server)
      .get(`${BASE}/clusters/other/edge/transitions`)
      .expect(404);
    expect(body.error.message).toMatch(/There is no hub "other"/);
  });

  it('contain the revision of each source', async () => {
    for (const [index, chart] of ['1.0.0', '1.1.0'].entries()) {
      await testHub.admin.patch('applications', shop, {
        status: { sync: { status: 'Synced', revisions: ['abc', chart] } },
      });
      await waitForTransitions(HEALTHS.length + index + 1);
    }
    const { items } = await client.listApplicationTransitions(ref, {
      limit: 1,
    });
    expect(items[0]).toMatchObject({
      ...{ revision: 'abc', revisions: ['abc', '1.1.0'] },
      previous: { revision: 'abc', revisions: ['abc', '1.0.0'] },
    });
  });
});
