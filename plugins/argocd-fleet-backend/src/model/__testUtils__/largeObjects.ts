import {
  PLACEMENT_LABEL,
  type ArgoApplication,
  type ArgoApplicationSet,
  type ClusterApplication,
  type GitOpsCluster,
  type ManagedCluster,
  type ManifestWork,
  type Placement,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import {
  decisionFor,
  decisionStatus,
  managedCluster,
  pullApplicationSet,
  SEEDED_PLACEMENT,
} from '../../__testUtils__/objects';
import { readableOf } from '../../fleet/transforms/shapes';
import { transformApplication } from '../../fleet/transforms/transformApplication';
import {
  transformObject,
  transformReported,
} from '../../fleet/transforms/transformObject';
import { transformWork } from '../../fleet/transforms/transformWork';
import { wantedClusters } from '../clusterimport/clusterImport';
import { clusterSecret } from '../clusterimport/clusterSecret';
import {
  addressProblem,
  clusterAddresses,
} from '../clusterimport/serverAddress';
import { clusterId, clusterState } from '../delivery/clusterState';
import { rollingSyncStep } from '../delivery/rollingSync';
import { deliveringWork } from '../delivery/workOwnership';
import { isReadOnlyWork } from '../delivery/workManifests';
import { readApplicationStatus } from '../feedback/applicationState';
import {
  readFeedback,
  readReportedState,
  readReportedStatus,
} from '../feedback/feedback';
import { differsOnlyInExpressions } from '../manifestwork/expressions';
import { manifestWorkPatch } from '../manifestwork/manifestWorkPatch';
import { fieldsNotStored } from '../manifestwork/newerFields';
import { withObservedObjects } from '../manifestwork/observedObjects';
import { oneShotFields } from '../manifestwork/oneShotFields';
import {
  DEFAULT_PROPAGATION,
  planManifestWork,
} from '../manifestwork/workPlan';
import { freezePatch } from '../removal/frozenWork';
import { releasePatch } from '../removal/release';
import { aggregateReport, reportRow } from '../report/aggregateReport';
import { applicationRecord } from '../status/applicationRecord';
import { applicationStatus } from '../status/applicationStatus';
import { withSourcedDetails } from '../status/sourcedDetails';
import { authorise } from '../placement/authorisation';
import { previewPlacement } from '../placement/placementPreview';
import { applicationSetProblems } from '../views/applicationSetProblems';
import {
  applicationSetComponent,
  type ComponentPolicy,
} from '../views/applicationSetComponent';
import { placementNamesOf } from '../views/applicationSetView';
import { tableRow } from '../views/applicationRow';
import { clusterApplication } from '../views/clusterApplication';
import { application as applicationWith } from './applications';
import { reportedWork, workOf } from './works';

/** An Application, its work, and what it was made from, one of which is as large as the hub accepts. */
export interface LargeObjects {
  readonly application: ArgoApplication;
  readonly work: ManifestWork;
  readonly applicationSet: ArgoApplicationSet;
  readonly placement: Placement;
  readonly decision: PlacementDecision;
  readonly cluster: ManagedCluster;
}

type Status = NonNullable<ManifestWork['status']>;
type ManifestStatus = NonNullable<
  NonNullable<Status['resourceStatus']>['manifests']
>[number];

const SMALL = applicationWith();
const REPORTED = reportedWork({
  feedback: { healthStatus: 'Degraded', syncStatus: 'OutOfSync' },
});
/** The status of the Application's manifest comes last. */
const OTHER_STATUSES = REPORTED.status!.resourceStatus!.manifests!.slice(0, -1);
const OWN_STATUS = REPORTED.status!.resourceStatus!.manifests!.at(-1)!;

const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const OTHERS: Omit<LargeObjects, 'application' | 'work'> = {
  applicationSet: pullApplicationSet('b') as ArgoApplicationSet,
  placement: SEEDED_PLACEMENT,
  decision: decisionFor([]),
  cluster: managedCluster('cluster1'),
};

function withStatuses(manifests: readonly ManifestStatus[]): LargeObjects {
  const status = { ...REPORTED.status, resourceStatus: { manifests } };
  return { ...OTHERS, application: SMALL, work: { ...REPORTED, status } };
}

function withOwnStatus(status: Partial<ManifestStatus>): LargeObjects {
  return withStatuses([...OTHER_STATUSES, { ...OWN_STATUS, ...status }]);
}

const condition = (type: string, status: string, message = '') => ({
  type,
  status: status as 'True',
  reason: type,
  message,
  lastTransitionTime: '2026-11-21T10:01:00Z',
});

const rollout = (index: number) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Rollout',
  metadata: { namespace: 'a', name: `r${index}` },
});

