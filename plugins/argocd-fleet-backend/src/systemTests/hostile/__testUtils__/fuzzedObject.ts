import {
  PLACEMENT_GENERATOR,
  PLACEMENT_LABEL,
  PLACEMENT_READER,
  RHACM_SWITCH,
  SECRET_TYPE_LABEL,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import {
  decisionStatus,
  managedCluster,
  pullApplication,
  pullApplicationSet,
} from '../../../__testUtils__/objects';
import type { FleetResource } from '../../../fleet/resources';
import { reportedWork, workOf } from '../../../model/__testUtils__/works';
import { replaced } from './fuzzedRequest';
import { HOSTILE_TEXTS, HOSTILE_VALUES } from './hostileValues';

/** An object as a tenant, an agent or a broken controller may leave it on a hub. */
export interface FuzzedObject {
  readonly resource: FleetResource;
  readonly object: KubernetesObject;
}

/** Label of every fuzzed object, by which they are removed. */
export const FUZZ_LABEL = 'fuzz';

const OCM = 'open-cluster-management.io';
const TIME = '2026-11-21T10:00:00Z';

/** What a resource's objects may look like, with every part that the plugin reads. */
type Example = (
  name: string,
  namespace: string,
  cluster: string,
) => object & { readonly metadata?: object };

const spokeStatus = {
  health: { status: 'Degraded', message: 'x', lastTransitionTime: TIME },
  sync: {
    status: 'OutOfSync',
    revision: '0123456789abcdef0123456789abcdef01234567',
    comparedTo: {
      source: { repoURL: 'https://example.com/x.git', path: 'x' },
      destination: { server: 'https://kubernetes.default.svc' },
    },
  },
  operationState: {
    phase: 'Failed',
    message: 'deployments.apps is forbidden',
    startedAt: TIME,
    finishedAt: TIME,
    retryCount: 3,
    operation: { sync: { revision: 'main' } },
    syncResult: {
      resources: [
        {
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          namespace: 'x',
          name: 'x',
          status: 'SyncFailed',
          message: 'is forbidden',
        },
      ],
    },
  },
  conditions: [{ type: 'SyncError', message: 'x', lastTransitionTime: TIME }],
  resources: [
    {
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      namespace: 'x',
      name: 'x',
      status: 'OutOfSync',
      health: { status: 'Degraded', message: 'x' },
    },
  ],
  summary: { images: ['x:1'], externalURLs: ['https://example.com'] },
  history: [{ id: 1, deployedAt: TIME, revision: 'main' }],
  reconciledAt: TIME,
};

const EXAMPLES: Partial<Record<FleetResource, Example>> = {
  applications: (name, namespace, cluster) => ({
    ...pullApplication(name, cluster, { namespace }),
    operation: { sync: { revision: 'main' }, initiatedBy: { username: 'x' } },
    status: spokeStatus,
  }),
  applicationSets: (name, namespace) => {
    const set = pullApplicationSet(name);
    return {
      ...set,
      spec: {
        ...(set as unknown as { spec: object }).spec,
        generators: [
          {
            clusterDecisionResource: {
              configMapRef: PLACEMENT_GENERATOR,
              labelSelector: { matchLabels: { [PLACEMENT_LABEL]: 'all' } },
              requeueAfterSeconds: 30,
            },
          },
        ],
        strategy: {
          type: 'RollingSync',
          rollingSync: { steps: [{ matchExpressions: [] }] },
        },
      },
      status: {
        conditions: [
          {
            type: 'ErrorOccurred',
            status: 'True',
            reason: 'x',
            message: 'x',
            lastTransitionTime: TIME,
          },
        ],
        applicationStatus: [
          { application: name, status: 'Waiting', message: 'x', step: '1' },
        ],
      },
      metadata: { namespace },
    };
  },
  works: (name, namespace, cluster) => {
    const application = pullApplication(name, cluster, {
      namespace,
      uid: '01234567-89ab-cdef-0123-456789abcdef',
    });
    const {
      metadata: { annotations, labels },
      ...work
    } = reportedWork({
      work: workOf(application),
      feedback: { healthStatus: 'Degraded', syncStatus: 'OutOfSync' },
      digest: [
        ['c', 'SyncError', 'x'],
        ['r', 'apps', 'v1', 'Deployment', 'x', 'x', 'OutOfSync', 'Degraded'],
      ],
    });
    return { ...work, metadata: { annotations, labels, namespace: cluster } };
  },
  clusters: name => ({
    ...managedCluster(name),
    spec: {
      hubAcceptsClient: true,
      managedClusterClientConfigs: [
        { url: 'https://example.com', caBundle: 'eA==' },
      ],
      taints: [{ key: 'x', value: 'y', effect: 'NoSelect', timeAdded: TIME }],
    },
    status: {
      version: { kubernetes: 'v1.36.0' },
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: 'True',
          reason: 'x',
          message: 'x',
          lastTransitionTime: TIME,
        },
      ],
    },
  }),
  clusterSets: () => ({
    apiVersion: `cluster.${OCM}/v1beta2`,
    kind: 'ManagedClusterSet',
    spec: {
      clusterSelector: {
        selectorType: 'LabelSelector',
        labelSelector: {
          matchLabels: { x: 'y' },
          matchExpressions: [{ key: 'x', operator: 'In', values: ['y'] }],
        },
      },
    },
  }),
  clusterSetBindings: (name, namespace) => ({
    apiVersion: `cluster.${OCM}/v1beta2`,
    kind: 'ManagedClusterSetBinding',
    metadata: { namespace },
    spec: { clusterSet: name },
  }),
  placements: (_, namespace) => ({
    apiVersion: `cluster.${OCM}/v1beta1`,
    kind: 'Placement',
    metadata: { namespace },
    spec: {
      clusterSets: ['x'],
      numberOfClusters: 2,
      tolerations: [{ key: 'x', operator: 'Exists', tolerationSeconds: 1 }],
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: { matchLabels: { x: 'y' } },
          },
        },
      ],
    },
    status: {
      numberOfSelectedClusters: 1,
      conditions: [{ type: 'PlacementSatisfied', status: 'True', message: '' }],
    },
  }),
  decisions: (_, namespace, cluster) => ({
    apiVersion: `cluster.${OCM}/v1beta1`,
    kind: 'PlacementDecision',
    metadata: { namespace, labels: { [PLACEMENT_LABEL]: 'all' } },
    status: decisionStatus([cluster]),
  }),
  reports: (name, namespace, cluster) => ({
    apiVersion: `apps.${OCM}/v1alpha1`,
    kind: 'MulticlusterApplicationSetReport',
    metadata: { namespace },
    statuses: {
      resources: [{ apiVersion: 'v1', kind: 'Service', name: 'x' }],
      clusterConditions: [
        {
          cluster,
          healthStatus: 'Healthy',
          syncStatus: 'Synced',
          app: `${namespace}/${name}/${cluster}`,
          conditions: [{ type: 'SyncError', message: 'x' }],
        },
      ],
      summary: {
        clusters: '1',
        healthy: '1',
        inProgress: '0',
        notHealthy: '0',
        synced: '1',
        notSynced: '0',
      },
    },
  }),
  gitOpsClusters: (_, namespace) => ({
    apiVersion: `apps.${OCM}/v1beta1`,
    kind: 'GitOpsCluster',
    metadata: { namespace },
    spec: {
      argoServer: { argoNamespace: namespace, cluster: 'local-cluster' },
      placementRef: {
        apiVersion: `cluster.${OCM}/v1beta1`,
        kind: 'Placement',
        name: 'all',
      },
      managedServiceAccountRef: 'argocd',
    },
  }),
  managedServiceAccounts: (_, __, cluster) => ({
    apiVersion: `authentication.${OCM}/v1beta1`,
    kind: 'ManagedServiceAccount',
    metadata: { namespace: cluster },
    spec: { rotation: { enabled: true } },
    status: { tokenSecretRef: { name: 'argocd', lastRefreshTimestamp: TIME } },
  }),
  appProjects: (_, namespace) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { namespace },
    spec: { sourceRepos: ['*'], destinations: [{ namespace: '*' }] },
  }),
};

