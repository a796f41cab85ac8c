import { join } from 'node:path';

import { defaultScenario, loadScenario, parseScenario } from './loadScenario';

describe('the default scenario', () => {
  it('is the example of the product documentation', async () => {
    expect(await loadScenario()).toBe(defaultScenario);
    const aws = defaultScenario.clusters.filter(
      ({ labels }) => labels.cloud === 'Amazon',
    );
    expect(aws.map(({ name }) => name)).toEqual([
      'local-cluster',
      'cluster1',
      'pcluster1',
      'pcluster2',
    ]);
    expect(aws[0].labels['local-cluster']).toBe('true');
    const named = (kind: string) =>
      defaultScenario.objects
        .filter(object => object.kind === kind)
        .map(({ metadata }) => metadata.name);
    expect(named('GitOpsCluster')).toEqual([
      'argo-acm-importer',
      'edge-importer',
    ]);
    expect(named('Placement')).toContain('aws-app-placement');
    expect(named('ApplicationSet')).toContain('guestbook-allclusters-app-set');
  });

  it('has forty edge clusters, one of which stops reporting', () => {
    const edge = defaultScenario.clusters.filter(
      ({ clusterSet }) => clusterSet === 'edge-clusters',
    );
    expect(edge).toHaveLength(40);
    expect(
      edge.filter(c => c.stopsReportingAfterSeconds !== undefined),
    ).toHaveLength(1);
  });
});

describe('the scenario of Rollouts and faults', () => {
  it('is valid', async () => {
    const { timeline, workloads, search } = await loadScenario(
      join(__dirname, '../../scenarios/rollouts-and-faults.yaml'),
    );
    expect(timeline).toHaveLength(5);
    expect(search).toEqual({ port: 0, token: 'shop-search' });
    expect(
      workloads[0].resources.map(({ rollout }) => Object.keys(rollout ?? {})),
    ).toEqual([[], ['replicas', 'canary'], ['replicas', 'blueGreen']]);
  });
});

describe('a scenario file', () => {
  it('expands a series of clusters', () => {
    const { clusters } = parseScenario(
      'clusterSeries: [{ name: "e-{index}", count: 3, labels: { a: "1" }, alternatingLabels: { env: [prod, test] } }]',
      'x.yaml',
    );
    expect(
      clusters.map(({ name, labels }) => [name, labels.a, labels.env]),
    ).toEqual([
      ['e-01', '1', 'prod'],
      ['e-02', '1', 'test'],
      ['e-03', '1', 'prod'],
    ]);
  });

  it('converts the times of the timeline to seconds', () => {
    const { timeline } = parseScenario(
      'clusters: [{ name: a }]\ntimeline: [{ at: 2m, offline: "*" }, { at: 0.5, online: a }, { at: 500ms, clockSkew: { cluster: a, seconds: -3 } }]',
      'x.yaml',
    );
    expect(timeline.map(({ at }) => at)).toEqual([120, 0.5, 0.5]);
  });

  it.each([
    ['clusters: [{ nam: a }]', /x\.yaml[\s\S]*clusters\[0\]\.name: /],
    [
      'clusters: [{ name: a, colour: red }]',
      /clusters\[0\]: there is no field colour; the fields are name, labels/,
    ],
    [
      'clusterSeries: [{ name: a, count: 2 }]',
      /clusterSeries\[0\]\.name: must contain {index}/,
    ],
    [
      'faults: [{ type: fire, clusters: [a] }]',
      /faults\[0\]\.type: [\s\S]*(forbidden|discriminator)/,
    ],
    ['timings: { syncSeconds: fast }', /timings\.syncSeconds: .*number/],
    [
      'clusters: [{ name: a }, { name: a }]',
      /clusters\[1\]\.name: a appears twice/,
    ],
    [
      'timeline: [{ at: soon, offline: a }]',
      /timeline\[0\]\.at: soon is not a duration: write seconds as a number, or 500ms, 30s, 2m, 1h/,
    ],
    [
      'timeline: [{ at: 3s }]',
      /timeline\[0\]: needs exactly one of offline, online, .*, retry beside at/,
    ],
    [
      'timeline: [{ at: 3s, offline: a, online: b }]',
      /timeline\[0\]: needs exactly one of/,
    ],
    [
      'clusters: [{ name: a }]\ntimeline: [{ at: 3s, offline: b }]',
      /timeline\[0\]: there is no cluster b/,
    ],
    [
      'timeline: [{ at: 3s, search: { hang: true } }]',
      /timeline\[0\]\.search: the scenario has no search endpoint, add the field search/,
    ],
    ['search: { port: 4000 }', /search\.token: /],
    [
      'clusters: [{ name: a, leaseDurationSeconds: 0 }]',
      /clusters\[0\]\.leaseDurationSeconds: /,
    ],
    ['agents: { watches: 3 }', /agents: there is no field watches/],
    [
      'workloads: [{ path: x, resources: [{ kind: Rollout, name: a }] }]',
      /workloads\[0\]\.resources\[0\]: a Rollout has group argoproj\.io, version v1alpha1/,
    ],
    [
      'workloads: [{ path: x, resources: [{ kind: Rollout, group: argoproj.io, version: v1alpha1, name: a, rollout: {} }] }]',
      /resources\[0\]\.rollout: needs exactly one of canary, blueGreen/,
    ],
    [
      'workloads: [{ path: x, resources: [{ kind: Rollout, group: argoproj.io, version: v1alpha1, name: a, rollout: { canary: { steps: [{ setWeight: 120 }] } } }] }]',
      /rollout\.canary\.steps\[0\]\.setWeight: /,
    ],
    [
      'workloads: [{ path: x, resources: [{ kind: Rollout, group: argoproj.io, version: v1alpha1, name: a, rollout: { canary: { steps: [{ pause: { duration: soon } }] } } }] }]',
      /steps\[0\]\.pause\.duration: /,
    ],
    ['a: [', /x\.yaml is not YAML/],
  ])('is rejected with a message about the mistake: %s', (text, message) => {
    expect(() => parseScenario(text, 'x.yaml')).toThrow(message);
  });

  it('reports the path of a file that cannot be read', async () => {
    await expect(loadScenario('/no/such.yaml')).rejects.toThrow(
      /\/no\/such\.yaml cannot be read/,
    );
  });
});
