import {
  ApplicationSet,
  ApplicationSetGenerator,
} from '../kubernetes/argocdTypes';
import { argoClusters } from './argoClusters';
import { clusterParams } from './clusterParams';

const secret = (
  name: string,
  server: string,
  labels: Record<string, string> = {},
) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `${name.toLowerCase()}-secret`, labels },
  data: {
    name: Buffer.from(name).toString('base64'),
    server: Buffer.from(server).toString('base64'),
  },
});

const params = (
  generator: NonNullable<ApplicationSetGenerator['clusters']>,
  goTemplate = false,
  secrets = [
    secret('Edge_1', 'https://edge/', { env: 'prod' }),
    secret('alpha', 'https://alpha', { env: 'test' }),
  ],
) => {
  const set: ApplicationSet = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set' },
    spec: { goTemplate },
  };
  return clusterParams(generator, set, {
    clusters: argoClusters(secrets),
    configMaps: [],
    placementDecisions: [],
  });
};

describe('the clusters generator', () => {
  it("returns first Argo CD's own cluster, then those with a Secret by the Secret's name", () => {
    expect(params({})).toEqual([
      {
        name: 'in-cluster',
        nameNormalized: 'in-cluster',
        server: 'https://kubernetes.default.svc',
        project: '',
      },
      expect.objectContaining({ name: 'alpha' }),
      {
        name: 'Edge_1',
        nameNormalized: 'edge-1',
        server: 'https://edge/',
        project: '',
        'metadata.labels.env': 'prod',
      },
    ]);
  });

  it('omits the cluster without labels if a selector has requirements', () => {
    const selector = { matchExpressions: [{ key: 'env', operator: 'Exists' }] };
    expect(params({ selector }).map(({ name }) => name)).toEqual([
      'alpha',
      'Edge_1',
    ]);
  });

  it("uses the Secret of Argo CD's own cluster", () => {
    const secrets = [secret('local', 'https://kubernetes.default.svc')];
    expect(params({}, false, secrets)).toHaveLength(1);
  });

  it("renders values with the cluster's own parameters only", () => {
    const values = {
      path: '{{metadata.labels.env}}',
      chained: '{{values.path}}',
    };
    const selector = { matchLabels: { env: 'prod' } };
    expect(params({ values, selector })[0]).toMatchObject({
      'values.path': 'prod',
      'values.chained': '{{values.path}}',
    });
  });

  it('nests metadata and values for Go templates', () => {
    const selector = { matchLabels: { env: 'prod' } };
    const values = { path: '{{.metadata.labels.env}}' };
    expect(params({ selector, values }, true)[0]).toMatchObject({
      metadata: { labels: { env: 'prod' } },
      values: { path: 'prod' },
    });
  });

  it('returns one parameter with all clusters as a flat list', () => {
    const [{ clusters }, ...others] = params({ flatList: true });
    expect(clusters).toHaveLength(3);
    expect(others).toEqual([]);
  });

  it.each([
    [{ matchLabels: { env: 'not legal' } }, 'valid label value'],
    [
      { matchExpressions: [{ key: 'env', operator: 'In', values: [] }] },
      "can't be empty",
    ],
    [{ matchExpressions: [{ key: '-', operator: 'Exists' }] }, 'label key'],
  ])('rejects the selector %j', (selector, message) => {
    expect(() => params({ selector })).toThrow(message);
  });
});
