import type {
  ArgoApplication,
  ManifestWork,
  Placement,
} from 'backstage-plugin-argocd-fleet-common';
import { buildManifestWork } from '../../plugins/argocd-fleet-backend/src/model/manifestwork/manifestWork';
import type { WorkOptions } from '../../plugins/argocd-fleet-backend/src/model/manifestwork/workOptions';
import { DEFAULT_PROPAGATION } from '../../plugins/argocd-fleet-backend/src/model/manifestwork/workPlan';

import type { HubCalls } from './hubCalls';

/** Namespace of the Applications. */
export const NAMESPACE = 'argocd';

const PULL_LABEL =
  'apps.open-cluster-management.io/pull-to-ocm-managed-cluster';
const TARGET = 'apps.open-cluster-management.io/ocm-managed-cluster';
const HUB_NAME = 'apps.open-cluster-management.io/hub-application-name';
const HUB_NAMESPACE =
  'apps.open-cluster-management.io/hub-application-namespace';

const PATHS = {
  applications: `/apis/argoproj.io/v1alpha1/namespaces/${NAMESPACE}/applications`,
  applicationSets: `/apis/argoproj.io/v1alpha1/namespaces/${NAMESPACE}/applicationsets`,
  clusters: '/apis/cluster.open-cluster-management.io/v1/managedclusters',
  clusterSets:
    '/apis/cluster.open-cluster-management.io/v1beta2/managedclustersets',
  clusterSetBindings: `/apis/cluster.open-cluster-management.io/v1beta2/namespaces/${NAMESPACE}/managedclustersetbindings`,
  placements: `/apis/cluster.open-cluster-management.io/v1beta1/namespaces/${NAMESPACE}/placements`,
  decisions: `/apis/cluster.open-cluster-management.io/v1beta1/namespaces/${NAMESPACE}/placementdecisions`,
  namespaces: '/api/v1/namespaces',
} as const;

/** API path of a resource or of one of its objects. */
export function pathOf(resource: keyof typeof PATHS, name?: string): string {
  return name ? `${PATHS[resource]}/${name}` : PATHS[resource];
}

/** API path of a cluster's works or of one of them. */
export function worksPath(cluster: string, name?: string): string {
  const path = `/apis/work.open-cluster-management.io/v1/namespaces/${cluster}/manifestworks`;
  return name ? `${path}/${name}` : path;
}

export function clusterName(index: number): string {
  return `store-${String(index).padStart(4, '0')}`;
}

export function cluster(name: string) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels: { region: 'eu' } },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
  };
}

/** Creates the Placement `stores`, which may use all clusters. */
export async function createPlacement({ call }: HubCalls): Promise<Placement> {
  const group = 'cluster.open-cluster-management.io';
  await call('POST', pathOf('clusterSets'), {
    apiVersion: `${group}/v1beta2`,
    kind: 'ManagedClusterSet',
    metadata: { name: 'global' },
    spec: {
      clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} },
    },
  });
  await call('POST', pathOf('clusterSetBindings'), {
    apiVersion: `${group}/v1beta2`,
    kind: 'ManagedClusterSetBinding',
    metadata: { name: 'global' },
    spec: { clusterSet: 'global' },
  });
  return call('POST', pathOf('placements'), {
    apiVersion: `${group}/v1beta1`,
    kind: 'Placement',
    metadata: { name: 'stores' },
    spec: {},
  });
}

/** A decision of that Placement, without status; its number counts from 1. */
export function placementDecision({ metadata }: Placement, number: number) {
  const apiVersion = 'cluster.open-cluster-management.io/v1beta1';
  return {
    apiVersion,
    kind: 'PlacementDecision',
    metadata: {
      name: `${metadata.name}-decision-${number}`,
      labels: {
        'cluster.open-cluster-management.io/placement': metadata.name,
      },
      ownerReferences: [
        {
          apiVersion,
          kind: 'Placement',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
  };
}

/** The ApplicationSet that makes an Application, without its generators. */
export function applicationSet(name: string) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      generators: [],
      template: {
        metadata: { name },
        spec: { project: 'default', destination: {} },
      },
    },
  };
}

/** Name of the ApplicationSet that makes an Application. */
export function setName(index: number, clusters: number): string {
  return `shop-${Math.floor(index / clusters)}`;
}

