import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ClusterApplication,
  ControllerRun,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { type SimulatedFleet } from 'simulated-fleet';
import request from 'supertest';
import { CRDS } from '../../__testUtils__/emptyHub';
import {
  EXAMPLE_SET_PATH,
  startExampleFleet,
} from '../../__testUtils__/exampleFleet';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';
import { isRecord } from '../../model/json/mergePatch';

const WORK_CRD = 'manifestworks.work.open-cluster-management.io';

describe('on a hub whose OCM has neither condition rules nor Watch', () => {
  let testHub: TestHub;
  let fleet: SimulatedFleet;
  let backend: TestBackend;
  let definition: KubernetesObject;

  beforeAll(async () => {
    testHub = await startTestHub();
    const { client } = testHub.admin;
    definition = await client.get(CRDS, { name: WORK_CRD });
    await defineWorks(withoutNewerFields(definition));
    fleet = await startExampleFleet(testHub);
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath),
    });
  });

  afterAll(async () => {
    await backend.stop();
    await fleet.stop();
    // A real hub has its definitions longer than a test.
    await defineWorks(definition);
    await testHub.stop();
  });

  async function defineWorks(crd: KubernetesObject) {
    const { spec } = crd as KubernetesObject & { spec: unknown };
    const { client } = testHub.admin;
    await client.patch(CRDS, { name: WORK_CRD }, { spec });
  }

  it('the first errors are reported nevertheless, and a finding names what the hub lacks', async () => {
    const refused = await waitFor(async () => {
      const { body } = await request(backend.server).get(EXAMPLE_SET_PATH);
      return (body.applications as ClusterApplication[]).find(
        ({ error, conditions }) =>
          error?.includes('forbidden') && conditions.length > 0,
      );
    });
    expect(refused).toMatchObject({
      sync: 'OutOfSync',
      phase: 'Failed',
      operationMessage: expect.any(String),
      conditions: [{ type: 'SyncError' }],
    });
    expect(refused.steps.at(-2)).toMatchObject({
      id: 'synced',
      state: 'failed',
      finding: { code: 'AFC-204' },
    });

    const { body } = await request(backend.server).get(
      '/api/argocd-fleet/controllers',
    );
    const propagation = (body.items as ControllerRun[]).find(
      ({ controller }) => controller === 'propagation',
    );
    expect(propagation?.findings).toEqual([
      expect.objectContaining({
        code: 'AFC-404',
        message: expect.stringContaining('only the first of each kind'),
        fix: { description: expect.stringContaining('to 1.2 or later') },
      }),
    ]);
  });
});

function withoutNewerFields(crd: KubernetesObject): KubernetesObject {
  return JSON.parse(JSON.stringify(crd), (key, value) => {
    if (key !== 'properties' || !isRecord(value)) {
      return value;
    }
    const { conditionRules, feedbackScrapeType, ...older } = value;
    return older;
  });
}
