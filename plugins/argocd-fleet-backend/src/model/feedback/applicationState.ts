import {
  parseHealthStatus,
  parseSyncStatus,
  type ApplicationCondition,
  type ApplicationResource,
  type ArgoApplication,
  type ArgoPastSync,
  type ArgoResourceStatus,
  type ArgoSyncedResource,
  type ChildApplication,
  type ClusterApplication,
  type Condition,
  type FieldSource,
  type PastSync,
  type PendingDeletion,
  type HealthStatus,
  type Hydration,
  type OperationInformation,
  type RolloutState,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import type { ComparedTo, FailedResource } from './digest';
import { sameJson } from '../json';
import { HISTORY_LENGTH } from './digestExpression';
import { hasLegalNames } from './resourceNames';

/** Phase of Argo CD's last operation. */
export type OperationPhase = NonNullable<ClusterApplication['phase']>;

/** Where a part of an {@link ApplicationState} was read from. */
export type StateSource = 'feedback' | 'digest' | 'application';

/** Parts of an {@link ApplicationState} that resource sources can provide. */
export type SourcedField = 'conditions' | 'resources' | 'images';

/** The state of an Application on its cluster, as far as the hub knows it. */
export interface ApplicationState {
  readonly health: HealthStatus;
  readonly sync: SyncStatus;
  /**
   * What was reported where that is about an older spec than the hub wants now; `sync` is OutOfSync then, until the
   * cluster has compared with the present spec.
   */
  readonly reportedSync?: SyncStatus;
  readonly phase?: OperationPhase;
  readonly operationStartedAt?: string;
  readonly operationMessage?: string;
  readonly operationRetries?: number;
  /** The revisions that a running operation was started with, where it was started with any. */
  readonly operationRevisions?: readonly string[];
  /** Name of the user who started the last operation. */
  readonly operationStartedBy?: string;
  /** Argo CD itself started the last operation. */
  readonly operationAutomated?: boolean;
  /** What was said about the last operation when it was started; undefined for nothing. */
  readonly operationInformation?: readonly OperationInformation[];
  /** It is being deleted where Argo CD reconciles it. */
  readonly deletion?: PendingDeletion;
  /** With a source hydrator that has begun. */
  readonly hydration?: Hydration;
  readonly revision?: string;
  /** Revisions of an Application with several sources, in their order. */
  readonly revisions?: readonly string[];
  /** Argo CD's errors and warnings, and the failure of the last operation if no condition contains it. */
  readonly conditions: readonly ApplicationCondition[];
  /** Resources that the last sync could not apply. */
  readonly failedResources: readonly FailedResource[];
  readonly resources: readonly ApplicationResource[];
  /** Number of resources that are not listed. */
  readonly resourcesOmitted: number;
  /** Number of resources that are left out because Kubernetes does not allow their names; undefined for none. */
  readonly illegalNames?: number;
  readonly images: readonly string[];
  /** URLs at which the Application can be reached. */
  readonly externalUrls: readonly string[];
  /** The last syncs, newest first. */
  readonly history: readonly PastSync[];
  /** Argo CD on the cluster reports no health of resources, only that of the Application. */
  readonly healthHidden?: boolean;
  /** Argo Rollouts that the work observes. */
  readonly rollouts: readonly RolloutState[];
  /** Applications that this one deploys and that the work observes. */
  readonly childApplications: readonly ChildApplication[];
  /** What Argo CD compared the cluster with for this status. */
  readonly comparedTo?: ComparedTo;
  /** RFC 3339. Since when health and sync have these values, if known. */
  readonly since?: string;
  /**
   * RFC 3339. Since when Argo CD reports that something is wrong, if known: that of its first error, or since when the
   * Application is not both Healthy and Synced.
   */
  readonly failingSince?: string;
  /**
   * RFC 3339. The latest time that is known of the status. Pull model: of its last transition; other models: of Argo CD's
   * last comparison (`reconciledAt`), which moves on without any change.
   */
  readonly statusAt?: string;
  /** Condition `Applied` of the Application's manifest if that failed, else of the work; pull model only. */
  readonly applied?: Condition;
  /** Condition `Available` of the Application's manifest; pull model only. */
  readonly available?: Condition;
  /** The agent's error if the condition rule of the work gave no digest. */
  readonly digestError?: string;
  /** Where health, sync, phase and revision were read from; undefined if nothing has been reported yet. */
  readonly statusFrom?: StateSource;
  /** Where conditions and resources were read from. */
  readonly detailsFrom?: StateSource;
  /** The resource sources that provided a part instead. */
  readonly sources?: Readonly<Partial<Record<SourcedField, FieldSource>>>;
}

/** The part of an {@link ApplicationState} that a report contains. */
export type ReportedState = Pick<
  ApplicationState,
  | 'health'
  | 'sync'
  | 'phase'
  | 'operationStartedAt'
  | 'revision'
  | 'conditions'
  | 'failedResources'
  | 'resources'
>;

/** The state before the first report. */
export const UNREPORTED: ApplicationState = {
  health: 'Unknown',
  sync: 'Unknown',
  conditions: [],
  failedResources: [],
  resources: [],
  resourcesOmitted: 0,
  images: [],
  externalUrls: [],
  history: [],
  rollouts: [],
  childApplications: [],
};

const PHASES: readonly OperationPhase[] = [
  'Running',
  'Succeeded',
  'Failed',
  'Error',
  'Terminating',
];

/** Reads the Application's own status, which is complete in the push and agent models. */
export function readApplicationStatus(
  application: ArgoApplication,
): ApplicationState {
  const { status } = application;
  if (!status) {
    return UNREPORTED;
  }
  const { health, sync, operationState: operation } = status;
  const conditions = status.conditions ?? [];
  const listed = (status.resources ?? []).map(resourceOf);
  const resources = listed.filter(hasLegalNames);
  const failed = (operation?.syncResult?.resources ?? [])
    .filter(hasFailed)
    .map(failedResourceOf);
  const illegalNames = [...listed, ...failed].filter(
    resource => !hasLegalNames(resource),
  ).length;
  return {
    ...UNREPORTED,
    health: parseHealthStatus(health?.status),
    sync: parseSyncStatus(sync?.status),
    phase: parsePhase(operation?.phase),
    operationStartedAt: operation?.startedAt,
    operationMessage: operation?.message,
    operationRetries: operation?.retryCount,
    operationRevisions: runningRevisions(operation),
    ...startOf(operation?.operation),
    ...deletionOf(application.metadata),
    ...hydrationOf(application),
    revision: sync?.revision || sync?.revisions?.[0],
    ...(sync?.revisions?.length && { revisions: sync.revisions }),
    conditions: errorConditions(
      conditions.map(({ type, message = '' }) => ({ type, message })),
      operation,
    ),
    failedResources: failed.filter(hasLegalNames),
    resources,
    resourcesOmitted: listed.length - resources.length,
    ...(illegalNames > 0 && { illegalNames }),
    images: status.summary?.images ?? [],
    externalUrls: status.summary?.externalURLs ?? [],
    history: (status.history ?? [])
      .slice(-HISTORY_LENGTH)
      .reverse()
      .map(pastSyncOf),
    ...(status.resourceHealthSource === 'appTree' && { healthHidden: true }),
    since: health?.lastTransitionTime,
    failingSince: earliest(
      conditions
        .filter(({ type }) => type.endsWith('Error'))
        .map(({ lastTransitionTime }) => lastTransitionTime),
    ),
    statusAt: status.reconciledAt,
    comparedTo: comparedToOf(sync),
    statusFrom: health?.status || sync?.status ? 'application' : undefined,
    detailsFrom: 'application',
  };
}

/** What Argo CD compared with, of its own status; undefined where it does not say so. */
export function comparedToOf({
  comparedTo,
}: NonNullable<ArgoApplication['status']>['sync'] = {}):
  ComparedTo | undefined {
  const { source, sources, destination = {} } = comparedTo ?? {};
  return (
    comparedTo && {
      sources: sources?.length ? sources : [source ?? []].flat(),
      destination,
    }
  );
}

/** Who started the last operation, and what was said about it. */
function startOf(
  operation: NonNullable<
    NonNullable<ArgoApplication['status']>['operationState']
  >['operation'],
): Partial<ApplicationState> {
  const { username, automated } = operation?.initiatedBy ?? {};
  const information = (operation?.info ?? []).map(
    ({ name = '', value = '' }) => ({ name, value }),
  );
  return {
    ...(username && { operationStartedBy: username }),
    ...(automated && { operationAutomated: true }),
    ...(information.length > 0 && { operationInformation: information }),
  };
}

function deletionOf({
  deletionTimestamp,
  finalizers = [],
}: ArgoApplication['metadata']): Partial<ApplicationState> {
  return deletionTimestamp
    ? { deletion: { since: deletionTimestamp, finalizers: [...finalizers] } }
    : {};
}

function hydrationOf({
  spec,
  status,
}: ArgoApplication): Partial<ApplicationState> {
  const { currentOperation = {}, lastSuccessfulOperation: last = {} } =
    status?.sourceHydrator ?? {};
  const { phase, startedAt, message, drySHA } = currentOperation;
  return status?.sourceHydrator
    ? {
        hydration: {
          ...(phase && { phase }),
          ...(startedAt && { startedAt }),
          ...(message && { message }),
          ...(drySHA && { wantedDryRevision: drySHA }),
          ...(last.drySHA && { dryRevision: last.drySHA }),
          ...(last.hydratedSHA && { hydratedRevision: last.hydratedSHA }),
          equalsSpec: sameJson(last.sourceHydrator, spec.sourceHydrator),
        },
      }
    : {};
}

function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times
    .filter(time => time !== undefined)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
}

