import type { TestBackend } from '@backstage/backend-test-utils';
import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import {
  startSearchEndpoint,
  type SearchEndpoint,
  type SimulatedFleet,
} from 'simulated-fleet';
import { createCertificateAuthority } from '../../__testUtils__/certificates';
import {
  EXAMPLE_SET,
  EXAMPLE_SET_PATH,
  startExampleFleet,
} from '../../__testUtils__/exampleFleet';
import { startFleetBackend } from '../../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';

const { namespace: NAMESPACE, name: SET } = EXAMPLE_SET;

/** A hub whose works bring no details home, and RHACM's Search over TLS, which knows what its clusters hold. */
describe('errors and resources by Search', () => {
  const authority = createCertificateAuthority('the hub');
  let testHub: TestHub;
  let fleet: SimulatedFleet;
  let endpoint: SearchEndpoint;
  let backend: TestBackend;

  beforeAll(async () => {
    testHub = await startTestHub();
    fleet = await startExampleFleet(testHub);
    endpoint = await startSearchEndpoint({
      fleet,
      token: 'secret',
      tls: authority.issue('search'),
    });
    backend = await startFleetBackend({
      argocdFleet: {
        propagation: { conditionRules: false },
        resourceSources: {
          schedule: { frequency: '100ms', timeout: { minutes: 2 } },
        },
        hubs: [
          {
            name: 'hub',
            kubeconfig: { path: testHub.kubeconfigPath },
            search: {
              url: endpoint.url,
              token: 'secret',
              caData: Buffer.from(authority.cert).toString('base64'),
            },
          },
        ],
      },
    });
  });

  afterAll(async () => {
    await backend.stop();
    await endpoint.stop();
    await fleet.stop();
    await testHub.stop();
  });

  async function detail() {
    const { body } = await request(backend.server).get(EXAMPLE_SET_PATH);
    return body;
  }

  const rowOf = async (cluster: string): Promise<ClusterApplication> =>
    (await detail()).applications?.find(
      (row: ClusterApplication) => row.cluster.name === cluster,
    );

  async function untilRow(
    cluster: string,
    check: (row: ClusterApplication) => boolean,
  ) {
    return waitFor(async () => {
      const row = await rowOf(cluster);
      return row && check(row) && row;
    });
  }

  it('are collected, and written to the report', async () => {
    const row = await untilRow(
      'pcluster1',
      ({ health, resources }) =>
        health === 'Healthy' &&
        // An index lags behind: it may have heard of them before they were there.
        resources.length > 0 &&
        resources.every(resource => resource.health !== 'Missing'),
    );
    expect(row.sources).toEqual({
      conditions: { from: 'search' },
      resources: { from: 'search' },
    });
    expect(row.resources).toContainEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      namespace: 'guestbook',
      name: 'guestbook-ui',
    });
    expect(
      row.resources.filter(({ kind }) => /Pod|ReplicaSet|Cluster/.test(kind)),
    ).toEqual([]);
    await waitFor(async () => {
      const report = await testHub.admin.get('reports', {
        namespace: NAMESPACE,
        name: SET,
      });
      return report?.statuses?.resources?.some(
        ({ name }) => name === 'guestbook-ui',
      );
    });
    const clusters = endpoint.batches
      .flat()
      .flatMap(({ filters }) => filters ?? [])
      .filter(({ property }) => property === 'cluster')
      .flatMap(({ values }) => values);
    expect(clusters).toContain('pcluster1');
    expect(clusters).not.toContain('local-cluster');
  });

  it('show each error once, and missing resources', async () => {
    const row = await untilRow(
      'cluster1',
      ({ conditions, phase }) => conditions.length > 0 && phase === 'Failed',
    );
    // Search has it twice: in the condition, and as the error of the operation.
    expect(row.conditions.map(({ type }) => type)).toEqual(['SyncError']);
    expect(row.error).toContain('is forbidden: User');
    expect(row.steps.at(-2)?.finding?.code).toBe('AFC-204');
    expect(row.resources).toContainEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      namespace: 'guestbook',
      name: 'guestbook-ui',
      health: 'Missing',
    });
  });

  it('stay when Search fails, with their age and a fix', async () => {
    endpoint.setFaults({ refuse: 403 });
    const row = await untilRow('cluster1', ({ sources }) =>
      Boolean(sources?.conditions?.observedAt),
    );
    expect(row.conditions).toHaveLength(1);
    expect((await detail()).hubState.findings).toMatchObject([
      { code: 'AFC-431' },
    ]);
    endpoint.setFaults({ refuse: undefined });
    await untilRow(
      'cluster1',
      ({ sources }) => sources?.conditions?.observedAt === undefined,
    );
    expect((await detail()).hubState.findings ?? []).toEqual([]);
  });
});
