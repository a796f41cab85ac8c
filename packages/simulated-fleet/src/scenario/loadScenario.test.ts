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
    expect(named('GitOpsCluster')).toEqual(['argo-acm-importer']);
    expect(named('Placement')).toContain('aws-app-placement');
    expect(named('ApplicationSet')).toContain('guestbook-allclusters-app-set');
  });

  it('has forty edge clusters, one of which falls silent', () => {
    const edge = defaultScenario.clusters.filter(
      ({ clusterSet }) => clusterSet === 'edge-clusters',
    );
    expect(edge).toHaveLength(40);
    expect(
      edge.filter(c => c.stopsReportingAfterSeconds !== undefined),
    ).toHaveLength(1);
  });
});

describe('a scenario file', () => {
  it('writes its series out', () => {
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
      /clusters\[1\]\.name: a is there twice/,
    ],
    ['a: [', /x\.yaml is not YAML/],
  ])('is refused with its mistake named: %s', (text, message) => {
    expect(() => parseScenario(text, 'x.yaml')).toThrow(message);
  });

  it('names a file that cannot be read', async () => {
    await expect(loadScenario('/no/such.yaml')).rejects.toThrow(
      /\/no\/such\.yaml cannot be read/,
    );
  });
});
