import { StructuralSchema } from '../schema/structuralSchema';
import {
  ANY_OBJECT,
  BOOLEAN,
  choice,
  CrdDeclaration,
  DATE_TIME,
  INT64,
  list,
  object,
  openObject,
  STRING,
  STRING_MAP,
  STRINGS,
} from './crdDeclaration';

const GROUP = 'argoproj.io';
const VERSION = 'v1alpha1';

function partOfArgoCd(plural: string): { [key: string]: string } {
  return {
    'app.kubernetes.io/name': `${plural}.${GROUP}`,
    'app.kubernetes.io/part-of': 'argocd',
  };
}

const SOURCE = openObject(
  {
    chart: STRING,
    name: STRING,
    path: STRING,
    ref: STRING,
    repoURL: STRING,
    targetRevision: STRING,
  },
  ['repoURL'],
);

const DESTINATION = object({ name: STRING, namespace: STRING, server: STRING });

const NAMED_VALUES = list(
  object({ name: STRING, value: STRING }, ['name', 'value']),
);

const RETRY = object({
  backoff: object({ duration: STRING, factor: INT64, maxDuration: STRING }),
  limit: INT64,
  refresh: BOOLEAN,
});

const APPLICATION_SPEC = openObject(
  {
    destination: DESTINATION,
    info: NAMED_VALUES,
    ignoreDifferences: list(
      openObject(
        { group: STRING, kind: STRING, name: STRING, namespace: STRING },
        ['kind'],
      ),
    ),
    project: STRING,
    revisionHistoryLimit: INT64,
    source: SOURCE,
    sources: list(SOURCE),
    syncPolicy: openObject({
      automated: object({
        allowEmpty: BOOLEAN,
        enabled: BOOLEAN,
        prune: BOOLEAN,
        selfHeal: BOOLEAN,
      }),
      managedNamespaceMetadata: object({
        annotations: STRING_MAP,
        labels: STRING_MAP,
      }),
      retry: RETRY,
      syncOptions: STRINGS,
    }),
  },
  ['destination', 'project'],
);

const OPERATION = openObject({
  info: NAMED_VALUES,
  initiatedBy: object({ automated: BOOLEAN, username: STRING }),
  retry: RETRY,
  sync: openObject({
    dryRun: BOOLEAN,
    prune: BOOLEAN,
    revision: STRING,
    revisions: STRINGS,
    source: SOURCE,
    sources: list(SOURCE),
    syncOptions: STRINGS,
  }),
});

const HEALTH = object({
  lastTransitionTime: DATE_TIME,
  message: STRING,
  status: STRING,
});

const RESOURCES = list(
  openObject({
    group: STRING,
    health: HEALTH,
    kind: STRING,
    name: STRING,
    namespace: STRING,
    status: STRING,
    version: STRING,
  }),
);

const APPLICATION_STATUS = openObject({
  conditions: list(
    object({ lastTransitionTime: DATE_TIME, message: STRING, type: STRING }, [
      'message',
      'type',
    ]),
  ),
  health: HEALTH,
  history: list(
    openObject({ deployedAt: DATE_TIME, id: INT64, revision: STRING }, [
      'deployedAt',
      'id',
    ]),
  ),
  operationState: openObject(
    {
      finishedAt: DATE_TIME,
      message: STRING,
      operation: OPERATION,
      phase: STRING,
      retryCount: INT64,
      startedAt: DATE_TIME,
    },
    ['operation', 'phase', 'startedAt'],
  ),
  reconciledAt: DATE_TIME,
  resources: RESOURCES,
  summary: openObject({ externalURLs: STRINGS, images: STRINGS }),
  sync: openObject({ revision: STRING, revisions: STRINGS, status: STRING }, [
    'status',
  ]),
});