const rolloutConfig = (index: number) => ({
  resourceIdentifier: {
    group: 'argoproj.io',
    resource: 'rollouts',
    namespace: 'a',
    name: `r${index}`,
  },
});

const applicationConfig = (index: number) => ({
  resourceIdentifier: {
    group: 'argoproj.io',
    resource: 'applications',
    namespace: 'a',
    name: `a${index}`,
  },
});

const rolloutStatus = (index: number, applied = 'False') => ({
  resourceMeta: {
    ordinal: index,
    group: 'argoproj.io',
    kind: 'Rollout',
    namespace: 'a',
    name: `r${index}`,
  },
  conditions: [condition('Applied', applied), condition('Available', 'True')],
});

/** One value of feedback for each name, with all matches of its path as JSON. */
const lists = (texts: Readonly<Record<string, readonly unknown[]>>) => ({
  statusFeedback: {
    values: Object.entries(texts).map(([name, values]) => ({
      name,
      fieldValue: { type: 'JsonRaw', jsonRaw: JSON.stringify(values) },
    })),
  },
});

const withSpec = (spec: Partial<ManifestWork['spec']>): LargeObjects => ({
  ...OTHERS,
  application: SMALL,
  work: { ...REPORTED, spec: { ...REPORTED.spec, ...spec } },
});

function withMetadata(
  metadata: (old: ManifestWork['metadata']) => ManifestWork['metadata'],
): LargeObjects {
  return {
    ...OTHERS,
    application: { ...SMALL, metadata: metadata(SMALL.metadata) },
    work: { ...REPORTED, metadata: metadata(REPORTED.metadata) },
  };
}

/** On the hub alone, as in the push model. */
const withApplicationStatus = (status: object): LargeObjects => ({
  ...OTHERS,
  application: applicationWith({ metadata: { labels: {} }, status }),
  work: REPORTED,
});

const withApplicationSpec = (
  spec: Partial<ArgoApplication['spec']>,
): LargeObjects => {
  const application = applicationWith({ spec });
  return {
    ...OTHERS,
    application,
    work: reportedWork({ work: workOf(application) }),
  };
};

/** What an Application is made from, beside a small one with its work. */
const withOthers = (others: Partial<LargeObjects>): LargeObjects => ({
  ...OTHERS,
  application: SMALL,
  work: REPORTED,
  ...others,
});

const ownManifests = REPORTED.spec.workload!.manifests!;
const ownConfigs = REPORTED.spec.manifestConfigs!;

