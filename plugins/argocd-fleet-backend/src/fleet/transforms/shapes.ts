import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { fields, list, map, readable, type Shape } from './readable';

/** Addresses of one cluster: its agent writes them, and Argo CD uses only the first. */
const CLIENT_CONFIGS = 8;

/** Conditions, and values of feedback, of one manifest: honest agents write some ten of each. */
const REPORTED = 1_000;

/** Steps of a rolling sync, which are compared with each Application of the set. */
const ROLLING_STEPS = 1_000;

const texts = list('string');
const labels = map('string');

const condition = fields(
  {
    type: 'string',
    status: 'string',
    reason: 'string',
    message: 'string',
    observedGeneration: 'number',
    lastTransitionTime: 'string',
  },
  'type',
);
const conditions = list(condition);

const selector = fields({
  matchLabels: labels,
  matchExpressions: list(
    fields({ key: 'string', operator: 'string', values: texts }, 'key'),
  ),
});

const source = fields(
  {
    repoURL: 'string',
    path: 'string',
    chart: 'string',
    targetRevision: 'string',
    ref: 'string',
  },
  'repoURL',
);

const applicationSpec = fields({
  project: 'string',
  source,
  sources: list(source),
  sourceHydrator: fields({
    drySource: fields({
      repoURL: 'string',
      path: 'string',
      targetRevision: 'string',
    }),
    syncSource: fields({
      repoURL: 'string',
      path: 'string',
      targetBranch: 'string',
    }),
  }),
  destination: fields({
    name: 'string',
    server: 'string',
    namespace: 'string',
  }),
  syncPolicy: 'object',
});

const resource = {
  group: 'string',
  version: 'string',
  kind: 'string',
  namespace: 'string',
  name: 'string',
  status: 'string',
} as const;

const operation = fields({
  sync: fields({ revision: 'string', revisions: texts }),
  initiatedBy: fields({ username: 'string', automated: 'boolean' }),
  info: list(fields({ name: 'string', value: 'string' })),
});

const applicationStatus = fields({
  health: fields({
    status: 'string',
    message: 'string',
    lastTransitionTime: 'string',
  }),
  sync: fields({
    status: 'string',
    revision: 'string',
    revisions: texts,
    comparedTo: applicationSpec,
  }),
  operationState: fields({
    phase: 'string',
    message: 'string',
    startedAt: 'string',
    finishedAt: 'string',
    retryCount: 'number',
    operation,
    syncResult: fields({
      resources: list(
        fields({ ...resource, hookPhase: 'string', message: 'string' }),
      ),
    }),
  }),
  conditions,
  resources: list(
    fields({
      ...resource,
      health: fields({ status: 'string', message: 'string' }),
      requiresPruning: 'boolean',
      requiresDeletionConfirmation: 'boolean',
    }),
  ),
  summary: fields({ images: texts, externalURLs: texts }),
  resourceHealthSource: 'string',
  sourceHydrator: fields({
    currentOperation: fields({
      phase: 'string',
      startedAt: 'string',
      message: 'string',
      drySHA: 'string',
    }),
    lastSuccessfulOperation: fields({
      drySHA: 'string',
      hydratedSHA: 'string',
      sourceHydrator: 'object',
    }),
  }),
  history: list(
    fields({
      id: 'number',
      deployedAt: 'string',
      revision: 'string',
      revisions: texts,
    }),
  ),
  reconciledAt: 'string',
});

const metadata = fields({
  name: 'string',
  namespace: 'string',
  labels,
  annotations: labels,
});

const manifest = fields(
  { apiVersion: 'string', kind: 'string', metadata },
  'apiVersion',
  'kind',
  'metadata',
);

const identifier = fields(
  {
    group: 'string',
    resource: 'string',
    namespace: 'string',
    name: 'string',
  },
  'name',
);

const workSpec = fields({
  workload: fields({ manifests: list(manifest) }),
  deleteOption: fields({
    propagationPolicy: 'string',
    selectivelyOrphans: fields({ orphaningRules: list(identifier) }),
  }),
  manifestConfigs: list(
    fields(
      {
        resourceIdentifier: identifier,
        feedbackRules: list(
          fields({
            type: 'string',
            jsonPaths: list(
              fields({ name: 'string', path: 'string' }, 'name', 'path'),
            ),
          }),
        ),
        feedbackScrapeType: 'string',
        conditionRules: list(
          fields({
            type: 'string',
            condition: 'string',
            celExpressions: texts,
            message: 'string',
            messageExpression: 'string',
          }),
        ),
        updateStrategy: fields({
          type: 'string',
          serverSideApply: fields({
            force: 'boolean',
            fieldManager: 'string',
            ignoreFields: list(
              fields({ condition: 'string', jsonPaths: texts }, 'jsonPaths'),
            ),
          }),
        }),
      },
      'resourceIdentifier',
    ),
  ),
});

