import { createBackendModule } from '@backstage/backend-plugin-api';
import type { TestBackend } from '@backstage/backend-test-utils';
import {
  argocdFleetResourceSourcesExtensionPoint,
  type ApplicationDetails,
  type ResourceSource,
  type ResourceSourceRequest,
} from 'backstage-plugin-argocd-fleet-node';
import request from 'supertest';
import {
  defaultScenario,
  startSimulatedFleet,
  type SimulatedFleet,
} from 'simulated-fleet';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../__testUtils__/hubFixture';
import { waitFor } from '../__testUtils__/waitFor';

jest.setTimeout(90_000);

const SET_PATH =
  '/api/argocd-fleet/applicationsets/hub/openshift-gitops/guestbook-allclusters-app-set';

/** A source that answers what the test tells it to, as somebody's search index would. */
function moduleWith(source: ResourceSource) {
  return createBackendModule({
    pluginId: 'argocd-fleet',
    moduleId: source.id,
    register(env) {
      env.registerInit({
        deps: { sources: argocdFleetResourceSourcesExtensionPoint },
        async init({ sources }) {
          sources.addResourceSource(source);
        },
      });
    },
  });
}

describe('resource sources', () => {
  let testHub: TestHub;
  let fleet: SimulatedFleet;
  let backend: TestBackend;
  const asked: ResourceSourceRequest[] = [];
  let answer: () => ApplicationDetails[] = () => [];

  beforeAll(async () => {
    testHub = await startTestHub();
    fleet = await startSimulatedFleet({
      kubeconfig: { path: testHub.adminKubeconfigPath },
      scenario: defaultScenario,
      speed: 20,
    });
    await fleet.ready;
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath),
      features: [
        moduleWith({
          id: 'search',
          async collect(asking) {
            asked.push(asking);
            return answer();
          },
        }),
      ],
    });
    await waitFor(async () => (await rows())?.length === 3);
  });

  afterAll(async () => {
    await backend.stop();
    await fleet.stop();
    await testHub.stop();
  });

  async function rows() {
    const { body } = await request(backend.server).get(SET_PATH);
    return body.applications;
  }

  async function collect() {
    await request(backend.server)
      .post(
        '/api/argocd-fleet/.backstage/scheduler/v1/tasks/resource-sync/trigger',
      )
      .expect(200);
  }

  const application = {
    namespace: 'openshift-gitops',
    name: 'pcluster1-guestbook-app',
  };

  it('are asked about every Application on its way to a cluster, and shown where they know something later', async () => {
    answer = () => [
      {
        application,
        observedAt: new Date(Date.now() + 3_600_000).toISOString(),
        conditions: [{ type: 'OperationError', message: 'first\nsecond' }],
        images: ['registry.example.com/guestbook:1'],
      },
    ];
    const row = await waitFor(async () => {
      await collect();
      const [, pcluster1] = await rows();
      // The source says nothing about resources: those come home with the work.
      return (
        pcluster1.error === 'first' &&
        pcluster1.resources.length > 0 &&
        pcluster1
      );
    });
    expect(row).toMatchObject({
      cluster: { name: 'pcluster1' },
      conditions: [{ type: 'OperationError' }],
      images: ['registry.example.com/guestbook:1'],
    });
    expect(asked.at(-1)?.applications).toContainEqual({
      application,
      onCluster: application,
      cluster: 'pcluster1',
      applicationSet: {
        namespace: 'openshift-gitops',
        name: 'guestbook-allclusters-app-set',
      },
    });
    expect(
      asked.at(-1)?.applications.map(({ cluster }) => cluster),
    ).not.toContain('local-cluster');
  });

  it('keep their last good answer when they fail, and say so', async () => {
    answer = () => {
      throw new Error('the index is being rebuilt');
    };
    const hubState = await waitFor(async () => {
      await collect();
      const { body } = await request(backend.server).get(SET_PATH);
      return body.hubState.findings.length === 1 && body.hubState;
    });
    expect(hubState.findings[0]).toMatchObject({
      code: 'AFC-430',
      evidence: 'the index is being rebuilt',
    });
    expect((await rows())[1].error).toBe('first');
  });

  it('are not shown where the ManifestWork brought home something later', async () => {
    answer = () => [
      {
        application,
        observedAt: '2020-01-01T00:00:00Z',
        conditions: [{ type: 'OperationError', message: 'long ago' }],
      },
    ];
    await waitFor(async () => {
      await collect();
      return (await rows())[1].conditions.length === 0;
    });
    expect((await rows())[1].error).toBeUndefined();
  });
});