/** What tenants and agents may make large, with so many elements, each in another place. */
export const SHAPES: Readonly<Record<string, (count: number) => LargeObjects>> =
  {
    'manifests that are observed, with configurations': count =>
      withSpec({
        workload: { manifests: [...ownManifests, ...each(count, rollout)] },
        manifestConfigs: [
          ...ownConfigs,
          ...each(count, rolloutConfig),
          ...each(count, applicationConfig),
        ],
      }),
    'configurations of Applications': count =>
      withSpec({
        manifestConfigs: each(count, applicationConfig),
      }),
    'manifests of one object': count =>
      withSpec({
        workload: {
          manifests: [...ownManifests, ...each(count, () => rollout(0))],
        },
      }),
    'statuses of observed manifests that failed': count => {
      const { work } = withStatuses([
        ...each(count, index => rolloutStatus(index)),
        OWN_STATUS,
      ]);
      const manifests = [...ownManifests, ...each(count, rollout)];
      const status = {
        ...work.status,
        conditions: [condition('Applied', 'False')],
      };
      return {
        ...OTHERS,
        application: SMALL,
        work: {
          ...work,
          status,
          spec: { ...work.spec, workload: { manifests } },
        },
      };
    },
    'conditions of a manifest': count =>
      withOwnStatus({
        conditions: each(count, index =>
          condition(`T${index}`, 'True', 'a\nb\nc\nd'),
        ),
      }),
    'feedback values': count =>
      withOwnStatus({
        statusFeedback: {
          values: each(count, index => ({
            name: `v${index}`,
            fieldValue: { type: 'String', string: 'x' },
          })),
        },
      }),
    'lists as feedback': count => {
      const texts = each(count, index => `n${index}`);
      return withOwnStatus(
        lists({
          failedResourceKind: texts,
          failedResourceName: texts,
          failedResourceMessage: texts,
          degradedResourceKind: texts,
          degradedResourceName: texts,
          comparisonError: texts,
          syncError: texts,
        }),
      );
    },
    'lines of a digest': count =>
      withOwnStatus({
        conditions: [
          condition('Applied', 'True'),
          condition(
            'ApplicationReady',
            'False',
            `argocd-fleet-digest/1\t${count}\n${each(count, index => `r\t\tv1\tPod\ta\tp${index}\tSynced\tDegraded\tx`).join('\n')}\n.`,
          ),
        ],
      }),
    'labels, annotations, owners and managed fields': count =>
      withMetadata(metadata => {
        const texts = Object.fromEntries(
          each(count, index => [`l${index}`, 'x']),
        );
        return {
          ...metadata,
          labels: { ...texts, ...metadata.labels },
          annotations: { ...texts, ...metadata.annotations },
          finalizers: each(count, index => `f${index}`),
          ownerReferences: each(count, index => ({
            apiVersion: 'v1',
            kind: 'Pod',
            name: `o${index}`,
            uid: 'x',
          })),
          managedFields: each(count, index => ({
            manager: `m${index}`,
            operation: 'Update',
            time: '2026-11-21T10:01:00Z',
            fieldsV1: { 'f:spec': {}, 'f:status': {} },
          })),
        };
      }),
    'sources with parameters': count =>
      withApplicationSpec({
        sources: each(count, index => ({
          repoURL: `https://git.example/${index}`,
          helm: { parameters: [{ name: 'a', value: `${index}` }] },
        })),
        ignoreDifferences: each(count, () => ({ kind: 'Deployment' })),
      } as Partial<ArgoApplication['spec']>),
    'resources and conditions of an Application': count =>
      withApplicationStatus({
        health: { status: 'Degraded' },
        sync: { status: 'OutOfSync' },
        resources: each(count, index => ({
          version: 'v1',
          kind: 'Pod',
          namespace: 'a',
          name: `p${index}`,
          status: 'OutOfSync',
          health: { status: 'Degraded', message: 'x' },
        })),
        conditions: each(count, index => ({
          type: `T${index}Error`,
          message: 'x',
        })),
        history: each(count, index => ({
          id: index,
          revision: 'a',
          deployedAt: '2026-11-21T10:01:00Z',
        })),
        summary: {
          images: each(count, index => `i${index}`),
          externalURLs: each(count, index => `https://${index}.example`),
        },
        operationState: {
          phase: 'Failed',
          message: 'none of these',
          startedAt: '2026-11-21T10:01:00Z',
          operation: { sync: {} },
          syncResult: {
            revision: 'a',
            resources: each(count, index => ({
              group: '',
              version: 'v1',
              kind: 'Pod',
              namespace: 'a',
              name: `p${index}`,
              status: 'SyncFailed',
              message: 'x',
            })),
          },
        },
      }),
    'one long message': count =>
      withApplicationStatus({
        health: { status: 'Degraded' },
        sync: { status: 'Unknown' },
        conditions: [
          {
            type: 'ComparisonError',
            message:
              'is forbidden: User "system:serviceaccount:a:b" cannot https://a@'.repeat(
                count,
              ),
          },
        ],
      }),
    'generators of an ApplicationSet': count =>
      withOthers({
        applicationSet: {
          ...OTHERS.applicationSet,
          spec: {
            generators: each(count, index => ({
              clusterDecisionResource: {
                configMapRef: 'acm-placement',
                labelSelector: {
                  matchLabels: { [PLACEMENT_LABEL]: `p${index}` },
                },
              },
            })),
          },
        } as ArgoApplicationSet,
      }),
    'steps and conditions of an ApplicationSet': count =>
      withOthers({
        applicationSet: {
          ...OTHERS.applicationSet,
          spec: {
            strategy: {
              type: 'RollingSync',
              rollingSync: {
                steps: each(count, index => ({
                  matchExpressions: [
                    { key: 'ring', operator: 'In', values: [`${index}`] },
                  ],
                })),
              },
            },
          },
          status: {
            conditions: each(count, index =>
              condition(`T${index}`, 'True', 'x'),
            ),
          },
        } as ArgoApplicationSet,
      }),
    'clusters of a decision': count =>
      withOthers({
        decision: {
          ...OTHERS.decision,
          status: decisionStatus(each(count, index => `c${index}`)),
        },
      }),
    'ManagedClusterSets and predicates of a Placement': count =>
      withOthers({
        placement: {
          ...OTHERS.placement,
          spec: {
            clusterSets: each(count, index => `s${index}`),
            predicates: each(count, index => ({
              requiredClusterSelector: {
                labelSelector: { matchLabels: { a: `${index}` } },
              },
            })),
            tolerations: each(count, index => ({ key: `k${index}` })),
          },
        } as Placement,
      }),
    'addresses, taints, claims and conditions of a cluster': count =>
      withOthers({
        cluster: {
          ...OTHERS.cluster,
          metadata: {
            name: 'cluster1',
            labels: Object.fromEntries(
              each(count, index => [`l${index}`, 'x']),
            ),
          },
          spec: {
            hubAcceptsClient: true,
            managedClusterClientConfigs: each(count, index => ({
              url: `https://${index}.example.com`,
            })),
            taints: each(count, index => ({
              key: `k${index}`,
              effect: 'NoSelect',
            })),
          },
          status: {
            conditions: each(count, index => condition(`T${index}`, 'True')),
            clusterClaims: each(count, index => ({
              name: `n${index}`,
              value: 'x',
            })),
          },
        } as ManagedCluster,
      }),
  };