function runningRevisions(
  operation: NonNullable<ArgoApplication['status']>['operationState'],
): readonly string[] | undefined {
  if (operation?.phase !== 'Running') {
    return undefined;
  }
  const { revision, revisions } = operation.operation?.sync ?? {};
  return revisions ?? (revision ? [revision] : undefined);
}

/** Parses a phase; undefined for values that Argo CD does not have. */
export function parsePhase(value: unknown): OperationPhase | undefined {
  return PHASES.find(phase => phase === value);
}

/**
 * The conditions that Argo CD calls an error or a warning; its other conditions are no problem. The message of a failed
 * operation that no condition contains (a sync by hand) becomes an `OperationError`, as in Search and the report.
 */
export function errorConditions(
  conditions: readonly ApplicationCondition[],
  operation: { readonly phase?: string; readonly message?: string } = {},
): ApplicationCondition[] {
  const errors = conditions.filter(({ type }) => /(Error|Warning)$/.test(type));
  const { phase, message } = operation;
  const failed = phase === 'Failed' || phase === 'Error';
  return failed && message && !errors.some(mentions(message))
    ? [...errors, { type: 'OperationError', message }]
    : errors;
}

/** Argo CD quotes the operation's message in the condition's message; either may have been truncated. */
function mentions(
  operationMessage: string,
): (condition: ApplicationCondition) => boolean {
  const beginning = operationMessage.replace(/…$/, '').slice(0, 200);
  return ({ message }) => message.includes(beginning);
}

