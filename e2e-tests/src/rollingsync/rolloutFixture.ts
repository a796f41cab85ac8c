import { parseScenario, Scenario } from 'simulated-fleet';
import { Json } from '../hub/hubClient';
import { argoCdManifests, placementManifests } from '../hub/manifests';

/**
 * Argo CD's namespace on the clusters. On the hub, the ApplicationSet is in a namespace that the simulated controller
 * does not watch.
 */
export const SPOKE_NAMESPACE = 'openshift-gitops';

/** Value of the label `wave` for each step of the rollout, in order. */
export const WAVES = ['one', 'two', 'three'] as const;

const TOLERATIONS = [
  { key: 'cluster.open-cluster-management.io/unreachable', operator: 'Exists' },
];

/** Number of clusters in each wave. */
const CLUSTERS_PER_WAVE = 10;

/** Name of the ApplicationSet. */
export const SET = 'web';

const REPOSITORY = 'https://git.example/web.git';

/** Name of a wave's cluster; `index` starts at 1. */
function clusterName(run: string, wave: number, index: number): string {
  return `${run}-${WAVES[wave]}-${index}`;
}

/** Names of all clusters of a wave. */
export function clustersOf(run: string, wave: number): string[] {
  return Array.from({ length: CLUSTERS_PER_WAVE }, (_, index) =>
    clusterName(run, wave, index + 1),
  );
}

/** Name of a cluster's Application. */
export function applicationName(cluster: string): string {
  return `${cluster}-web`;
}

/** Thirty clusters on which syncs take a fraction of a second. */
export function rolloutScenario(run: string): Scenario {
  return parseScenario(
    JSON.stringify({
      argocd: { namespace: SPOKE_NAMESPACE },
      clusters: WAVES.flatMap((_, wave) => clustersOf(run, wave)).map(name => ({
        name,
        clusterSet: run,
      })),
      // A cluster with a wrong clock counts as unreachable, which must not take it out of the rollout.
      objects: placementManifests(run, run).map(object =>
        object.kind === 'Placement'
          ? { ...object, spec: { ...object.spec, tolerations: TOLERATIONS } }
          : object,
      ),
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

/** The hub's objects before the ApplicationSet is created; the scenario has the Placement. */
export function initialObjects(run: string): Json[] {
  return argoCdManifests(run, ['default']);
}

/**
 * An ApplicationSet of three waves. Its generator lists the last wave first, so that the first wave's Applications
 * change last.
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