const workStatus = fields({
  conditions: list(condition, REPORTED),
  resourceStatus: fields({
    manifests: list(
      fields({
        resourceMeta: fields({
          ordinal: 'number',
          group: 'string',
          version: 'string',
          kind: 'string',
          resource: 'string',
          namespace: 'string',
          name: 'string',
        }),
        conditions: list(condition, REPORTED),
        statusFeedback: fields({
          values: list(
            fields(
              {
                name: 'string',
                fieldValue: fields({
                  type: 'string',
                  string: 'string',
                  integer: 'number',
                  boolean: 'boolean',
                  jsonRaw: 'string',
                }),
              },
              'name',
              'fieldValue',
            ),
            REPORTED,
          ),
        }),
      }),
    ),
  }),
});

const rollingStep = fields({
  matchExpressions: list(
    fields({ key: 'string', operator: 'string', values: texts }, 'key'),
  ),
});

/** What is read of the objects that tenants and clusters write. */
export const SHAPES = {
  applications: fields({
    spec: applicationSpec,
    operation: 'object',
    status: applicationStatus,
  }),
  applicationSets: fields({
    spec: fields({
      generators: list('object'),
      goTemplate: 'boolean',
      strategy: fields({
        type: 'string',
        rollingSync: fields({ steps: list(rollingStep, ROLLING_STEPS) }),
      }),
      template: fields({
        metadata: fields({
          name: 'string',
          labels,
          annotations: labels,
        }),
        spec: applicationSpec,
      }),
    }),
    status: fields({
      conditions,
      health: fields({ status: 'string', message: 'string' }),
      applicationStatus: list(
        fields(
          {
            application: 'string',
            step: 'string',
            status: 'string',
            message: 'string',
            lastTransitionTime: 'string',
          },
          'application',
        ),
      ),
    }),
  }),
  works: fields({ spec: workSpec, status: workStatus }),
  clusters: fields({
    spec: fields({
      hubAcceptsClient: 'boolean',
      managedClusterClientConfigs: list(
        fields({ url: 'string', caBundle: 'string' }),
        CLIENT_CONFIGS,
      ),
      taints: list(
        fields(
          { key: 'string', value: 'string', effect: 'string' },
          'key',
          'effect',
        ),
      ),
    }),
    status: fields({
      conditions,
      version: fields({ kubernetes: 'string' }),
      clusterClaims: list(fields({ name: 'string', value: 'string' }, 'name')),
    }),
  }),
  clusterSets: fields({
    spec: fields({
      clusterSelector: fields({
        selectorType: 'string',
        labelSelector: selector,
      }),
    }),
  }),
  clusterSetBindings: fields({ spec: fields({ clusterSet: 'string' }) }),
  placements: fields({
    spec: fields({
      clusterSets: texts,
      numberOfClusters: 'number',
      tolerations: list(
        fields({
          key: 'string',
          operator: 'string',
          value: 'string',
          effect: 'string',
          tolerationSeconds: 'number',
        }),
      ),
      predicates: list(
        fields({
          requiredClusterSelector: fields({
            labelSelector: selector,
            claimSelector: selector,
          }),
        }),
      ),
    }),
    status: fields({ numberOfSelectedClusters: 'number', conditions }),
  }),
  decisions: fields({
    status: fields({
      decisions: list(
        fields(
          { clusterName: 'string', reason: 'string', score: 'number' },
          'clusterName',
        ),
      ),
    }),
  }),
  gitOpsClusters: fields({
    spec: fields({
      argoServer: fields({ argoNamespace: 'string' }),
      placementRef: fields({
        kind: 'string',
        name: 'string',
        namespace: 'string',
      }),
      managedServiceAccountRef: 'string',
      gitopsAddon: fields({ argoCDAgent: fields({ enabled: 'boolean' }) }),
    }),
    status: fields({
      phase: 'string',
      message: 'string',
      lastUpdateTime: 'string',
    }),
  }),
  managedServiceAccounts: fields({
    status: fields({
      tokenSecretRef: fields({
        name: 'string',
        lastRefreshTimestamp: 'string',
      }),
    }),
  }),
  appProjects: fields({ spec: 'object' }),
} as const satisfies Readonly<Record<string, Shape>>;

/** Resources of which every reader expects a spec. */
const WITH_SPEC: readonly string[] = [
  'applications',
  'applicationSets',
  'works',
];

/** The object without the parts that readers could not read, and with an empty spec where they need one. */
export function readableOf<T extends KubernetesObject>(
  name: keyof typeof SHAPES,
  object: T,
): T {
  const result = readable(object, SHAPES[name]);
  return WITH_SPEC.includes(name) && !('spec' in result)
    ? { ...result, spec: {} }
    : result;
}