/** Resources whose fields every API server checks: only their texts can be hostile. */
const TEXTS_ONLY: Partial<Record<FleetResource, Example>> = {
  clusterSecrets: (name, namespace) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, labels: { [SECRET_TYPE_LABEL]: 'cluster' } },
    stringData: { name, server: 'https://example.com', config: '{}' },
  }),
  generatorConfigs: (_, namespace) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: PLACEMENT_GENERATOR },
    data: { apiVersion: 'x', kind: 'x', statusListKey: 'x', matchKey: 'x' },
  }),
  rhacmConfigMaps: (_, namespace) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: RHACM_SWITCH },
    data: { 'config.yaml': 'x: y', x: 'y' },
  }),
  serviceAccounts: (_, namespace) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace, annotations: { x: 'y' } },
  }),
  placementRoles: (_, namespace) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { namespace, name: PLACEMENT_READER },
    rules: [{ apiGroups: ['x'], resources: ['y'], verbs: ['get'] }],
  }),
};

/** Every resource that is fuzzed. */
export const FUZZED_RESOURCES = [
  ...Object.keys(EXAMPLES),
  ...Object.keys(TEXTS_ONLY),
] as FleetResource[];

/** Paths of everything that a tenant may write as it likes: not what API servers check in all metadata. */
function freePlaces(value: any): string[][] {
  const below = (part: unknown, at: string[]): string[][] =>
    typeof part === 'object' && part !== null
      ? [
          at,
          ...Object.entries(part).flatMap(([key, inner]) =>
            below(inner, [...at, key]),
          ),
        ]
      : [at];
  return Object.keys(value)
    .filter(key => !['apiVersion', 'kind', 'metadata'].includes(key))
    .flatMap(key => below(value[key], [key]))
    .concat(
      Object.keys(value.metadata?.annotations ?? {}).map(key => [
        ...['metadata', 'annotations'],
        key,
      ]),
    );
}