const CLUSTER = { name: 'cluster1', available: 'True', stale: false } as const;

const ANY: ComponentPolicy = {
  namespaces: new Set(['a']),
  keepsExisting: true,
};

const GIT_OPS_CLUSTER: GitOpsCluster = {
  apiVersion: 'apps.open-cluster-management.io/v1beta1',
  kind: 'GitOpsCluster',
  metadata: { namespace: 'a', name: 'g' },
};

const shownApplication = ({ application, work }: LargeObjects) =>
  clusterApplication({ application, work });

const clusterApplications = new WeakMap<LargeObjects, ClusterApplication>();

/** Made once for the same objects: it is an entry point of its own. */
function recordedApplicationOf(objects: LargeObjects): ClusterApplication {
  const known = clusterApplications.get(objects);
  const made = known ?? shownApplication(objects);
  clusterApplications.set(objects, made);
  return made;
}

/** Every pure function over whole objects, on what the cache stores of them. */
export const ENTRY_POINTS: Readonly<
  Record<string, (objects: LargeObjects) => unknown>
> = {
  'transform of a work': ({ work }) => transformWork(readableOf('works', work)),
  'transform of an Application': ({ application }) =>
    transformApplication(readableOf('applications', application)),
  'transforms of all others': other => transformOthers(other),
  'problems of an ApplicationSet': ({ applicationSet, application }) => [
    applicationSetProblems(
      { hub: 'hub', applicationSet, components: ANY },
      new Map(),
    ),
    applicationSetComponent(applicationSet, ANY),
    placementNamesOf(applicationSet),
    rollingSyncStep(applicationSet, application),
  ],
  authorise: ({ placement, decision }) => [
    authorise([decision], { placement: () => placement, boundSets: ['none'] }),
    wantedClusters(GIT_OPS_CLUSTER, placement, [decision]),
  ],
  previewPlacement: ({ placement, cluster }) =>
    previewPlacement(placement, {
      clusters: [cluster],
      clusterSets: [],
      bindings: [],
    }),
  'state and import of a cluster': ({ cluster }) => [
    clusterState('cluster1', cluster),
    clusterId(cluster),
    clusterAddresses(cluster),
    addressProblem(cluster, 'https://0.example.com', {
      hub: [],
      others: [cluster],
      heldBy: () => undefined,
    }),
    clusterSecret(cluster, 'argocd'),
  ],
  readFeedback: ({ work }) => readFeedback(work),
  readReportedStatus: ({ work }) => readReportedStatus(work),
  readApplicationStatus: ({ application }) =>
    readApplicationStatus(application),
  applicationStatus: ({ application, work }) =>
    applicationStatus(application, work, CLUSTER),
  'report of one row': ({ work }) =>
    aggregateReport({ namespace: 'a', name: 'b' }, [
      reportRow({
        application: { namespace: 'a', name: 'b' },
        cluster: 'c',
        state: readReportedState(work),
      }),
    ]),
  'row and drawer': objects => tableRow(shownApplication(objects)),
  applicationRecord: objects =>
    applicationRecord(recordedApplicationOf(objects), 'a/b'),
  withSourcedDetails: ({ work, application }) =>
    withSourcedDetails(
      readFeedback(work),
      [{ source: 'a', details: readApplicationStatus(application) as never }],
      CLUSTER,
    ),
  planManifestWork: ({ application, work, cluster }) =>
    planManifestWork(
      application,
      {
        authorisation: { verdict: 'authorised' },
        existing: work,
        takenNames: [],
        managedCluster: cluster,
      },
      DEFAULT_PROPAGATION,
    ),
  manifestWorkPatch: ({ application, work }) =>
    manifestWorkPatch(
      work,
      workOf(SMALL),
      oneShotFields(application, work, Date.now()),
    ),
  withObservedObjects: ({ work }) =>
    withObservedObjects(workOf(SMALL), work, DEFAULT_PROPAGATION),
  differsOnlyInExpressions: ({ work }) =>
    differsOnlyInExpressions(work, workOf(SMALL)),
  fieldsNotStored: ({ work }) => fieldsNotStored(work, work),
  deliveringWork: ({ application, work }) =>
    deliveringWork([work, work], application),
  'freeze and release': ({ work }) => [
    isReadOnlyWork(work),
    freezePatch(work, '2026-11-21T10:01:00Z'),
    releasePatch(work, 'orphan'),
    releasePatch(work, 'hand-over'),
  ],
};