function hasFailed({ status, hookPhase }: ArgoSyncedResource): boolean {
  return (
    status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error'
  );
}

function failedResourceOf(resource: ArgoSyncedResource): FailedResource {
  const { group, version, kind = '', namespace, name = '' } = resource;
  return {
    ...(group && { group }),
    ...(version && { version }),
    kind,
    ...(namespace && { namespace }),
    name,
    ...(resource.message && { message: resource.message }),
  };
}

function pastSyncOf(entry: ArgoPastSync): PastSync {
  const { id = 0, deployedAt, revision, revisions } = entry;
  return {
    id,
    ...(deployedAt && { deployedAt }),
    ...(revisions?.length
      ? { revisions: [...revisions] }
      : revision && { revision }),
  };
}

function resourceOf(resource: ArgoResourceStatus): ApplicationResource {
  const { group, version, kind = '', namespace, name = '' } = resource;
  return {
    ...(group && { group }),
    ...(version && { version }),
    kind,
    ...(namespace && { namespace }),
    name,
    ...(resource.status && { sync: resource.status }),
    ...(resource.health?.status && { health: resource.health.status }),
    ...(resource.health?.message && { message: resource.health.message }),
    ...(resource.requiresPruning && { requiresPruning: true }),
    ...(resource.requiresDeletionConfirmation && {
      requiresDeletionConfirmation: true,
    }),
  };
}