/** @param setUid - UID of its ApplicationSet; if left out, none has made it */
export function application(index: number, clusters: number, setUid?: string) {
  const target = clusterName(index % clusters);
  const set = setName(index, clusters);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: `${target}-${set}`,
      ...(setUid !== undefined && {
        ownerReferences: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'ApplicationSet',
            name: set,
            uid: setUid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      }),
      labels: { [PULL_LABEL]: 'true' },
      annotations: {
        [TARGET]: target,
        'argocd.argoproj.io/skip-reconcile': 'true',
      },
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
    spec: {
      project: 'default',
      source: {
        repoURL: `https://git.example.com/shops/${set}.git`,
        path: `deploy/${set}`,
        targetRevision: 'v1.2.0',
      },
      destination: {
        server: 'https://kubernetes.default.svc',
        namespace: set,
      },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        syncOptions: ['CreateNamespace=true'],
      },
    },
  };
}

/** Options of the work that the documented pull model has: without our condition rules and further feedback. */
export const DOCUMENTED_WORK: WorkOptions = {
  ...DEFAULT_PROPAGATION,
  conditionRules: false,
  errorFeedback: false,
  watch: false,
  observe: { rollouts: 0, childApplications: 0 },
};

/** The work that propagation creates for the Application, without the annotations by which controllers find it. */
export function bareWork(
  of: ReturnType<typeof application>,
  options: WorkOptions = DEFAULT_PROPAGATION,
): ManifestWork {
  const work = buildManifestWork(
    { ...of, metadata: { ...of.metadata, namespace: NAMESPACE } },
    {
      cluster: of.metadata.annotations[TARGET],
      name: `${of.metadata.name}-bare`,
    },
    options,
  );
  const {
    [HUB_NAME]: name = '',
    [HUB_NAMESPACE]: namespace = '',
    ...annotations
  } = work.metadata.annotations ?? {};
  return {
    ...work,
    metadata: {
      ...work.metadata,
      annotations: {
        ...annotations,
        'bench.example.com/name': name,
        'bench.example.com/namespace': namespace,
      },
    },
  };
}

/** The status that an agent reports once Argo CD has synced the Application. */
export function reportedStatus(
  { metadata }: ManifestWork,
  { metadata: { name }, spec }: ArgoApplication,
) {
  const at = '2026-01-10T08:15:30Z';
  const revision = 'b39c77850076b9e4dcec128c1a1ab253f07c7d1f';
  const { repoURL, path, targetRevision } = spec.source ?? {};
  const { server = '', namespace = '' } = spec.destination ?? {};
  const digest = [
    ['argocd-fleet-digest/1', '1'],
    ['s', 'Healthy', 'Synced', revision, at, ''],
    ['o', 'Succeeded', '0', at, 'successfully synced (all tasks run)'],
    ['d', server, '', namespace, '='],
    ['t', repoURL, path, '', targetRevision, ''],
    [
      'r',
      'apps',
      'v1',
      'Deployment',
      namespace,
      'web',
      'Synced',
      'Healthy',
      '',
    ],
    ['i', `registry.example.com/${namespace}/web:v1.2.0`],
    ['.'],
  ];
  const condition = (type: string, message: string) => ({
    type,
    status: 'True',
    reason: type,
    message,
    observedGeneration: metadata.generation,
    lastTransitionTime: at,
  });
  return {
    conditions: [condition('Applied', 'Apply manifest work complete')],
    resourceStatus: {
      manifests: [
        {
          resourceMeta: {
            ordinal: 0,
            group: 'argoproj.io',
            version: 'v1alpha1',
            kind: 'Application',
            resource: 'applications',
            namespace: NAMESPACE,
            name,
          },
          conditions: [
            condition('Applied', 'Apply manifest complete'),
            condition('Available', 'Resource is available'),
            condition(
              'ApplicationReady',
              digest.map(fields => fields.join('\t')).join('\n'),
            ),
          ],
          statusFeedback: {
            values: Object.entries({
              healthStatus: 'Healthy',
              syncStatus: 'Synced',
              operationStateStartedAt: at,
              operationStatePhase: 'Succeeded',
              syncRevision: revision,
            }).map(([field, value]) => ({
              name: field,
              fieldValue: { type: 'String', string: value },
            })),
          },
        },
      ],
    },
  };
}