/** Replaces some places; annotations, and everything where only texts are free, with texts. */
function withMutations(
  object: any,
  mutations: readonly {
    place: number;
    value: unknown;
    text: string;
    key: string | null;
  }[],
  textsOnly: boolean,
): any {
  return mutations.reduce((result, { place, value, text, key }) => {
    const places = freePlaces(result).filter(
      at =>
        !textsOnly ||
        typeof at.reduce((part, name) => part?.[name], result) === 'string',
    );
    const at = places[place % places.length];
    const isText = textsOnly || at[0] === 'metadata';
    return isText || key === null
      ? replaced(result, at, isText ? text : value)
      : replaced(result, [...at, key], value);
  }, object);
}

/**
 * Objects of every resource, with hostile values at random places.
 * @param tenants - namespaces, each with its cluster and with a word that is in all of its objects
 */
export function fuzzedObjects(
  tenants: readonly {
    readonly namespace: string;
    readonly cluster: string;
    readonly secret: string;
  }[],
): fc.Arbitrary<(serial: number) => FuzzedObject> {
  const mutation = fc.record({
    place: fc.nat(),
    value: fc.constantFrom(...HOSTILE_VALUES),
    text: fc.constantFrom(...HOSTILE_TEXTS),
    key: fc.option(fc.constantFrom(...HOSTILE_TEXTS), { freq: 3 }),
  });
  return fc
    .record({
      resource: fc.constantFrom(...FUZZED_RESOURCES),
      tenant: fc.constantFrom(...tenants),
      mutations: fc.array(mutation, { minLength: 1, maxLength: 4 }),
    })
    .map(
      ({ resource, tenant: { namespace, cluster, secret }, mutations }) =>
        serial => {
          const name = `fuzz-${serial}`;
          const example = EXAMPLES[resource] ?? TEXTS_ONLY[resource]!;
          const object: any = example(name, namespace, cluster);
          const { metadata } = object;
          const whole = {
            ...object,
            metadata: {
              name,
              ...metadata,
              labels: { ...metadata?.labels, [FUZZ_LABEL]: '' },
              annotations: {
                ...metadata?.annotations,
                'argocd-fleet/word': secret,
              },
            },
          };
          return {
            resource,
            object: withMutations(whole, mutations, !EXAMPLES[resource]),
          };
        },
    );
}
