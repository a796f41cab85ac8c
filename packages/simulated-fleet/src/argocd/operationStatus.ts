import {
  Application,
  ApplicationStatus,
  OperationState,
  ResourceResult,
  ResourceStatus,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import { healthStatus, startingHealth, worstHealth } from './applicationHealth';
import {
  applicationConditions,
  outOfSync,
  resourceIdentity,
} from './comparisonStatus';
import {
  DeployedResource,
  DeploymentEnvironment,
} from '../cluster/environment';
import { comparedTo, targetRevisions } from './revision';

const HISTORY_LIMIT = 10;

/** The status after the start of a sync operation. */
export function syncStarted(
  application: Application,
  operation: SyncOperation,
  environment: Pick<DeploymentEnvironment, 'commit'>,
  now: Date,
): ApplicationStatus {
  const { source } = application.spec ?? {};
  return {
    ...application.status,
    operationState: {
      operation,
      phase: 'Running',
      message: 'waiting for healthy state of the synced resources',
      startedAt: kubeTime(now),
      syncResult: {
        revision: '',
        ...targetRevisions(application, environment, operation),
        ...(source && { source }),
      },
    },
  };
}

/** The status after the running operation has applied all resources. */
export function syncSucceeded(
  application: Application,
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const { status = {}, spec } = application;
  const operationState = runningOperation(application);
  const deployed = environment.resources(application);
  const target = targetRevisions(application, environment);
  const reached = targetRevisions(
    application,
    environment,
    operationState.operation,
  );
  const isTarget = JSON.stringify(target) === JSON.stringify(reached);
  const resources = deployed.map((resource): ResourceStatus => ({
    ...resourceIdentity(resource),
    status: isTarget ? 'Synced' : 'OutOfSync',
    health: startingHealth(resource),
  }));
  const history = status.history ?? [];
  return {
    ...status,
    sync: {
      status: isTarget ? 'Synced' : 'OutOfSync',
      ...target,
      comparedTo: comparedTo(application),
    },
    health: healthStatus(status, worstHealth(resources), now),
    operationState: {
      ...operationState,
      phase: 'Succeeded',
      message: 'successfully synced (all tasks run)',
      finishedAt: kubeTime(now),
      syncResult: {
        revision: '',
        ...operationState.syncResult,
        ...reached,
        resources: deployed.map(resource => ({
          ...resourceResult(resource),
          status: 'Synced',
          message: `${resource.kind.toLowerCase()}${
            resource.group && `.${resource.group}`
          }/${resource.name} ${history.length > 0 ? 'configured' : 'created'}`,
          hookPhase: 'Running',
        })),
      },
    },
    resources,
    summary: summary(
      environment.resources(application, operationState.operation),
    ),
    history: [
      ...history,
      {
        id: (history.at(-1)?.id ?? -1) + 1,
        ...reached,
        ...(spec?.sources?.length
          ? { sources: spec.sources }
          : { source: spec?.source }),
        deployStartedAt: operationState.startedAt,
        deployedAt: kubeTime(now),
        initiatedBy: operationState.operation.initiatedBy ?? {},
      },
    ].slice(-(spec?.revisionHistoryLimit ?? HISTORY_LIMIT)),
    conditions: undefined,
    reconciledAt: kubeTime(now),
    sourceType: 'Directory',
  };
}

/** The status after the cluster's API server rejected the last attempt of the running operation. */
export function syncFailed(
  application: Application,
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const { status = {} } = application;
  const operationState = runningOperation(application);
  const { reason, syncResult } = rejectedAttempt(application, environment);
  const retries = operationState.operation.retry?.limit ?? 0;
  const message = `${reason}${
    retries > 0 ? ` (retried ${retries} times).` : ''
  }`;
  return {
    ...outOfSync(application, environment, now),
    operationState: {
      ...operationState,
      phase: 'Failed',
      message,
      finishedAt: kubeTime(now),
      ...(retries > 0 && { retryCount: retries }),
      syncResult,
    },
    conditions: applicationConditions(
      status,
      [
        {
          type: 'SyncError',
          message: `Failed last sync attempt to [${syncResult.revision}]: ${message}`,
        },
      ],
      now,
    ),
  };
}

/** The status after the API server rejected an attempt of the running operation that will be retried. */
export function syncRetrying(
  application: Application,
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const operationState = runningOperation(application);
  const { reason, syncResult } = rejectedAttempt(application, environment);
  const attempt = (operationState.retryCount ?? 0) + 1;
  return {
    ...application.status,
    operationState: {
      ...operationState,
      message: `${reason}. Retrying attempt #${attempt} at ${clockTime(now)}.`,
      retryCount: attempt,
      syncResult,
    },
  };
}

/** Whether a failing operation is retried; a negative limit means no limit. */
export function retriesLeft({
  operation,
  retryCount = 0,
}: OperationState): boolean {
  const limit = operation.retry?.limit ?? 0;
  return limit < 0 || retryCount < limit;
}

/** The status after a user terminated the running operation. */
export function operationTerminated(
  application: Application,
  now: Date,
): ApplicationStatus {
  return ended(application, 'Failed', 'operation terminated', now);
}

/** The status after an operation with a revision that does not exist; no resource was applied. */
export function revisionNotFound(
  application: Application,
  message: string,
  now: Date,
): ApplicationStatus {
  return ended(application, 'Error', message, now);
}

function ended(
  application: Application,
  phase: string,
  message: string,
  now: Date,
): ApplicationStatus {
  const operationState = runningOperation(application);
  return {
    ...application.status,
    operationState: {
      ...operationState,
      phase,
      message,
      finishedAt: kubeTime(now),
    },
    conditions: applicationConditions(
      application.status ?? {},
      [
        {
          type: 'SyncError',
          message: `Failed last sync attempt to [${operationState.syncResult?.revision}]: ${message}`,
        },
      ],
      now,
    ),
  };
}

/** The result of an attempt in which the API server rejected at least one resource. */
function rejectedAttempt(
  application: Application,
  environment: DeploymentEnvironment,
) {
  const resources = environment
    .resources(application)
    .map((resource): ResourceResult => {
      const refusal = environment.refusal(application, resource);
      return refusal
        ? {
            ...resourceResult(resource),
            status: 'SyncFailed',
            message: refusal,
            hookPhase: 'Failed',
          }
        : {
            ...resourceResult(resource),
            status: 'Synced',
            message: `${resource.kind.toLowerCase()}/${resource.name} created`,
            hookPhase: 'Succeeded',
          };
    });
  const reasons = resources
    .filter(({ status }) => status === 'SyncFailed')
    .map(({ message }) => message);
  return {
    reason: `one or more objects failed to apply, reason: ${reasons.join(',')}`,
    syncResult: {
      revision: '',
      ...runningOperation(application).syncResult,
      resources,
    },
  };
}

/** A time of day in the format of Go's `time.Kitchen`. */
function clockTime(date: Date): string {
  const hours = date.getUTCHours();
  const minutes = String(date.getUTCMinutes()).padStart(2, '0');
  return `${hours % 12 || 12}:${minutes}${hours < 12 ? 'AM' : 'PM'}`;
}

function runningOperation({ status, metadata }: Application): OperationState {
  if (!status?.operationState) {
    throw new Error(
      `The Application ${metadata.name} has no running operation`,
    );
  }
  return status.operationState;
}

function resourceResult({
  group,
  version,
  kind,
  namespace,
  name,
}: DeployedResource) {
  return { group, version, kind, namespace, name, syncPhase: 'Sync' };
}

function summary(deployed: readonly DeployedResource[]) {
  const images = [...new Set(deployed.flatMap(d => d.images))].sort();
  return images.length > 0 ? { images } : {};
}
