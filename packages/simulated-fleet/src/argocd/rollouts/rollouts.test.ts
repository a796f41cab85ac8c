import { manifestWorks } from '../../kubernetes/resources';
import {
  applicationWork,
  feedbackOf,
  observingWork,
} from '../../__testUtils__/applicationWork';
import { FleetOnHub, startHubForFleets } from '../../__testUtils__/fleetOnHub';

const SCENARIO = `
clusters: [{ name: c1 }]
timings: { progressingSeconds: 1, rolloutStepSeconds: 1 }
workloads:
  - path: shop
    resources:
      - { kind: Service, name: api }
      - group: argoproj.io
        version: v1alpha1
        kind: Rollout
        name: api
        images: ['registry.example.com/api:1']
        rollout:
          canary: { steps: [{ setWeight: 25 }, { pause: {} }] }
`;

const ROLLOUT = { cluster: 'c1', rollout: 'api' };

const OBSERVER = observingWork(
  'c1',
  'observer',
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'api', namespace: 'demo' },
  },
  {
    resourceIdentifier: {
      group: 'argoproj.io',
      resource: 'rollouts',
      namespace: 'demo',
      name: 'api',
    },
    feedbackRules: [
      {
        type: 'JSONPaths',
        jsonPaths: [
          { name: 'phase', path: '.status.phase' },
          { name: 'message', path: '.status.message' },
          { name: 'step', path: '.status.currentStepIndex' },
          { name: 'weight', path: '.status.canary.weights.canary.weight' },
        ],
      },
    ],
  },
);

describe('a Rollout on a managed cluster', () => {
  let on: FleetOnHub;
  beforeEach(async () => {
    on = await startHubForFleets();
  });
  afterEach(() => on.stop());

  const seen = (expected: Record<string, string | number>) =>
    on.until(manifestWorks, items => {
      const work = items.find(({ metadata }) => metadata.name === 'observer');
      return (
        Object.entries(expected).every(
          ([name, value]) => feedbackOf(work, name) === value,
        ) && work
      );
    });
  const health = (expected: string) =>
    on.until(manifestWorks, items => {
      const work = items.find(({ metadata }) => metadata.name === 'shop');
      return feedbackOf(work, 'healthStatus') === expected && work;
    });

  it('is deployed, pauses, makes its Application Suspended, and is promoted', async () => {
    const fleet = await on.start(SCENARIO);
    await on.client.create(manifestWorks, OBSERVER);
    const absent = await on.until(manifestWorks, items =>
      items.find(({ status }) =>
        status?.conditions?.some(({ type }) => type === 'Available'),
      ),
    );
    expect(
      absent.status?.conditions?.map(({ type, status }) => [type, status]),
    ).toEqual(
      expect.arrayContaining([
        ['Applied', 'True'],
        ['Available', 'False'],
      ]),
    );
    const work = applicationWork('c1', 'shop', 'shop');
    await on.client.create(manifestWorks, work);
    await seen({ phase: 'Healthy', step: 2 });
    await health('Healthy');

    const [manifest] = work.spec?.workload?.manifests ?? [];
    const spec = {
      ...manifest.spec,
      source: {
        repoURL: 'https://example.com/r.git',
        path: 'shop',
        targetRevision: 'v2',
      },
    };
    await on.client.patch(manifestWorks, work.metadata, {
      spec: { workload: { manifests: [{ ...manifest, spec }] } },
    });
    await seen({
      phase: 'Paused',
      message: 'CanaryPauseStep',
      step: 1,
      weight: 25,
    });
    await health('Suspended');

    fleet.rollouts.abort(ROLLOUT);
    await seen({ phase: 'Degraded', step: 0, weight: 0 });
    await health('Degraded');
    fleet.rollouts.retry(ROLLOUT);
    await seen({ phase: 'Paused', weight: 25 });
    fleet.rollouts.promote(ROLLOUT);
    await seen({ phase: 'Healthy', step: 2 });
    await health('Healthy');
    expect(() => fleet.rollouts.promote(ROLLOUT)).toThrow(
      'The Rollout api of c1 cannot be promoted: it is not paused but Healthy',
    );

    // A ReadOnly work does not delete the observed object.
    await on.client.delete(manifestWorks, OBSERVER.metadata);
    await on.until(manifestWorks, items => items.length === 1);
    expect(fleet.rollouts.get(ROLLOUT).status?.phase).toBe('Healthy');

    await on.client.delete(manifestWorks, work.metadata);
    await on.until(manifestWorks, items => items.length === 0);
    expect(() => fleet.rollouts.get(ROLLOUT)).toThrow(
      'The cluster c1 has no Rollout api.',
    );
  });

  it('that was healthy is healthy again after a restart of the fleet', async () => {
    const first = await on.start(SCENARIO);
    await on.client.create(
      manifestWorks,
      applicationWork('c1', 'shop', 'shop'),
    );
    await health('Healthy');
    await first.stop();
    on.hub.clearRequests();

    const second = await on.start(SCENARIO);
    await on.client.create(manifestWorks, OBSERVER);
    await seen({ phase: 'Healthy', step: 2 });
    expect(
      on.hub.requests.filter(
        ({ verb, name }) => verb === 'patch' && name === 'shop',
      ),
    ).toEqual([]);
    expect(second.rollouts.get(ROLLOUT).status?.phase).toBe('Healthy');
  });
});