/** The status of an Application is an ordinary field: Argo CD's definition has no status subresource. */
const APPLICATIONS: CrdDeclaration = {
  group: GROUP,
  version: VERSION,
  kind: 'Application',
  plural: 'applications',
  shortNames: ['app', 'apps'],
  labels: partOfArgoCd('applications'),
  // Argo CD declares `subresources: {}`, which means none.
  statusSubresource: false,
  columns: [
    { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
    {
      name: 'Health Status',
      type: 'string',
      jsonPath: '.status.health.status',
    },
    {
      name: 'Revision',
      type: 'string',
      jsonPath: '.status.sync.revision',
      priority: 10,
    },
    {
      name: 'Project',
      type: 'string',
      jsonPath: '.spec.project',
      priority: 10,
    },
  ],
  properties: {
    operation: OPERATION,
    spec: APPLICATION_SPEC,
    status: APPLICATION_STATUS,
  },
  required: ['metadata', 'spec'],
};

const TEMPLATE = object(
  {
    metadata: object({
      annotations: STRING_MAP,
      finalizers: STRINGS,
      labels: STRING_MAP,
      name: STRING,
      namespace: STRING,
    }),
    spec: APPLICATION_SPEC,
  },
  ['metadata', 'spec'],
);

const CLUSTER_DECISION_RESOURCE: StructuralSchema = openObject(
  {
    configMapRef: STRING,
    labelSelector: ANY_OBJECT,
    name: STRING,
    requeueAfterSeconds: INT64,
    values: STRING_MAP,
  },
  ['configMapRef'],
);

const NESTED_GENERATORS: StructuralSchema = list(ANY_OBJECT);

const GENERATOR = openObject({
  clusterDecisionResource: CLUSTER_DECISION_RESOURCE,
  clusters: openObject({ selector: ANY_OBJECT, values: STRING_MAP }),
  git: openObject({ repoURL: STRING, revision: STRING }, [
    'repoURL',
    'revision',
  ]),
  list: openObject({ elementsYaml: STRING }),
  matrix: openObject({ generators: NESTED_GENERATORS }, ['generators']),
  merge: openObject({ generators: NESTED_GENERATORS, mergeKeys: STRINGS }, [
    'generators',
    'mergeKeys',
  ]),
  plugin: openObject({ configMapRef: ANY_OBJECT }, ['configMapRef']),
});

const APPLICATION_SETS: CrdDeclaration = {
  group: GROUP,
  version: VERSION,
  kind: 'ApplicationSet',
  plural: 'applicationsets',
  shortNames: ['appset', 'appsets'],
  labels: partOfArgoCd('applicationsets'),
  statusSubresource: true,
  properties: {
    spec: object(
      {
        applyNestedSelectors: BOOLEAN,
        generators: list(GENERATOR),
        goTemplate: BOOLEAN,
        goTemplateOptions: STRINGS,
        ignoreApplicationDifferences: list(
          object({
            jqPathExpressions: STRINGS,
            jsonPointers: STRINGS,
            name: STRING,
          }),
        ),
        preservedFields: object({ annotations: STRINGS, labels: STRINGS }),
        strategy: openObject({
          deletionOrder: STRING,
          rollingSync: openObject({
            steps: list(
              openObject({
                maxUpdate: { 'x-kubernetes-int-or-string': true },
              }),
            ),
          }),
          type: STRING,
        }),
        syncPolicy: object({
          applicationsSync: choice([
            'create-only',
            'create-update',
            'create-delete',
            'sync',
          ]),
          preserveResourcesOnDeletion: BOOLEAN,
        }),
        template: TEMPLATE,
        templatePatch: STRING,
      },
      ['generators', 'template'],
    ),
    status: openObject({
      applicationStatus: list(
        openObject(
          {
            application: STRING,
            lastTransitionTime: DATE_TIME,
            message: STRING,
            status: STRING,
            step: STRING,
            targetRevisions: STRINGS,
          },
          ['application', 'message', 'status', 'step', 'targetRevisions'],
        ),
      ),
      conditions: list(
        object(
          {
            lastTransitionTime: DATE_TIME,
            message: STRING,
            reason: STRING,
            status: STRING,
            type: STRING,
          },
          ['message', 'reason', 'status', 'type'],
        ),
      ),
      health: HEALTH,
      resources: RESOURCES,
      resourcesCount: INT64,
    }),
  },
  required: ['metadata', 'spec'],
};

const APP_PROJECTS: CrdDeclaration = {
  group: GROUP,
  version: VERSION,
  kind: 'AppProject',
  plural: 'appprojects',
  shortNames: ['appproj', 'appprojs'],
  labels: partOfArgoCd('appprojects'),
  statusSubresource: false,
  properties: {
    spec: openObject({
      description: { type: 'string', maxLength: 255 },
      destinations: list(DESTINATION),
      sourceNamespaces: STRINGS,
      sourceRepos: STRINGS,
    }),
    status: ANY_OBJECT,
  },
  required: ['metadata', 'spec'],
};

/** The resources of Argo CD. */
export const ARGO_CD_CRDS: readonly CrdDeclaration[] = [
  APPLICATIONS,
  APPLICATION_SETS,
  APP_PROJECTS,
];
