import { parseScenario, Scenario } from 'simulated-fleet';
import { Json } from '../oracle/oracleCase';

/** Namespace of Argo CD on the clusters; on the hub the ApplicationSet is in another one, where the simulated controller does not look. */
export const SPOKE_NAMESPACE = 'openshift-gitops';

/** The steps of the rollout, in their order. */
export const WAVES = ['one', 'two', 'three'] as const;

/** The clusters of each wave. */
export const CLUSTERS_OF_WAVE = 10;

export const SET = 'web';

const REPOSITORY = 'https://git.example/web.git';

/** Name of the cluster of a wave, counted from 1. */
export function clusterName(run: string, wave: number, index: number): string {
  return `${run}-${WAVES[wave]}-${index}`;
}

/** Names of all clusters of a wave. */
export function clustersOf(run: string, wave: number): string[] {
  return Array.from({ length: CLUSTERS_OF_WAVE }, (_, index) =>
    clusterName(run, wave, index + 1),
  );
}

/** Name of a cluster's Application. */
export function applicationName(cluster: string): string {
  return `${cluster}-web`;
}

/** Thirty clusters on which everything takes a fraction of a second. */
export function rolloutScenario(run: string): Scenario {
  return parseScenario(
    JSON.stringify({
      argocd: { namespace: SPOKE_NAMESPACE },
      clusters: WAVES.flatMap((_, wave) => clustersOf(run, wave)).map(name => ({
        name,
      })),
      workloads: [
        {
          path: 'web',
          resources: [
            { group: 'apps', kind: 'Deployment', name: 'web' },
            { kind: 'Service', name: 'web' },
          ],
        },
      ],
      timings: {
        outOfSyncSeconds: 0.05,
        syncSeconds: 0.3,
        progressingSeconds: 0.3,
        feedbackPollSeconds: 1,
      },
    }),
    'the rollout',
  );
}

/** What is on the hub before there is an ApplicationSet. */
export function worldObjects(run: string): Json[] {
  const namespace = run;
  const partOfArgoCd = { 'app.kubernetes.io/part-of': 'argocd' };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    // Argo CD's components start with these two only.
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace, labels: partOfArgoCd },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret', namespace, labels: partOfArgoCd },
      stringData: { 'server.secretkey': 'unused' },
    },
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: '*' }],
      },
    },
    {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'PlacementDecision',
      metadata: {
        name: 'all-decision-1',
        namespace,
        labels: { 'cluster.open-cluster-management.io/placement': 'all' },
      },
      status: {
        decisions: WAVES.flatMap((_, wave) => clustersOf(run, wave)).map(
          name => ({ clusterName: name, reason: '' }),
        ),
      },
    },
  ];
}

/**
 * An ApplicationSet of three waves. Its generator names the last wave first, so that the first wave's Applications are changed last.
 */
export function rollingApplicationSet(run: string, source: Json): Json {
  const annotation = 'apps.open-cluster-management.io/ocm-managed-cluster';
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: SET, namespace: run },
    spec: {
      generators: [
        {
          list: {
            elements: WAVES.map((wave, index) => ({ wave, index }))
              .toReversed()
              .flatMap(({ wave, index }) =>
                clustersOf(run, index).map(cluster => ({ cluster, wave })),
              ),
          },
        },
      ],
      strategy: {
        type: 'RollingSync',
        rollingSync: {
          steps: WAVES.map(wave => ({
            matchExpressions: [{ key: 'wave', operator: 'In', values: [wave] }],
          })),
        },
      },
      template: {
        metadata: {
          name: applicationName('{{cluster}}'),
          labels: {
            'apps.open-cluster-management.io/pull-to-ocm-managed-cluster':
              'true',
            wave: '{{wave}}',
          },
          annotations: {
            [annotation]: '{{cluster}}',
            [`${annotation}-app-namespace`]: SPOKE_NAMESPACE,
            'argocd.argoproj.io/skip-reconcile': 'true',
          },
        },
        spec: {
          project: 'default',
          source: { repoURL: REPOSITORY, path: 'web', ...source },
          destination: {
            server: 'https://kubernetes.default.svc',
            namespace: 'web',
          },
          syncPolicy: { automated: { prune: true, selfHeal: true } },
        },
      },
    },
  };
}