/** The objects as the cache stores them. */
export function stored(objects: LargeObjects): LargeObjects {
  const { application, work } = objects;
  return {
    ...transformOthers(objects),
    application: transformApplication(readableOf('applications', application)),
    work: transformWork(readableOf('works', work)),
  };
}

function transformOthers({
  applicationSet,
  placement,
  decision,
  cluster,
}: LargeObjects): typeof OTHERS {
  return {
    applicationSet: transformReported(
      readableOf('applicationSets', applicationSet),
    ),
    placement: transformObject(readableOf('placements', placement)),
    decision: transformObject(readableOf('decisions', decision)),
    cluster: transformReported(readableOf('clusters', cluster)),
  };
}

/** Which of them read the objects as the hub sends them. */
export const READS_WHOLE: ReadonlySet<string> = new Set(
  Object.keys(ENTRY_POINTS).filter(name => name.startsWith('transform')),
);

/** Of the largest of the objects, in characters of JSON. */
function lengthOf(objects: LargeObjects): number {
  return Math.max(
    ...Object.values(objects).map(object => JSON.stringify(object).length),
  );
}

/** How many elements make an object so many characters long. */
export function countFor(
  length: number,
  make: (count: number) => LargeObjects,
): number {
  const few = lengthOf(make(1_000));
  const perElement = (lengthOf(make(2_000)) - few) / 1_000;
  return Math.floor(1_000 + (length - few) / perElement);
}
