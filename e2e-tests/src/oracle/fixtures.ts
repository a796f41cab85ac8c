import { Json } from '../hub/hubClient';
import { argoCdManifests, placementDecisionManifest } from '../hub/manifests';
import { FixtureName } from './oracleCase';

const PLACEMENT_LABEL = 'oracle.example.com/placement';

interface Cluster {
  secret: string;
  name: string;
  server: string;
  project?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

const CLUSTERS: Record<FixtureName, readonly Cluster[]> = {
  usual: [
    {
      secret: 'alpha-cluster-secret',
      name: 'alpha',
      server: 'https://alpha-control-plane',
      labels: { cluster: 'alpha', env: 'prod', region: 'eu' },
      annotations: { 'example.com/note': 'the first' },
    },
    {
      secret: 'beta-cluster-secret',
      name: 'beta',
      server: 'https://beta-control-plane/',
      project: 'edge',
      labels: { cluster: 'beta', env: 'test', region: 'us' },
    },
    {
      secret: 'a-gamma-cluster-secret',
      name: 'Gamma.Hub_1',
      server: 'https://gamma-control-plane',
      labels: { env: 'prod' },
    },
    {
      secret: 'delta-cluster-secret',
      name: 'delta',
      server: 'https://delta-control-plane',
      labels: { cluster: 'delta', env: 'stage' },
    },
  ],
  'own-secret': [
    {
      secret: 'local-cluster-secret',
      name: 'local-cluster',
      server: 'https://kubernetes.default.svc',
      labels: { env: 'hub' },
    },
    {
      secret: 'twin-one-secret',
      name: 'twin',
      server: 'https://one',
      labels: { twin: 'yes' },
    },
    {
      secret: 'twin-two-secret',
      name: 'twin',
      server: 'https://two',
      labels: { twin: 'yes' },
    },
  ],
};

const DUCK_TYPE = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'placementdecisions',
  statusListKey: 'decisions',
  matchKey: 'clusterName',
};

const CONFIG_MAPS: Record<string, Json> = {
  'ocm-placement-generator': DUCK_TYPE,
  'without-group': { ...DUCK_TYPE, apiVersion: 'v1beta1' },
  'without-match-key': { ...DUCK_TYPE, matchKey: '' },
};

/** Placement and clusters of each PlacementDecision; one without clusters has no status yet. */
const DECISIONS: Record<string, [string, string[] | undefined]> = {
  'all-decision-1': ['all', ['beta', 'alpha']],
  'all-decision-2': ['all', ['stranger', 'delta']],
  'empty-decision-1': ['empty', []],
  'pending-decision-1': ['pending', undefined],
  'own-decision-1': ['own', ['in-cluster', 'local-cluster']],
  'shrinking-decision-1': ['shrinking', ['alpha', 'beta']],
};

/** All objects that the ApplicationSet controller reads, in Argo CD's namespace; the Namespace comes first. */
export function fixtureObjects(
  fixture: FixtureName,
  namespace: string,
): Json[] {
  return [
    ...argoCdManifests(namespace, ['default', 'edge']),
    ...Object.entries(CONFIG_MAPS).map(([name, data]) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data,
    })),
    ...CLUSTERS[fixture].map(cluster => clusterSecret(cluster, namespace)),
    ...Object.entries(DECISIONS).map(([name, [placement, clusters]]) =>
      placementDecisionManifest(
        namespace,
        name,
        { [PLACEMENT_LABEL]: placement },
        clusters,
      ),
    ),
  ];
}

function clusterSecret(
  { secret, name, server, project, labels, annotations }: Cluster,
  namespace: string,
): Json {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secret,
      namespace,
      labels: { ...labels, 'argocd.argoproj.io/secret-type': 'cluster' },
      annotations,
    },
    stringData: { name, server, ...(project && { project }) },
  };
}
