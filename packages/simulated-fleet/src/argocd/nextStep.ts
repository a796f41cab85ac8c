import {
  Application,
  ApplicationStatus,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import {
  comparisonFailed,
  outOfSync,
  settled,
  targetOf,
  withLiveHealth,
} from './comparisonStatus';
import { foreignFinalizers } from './finalizers';
import {
  operationTerminated,
  retriesLeft,
  revisionNotFound,
  syncFailed,
  syncRetrying,
  syncStarted,
  syncSucceeded,
} from './operationStatus';
import { LiveEnvironment } from '../cluster/environment';
import { retryDelayMs } from './retryDelay';
import { comparedTo, targetRevisions } from './revision';

/** The annotation that requests a refresh. */
export const REFRESH_ANNOTATION = 'argocd.argoproj.io/refresh';

/** The durations of Argo CD's steps, in milliseconds of simulated time. */
export interface SyncTimings {
  /** From OutOfSync to the start of an automated sync. */
  outOfSyncMs: number;
  /** The first attempt of a sync. */
  syncMs: number;
  /** Until deployed resources have their final health. */
  progressingMs: number;
  /** From the deletion of an Application to the removal of its finalizers. */
  pruneMs: number;
  /** Between the attempts of a failing sync, if the operation has no backoff of its own. */
  retryMs: number;
}

/** Argo CD's next change of an Application. */
export interface ApplicationStep {
  status?: ApplicationStatus;
  /** Remove the operation from the Application: it has started. */
  removeOperation?: true;
  /** Remove the refresh annotation: the refresh is done. */
  removeRefresh?: true;
  /** Remove Argo CD's finalizers: all that they protect is done. */
  removeFinalizers?: true;
  /** Requeue after this many milliseconds of simulated time. */
  requeueAfterMs?: number;
}

/**
 * Argo CD's next step for an Application. It depends on the Application and its
 * environment only, so that a restarted controller continues correctly.
 *
 * @param elapsedMs - milliseconds of simulated time since the Application last changed
 */
export function nextStep(
  application: Application,
  environment: LiveEnvironment,
  timings: SyncTimings,
  elapsedMs: number,
  now: Date,
): ApplicationStep {
  const { status, operation, metadata, spec } = application;
  const after = (ms: number, step: () => ApplicationStep): ApplicationStep =>
    elapsedMs >= ms ? step() : { requeueAfterMs: ms - elapsedMs };

  if (metadata.deletionTimestamp) {
    const { finalizers = [] } = metadata;
    return foreignFinalizers(finalizers).length < finalizers.length
      ? after(timings.pruneMs, () => ({ removeFinalizers: true }))
      : {};
  }
  const blockingCondition = environment.blockingCondition(application);
  if (operation?.sync && !blockingCondition) {
    return {
      status: syncStarted(application, operation, environment, now),
      removeOperation: true,
    };
  }
  const operationState = status?.operationState;
  if (operationState?.phase === 'Terminating') {
    return { status: operationTerminated(application, now) };
  }
  if (operationState?.phase === 'Running' && !blockingCondition) {
    const revisionError = environment.unknownRevision(
      application,
      operationState.operation,
    );
    const attemptMs = operationState.retryCount
      ? retryDelayMs(operationState, timings.retryMs)
      : timings.syncMs;
    return after(attemptMs, () => ({
      status: attemptResult(application, environment, revisionError, now),
    }));
  }
  if (metadata.annotations?.[REFRESH_ANNOTATION] !== undefined) {
    return {
      status: blockingCondition
        ? comparisonFailed(application, blockingCondition, now)
        : refreshedStatus(application, environment, now),
      removeRefresh: true,
    };
  }
  if (blockingCondition) {
    const known = status?.conditions?.some(
      ({ type, message }) =>
        type === blockingCondition.type &&
        message === blockingCondition.message,
    );
    return known && isCurrent(application, environment)
      ? {}
      : { status: comparisonFailed(application, blockingCondition, now) };
  }
  if (
    !isCurrent(application, environment) ||
    status?.sync?.status === 'Unknown'
  ) {
    return { status: outOfSync(application, environment, now) };
  }
  const liveStatus = withLiveHealth(application, environment, now);
  if (liveStatus) {
    return { status: liveStatus };
  }
  if (status?.sync?.status === 'OutOfSync') {
    const automated = spec?.syncPolicy?.automated;
    if (!automated || automated.enabled === false) {
      return {};
    }
    const failed =
      operationState?.phase === 'Failed' || operationState?.phase === 'Error';
    if (hasAlreadyAttemptedSync(application, environment)) {
      return {};
    }
    return after(failed ? 0 : timings.outOfSyncMs, () => ({
      status: syncStarted(
        application,
        automatedSync(application, environment),
        environment,
        now,
      ),
    }));
  }
  if (
    status?.health?.status === 'Progressing' &&
    hasTimedProgress(application, environment)
  ) {
    return after(timings.progressingMs, () => ({
      status: settled(application, environment, now),
    }));
  }
  return {};
}

/** The Application after a successful sync that started at `startedAt`, with its final health. */
export function settledApplication(
  application: Application,
  environment: LiveEnvironment,
  startedAt: Date,
): Application {
  const running = syncStarted(
    application,
    automatedSync(application, environment),
    environment,
    startedAt,
  );
  const deployed = syncSucceeded(
    { ...application, status: running },
    environment,
    startedAt,
  );
  return {
    ...application,
    status: settled(
      { ...application, status: deployed },
      environment,
      startedAt,
    ),
  };
}

/** The status after a refresh; for an unchanged spec only `reconciledAt` changes. */
function refreshedStatus(
  application: Application,
  environment: LiveEnvironment,
  now: Date,
): ApplicationStatus {
  const fresh = outOfSync(application, environment, now);
  return isCurrent(application, environment)
    ? { ...application.status, reconciledAt: fresh.reconciledAt }
    : fresh;
}

/** The status after an attempt of the running operation. */
function attemptResult(
  application: Application,
  environment: LiveEnvironment,
  revisionError: string | undefined,
  now: Date,
): ApplicationStatus {
  if (revisionError) {
    return revisionNotFound(application, revisionError, now);
  }
  if (!isRefused(application, environment)) {
    return syncSucceeded(application, environment, now);
  }
  const { operationState } = application.status ?? {};
  return operationState && retriesLeft(operationState)
    ? syncRetrying(application, environment, now)
    : syncFailed(application, environment, now);
}

/** Automated sync does not repeat a failed or terminated sync until something changes. */
function hasAlreadyAttemptedSync(
  application: Application,
  environment: LiveEnvironment,
): boolean {
  const { phase, message } = application.status?.operationState ?? {};
  return (
    phase === 'Failed' &&
    (isRefused(application, environment) || message === 'operation terminated')
  );
}

/** Whether a resource is Progressing whose health depends on elapsed time only. */
function hasTimedProgress(
  application: Application,
  environment: LiveEnvironment,
): boolean {
  const deployed = environment.resources(application);
  const progressing = (application.status?.resources ?? []).filter(
    ({ health }) => health?.status === 'Progressing',
  );
  return progressing.some(resource => {
    const target = targetOf(resource, deployed);
    return !target || !environment.liveHealth(target);
  });
}

function isRefused(
  application: Application,
  environment: LiveEnvironment,
): boolean {
  return environment
    .resources(application)
    .some(resource => environment.refusal(application, resource) !== undefined);
}

/** Whether the last comparison used the current spec and the current commits. */
function isCurrent(
  application: Application,
  environment: LiveEnvironment,
): boolean {
  return (
    jsonEqual(application.status?.sync?.comparedTo, comparedTo(application)) &&
    !environment.hasNewCommit(application)
  );
}

function automatedSync(
  application: Application,
  environment: LiveEnvironment,
): SyncOperation {
  const { syncPolicy } = application.spec ?? {};
  return {
    sync: {
      ...targetRevisions(application, environment),
      prune: syncPolicy?.automated?.prune,
      syncOptions: syncPolicy?.syncOptions,
    },
    initiatedBy: { automated: true },
    retry: syncPolicy?.retry ?? { limit: 5 },
  };
}
