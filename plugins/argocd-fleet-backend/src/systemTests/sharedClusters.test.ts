import type { TestBackend } from '@backstage/backend-test-utils';
import type { HubState } from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { startFleetBackend } from '../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../__testUtils__/hubFixture';
import { managedCluster } from '../__testUtils__/objects';
import { waitFor } from '../__testUtils__/waitFor';

describe('a cluster on two configured hubs', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;

  beforeEach(async () => {
    testHub = await startTestHub();
  });

  afterEach(async () => {
    await backend?.stop();
    await testHub.stop();
  });

  it('is a finding on both, also beside a hub that does not answer', async () => {
    await testHub.admin.create('clusters', managedCluster('edge'));
    await testHub.patchStatus(
      'clusters',
      { name: 'edge' },
      {
        clusterClaims: [{ name: 'id.k8s.io', value: 'a1b2' }],
      },
    );
    const off = { mode: 'off' };
    const kubeconfig = { path: testHub.kubeconfigPath };
    backend = await startFleetBackend({
      argocdFleet: {
        hubs: [
          { name: 'one', kubeconfig },
          { name: 'two', kubeconfig },
          { name: 'silent', url: 'https://127.0.0.1:1', token: 'x' },
        ],
        controllers: {
          clusterImport: off,
          propagation: off,
          applicationStatus: off,
          aggregation: off,
          resourceSync: off,
        },
      },
    });
    const titles = async () => {
      const { body } = await request(backend!.server).get(
        '/api/argocd-fleet/clusters',
      );
      return (body.hubs as HubState[]).map(({ findings = [] }) =>
        findings
          .filter(({ code }) => code === 'AFC-224')
          .map(({ title }) => title),
      );
    };
    await waitFor(async () => (await titles()).flat().length === 2);
    expect(await titles()).toEqual([
      ['edge is also on hub two'],
      ['edge is also on hub one'],
      [],
    ]);
  });
});
