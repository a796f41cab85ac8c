import {
  Application,
  ApplicationStatus,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import {
  obstructed,
  outOfSync,
  retriesLeft,
  retrying,
  settled,
  synced,
  syncFailed,
  syncing,
  terminated,
  unresolvable,
  withLiveHealth,
} from './applicationStatus';
import { LiveEnvironment } from './environment';
import { retryDelayMs } from './retryDelay';
import { comparedTo, targetRevisions } from './revision';

export const REFRESH_ANNOTATION = 'argocd.argoproj.io/refresh';

/** How long things take, in milliseconds of simulated time. */
export interface SyncTimings {
  outOfSyncMs: number;
  syncMs: number;
  progressingMs: number;
  pruneMs: number;
  /** Between the attempts of a sync that fails, where the operation has no backoff of its own. */
  retryMs: number;
}

/** What Argo CD does to an Application next. */
export interface Step {
  status?: ApplicationStatus;
  /** The operation was taken up: remove it from the Application. */
  takeOperation?: true;
  /** The refresh was done: remove the annotation. */
  takeRefresh?: true;
  /** Everything is pruned: let the Application go. */
  removeFinalizers?: true;
  /** Look again after this much simulated time. */
  wakeAfterMs?: number;
}

/**
 * The next step in an Application's life, from its own status alone, so that
 * a controller that is started anew goes on where the last one was.
 *
 * @param elapsedMs - simulated time since the Application last changed
 */
export function nextStep(
  application: Application,
  environment: LiveEnvironment,
  timings: SyncTimings,
  elapsedMs: number,
  now: Date,
): Step {
  const { status, operation, metadata, spec } = application;
  const after = (ms: number, step: () => Step): Step =>
    elapsedMs >= ms ? step() : { wakeAfterMs: ms - elapsedMs };

  if (metadata.deletionTimestamp) {
    return metadata.finalizers?.length
      ? after(timings.pruneMs, () => ({ removeFinalizers: true }))
      : {};
  }
  const obstacle = environment.obstacle(application);
  if (operation?.sync && !obstacle) {
    return {
      status: syncing(application, operation, now),
      takeOperation: true,
    };
  }
  const operationState = status?.operationState;
  if (operationState?.phase === 'Terminating') {
    return { status: terminated(application, now) };
  }
  if (operationState?.phase === 'Running' && !obstacle) {
    const unknown = environment.unknownRevision(operationState.operation);
    const attemptMs = operationState.retryCount
      ? retryDelayMs(operationState, timings.retryMs)
      : timings.syncMs;
    return after(attemptMs, () => ({
      status: runToEnd(application, environment, unknown, now),
    }));
  }
  if (metadata.annotations?.[REFRESH_ANNOTATION] !== undefined) {
    return {
      status: obstacle
        ? obstructed(application, obstacle, now)
        : compared(application, environment, now),
      takeRefresh: true,
    };
  }
  if (obstacle) {
    const known = status?.conditions?.some(
      ({ type, message }) =>
        type === obstacle.type && message === obstacle.message,
    );
    return known && isCurrent(application)
      ? {}
      : { status: obstructed(application, obstacle, now) };
  }
  if (!isCurrent(application) || status?.sync?.status === 'Unknown') {
    return { status: outOfSync(application, environment, now) };
  }
  const alive = withLiveHealth(application, environment, now);
  if (alive) {
    return { status: alive };
  }
  if (status?.sync?.status === 'OutOfSync') {
    const automated = spec?.syncPolicy?.automated;
    if (!automated || automated.enabled === false) {
      return {};
    }
    const failed =
      operationState?.phase === 'Failed' || operationState?.phase === 'Error';
    if (wasTriedInVain(application, environment)) {
      return {};
    }
    return after(failed ? 0 : timings.outOfSyncMs, () => ({
      status: syncing(application, automatedSync(application), now),
    }));
  }
  if (
    status?.health?.status === 'Progressing' &&
    waitsForTime(application, environment)
  ) {
    return after(timings.progressingMs, () => ({
      status: settled(application, environment, now),
    }));
  }
  return {};
}

/** The Application as it is once it has settled, for one whose life before is not of interest. */
export function settledApplication(
  application: Application,
  environment: LiveEnvironment,
  startedAt: Date,
): Application {
  const running = syncing(application, automatedSync(application), startedAt);
  const deployed = synced(
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

/** A refresh of something that is compared already changes nothing but its time. */
function compared(
  application: Application,
  environment: LiveEnvironment,
  now: Date,
): ApplicationStatus {
  const fresh = outOfSync(application, environment, now);
  return isCurrent(application)
    ? { ...application.status, reconciledAt: fresh.reconciledAt }
    : fresh;
}

/** The end of an attempt to sync. */
function runToEnd(
  application: Application,
  environment: LiveEnvironment,
  unknown: string | undefined,
  now: Date,
): ApplicationStatus {
  if (unknown) {
    return unresolvable(application, unknown, now);
  }
  if (!isRefused(application, environment)) {
    return synced(application, environment, now);
  }
  const { operationState } = application.status ?? {};
  return operationState && retriesLeft(operationState)
    ? retrying(application, environment, now)
    : syncFailed(application, environment, now);
}

/** Argo CD does not try by itself what just failed, until something changed. */
function wasTriedInVain(
  application: Application,
  environment: LiveEnvironment,
): boolean {
  const { phase, message } = application.status?.operationState ?? {};
  return (
    phase === 'Failed' &&
    (isRefused(application, environment) || message === 'operation terminated')
  );
}

/** Whether something comes up that does not say so by itself. */
function waitsForTime(
  application: Application,
  environment: LiveEnvironment,
): boolean {
  const deployed = environment.resources(application);
  const progressing = (application.status?.resources ?? []).filter(
    ({ health }) => health?.status === 'Progressing',
  );
  return progressing.some(resource => {
    const target = deployed.find(
      ({ kind, name }) => kind === resource.kind && name === resource.name,
    );
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

/** Whether the last comparison was made with the spec as it is now. */
function isCurrent(application: Application): boolean {
  return jsonEqual(
    application.status?.sync?.comparedTo,
    comparedTo(application),
  );
}

function automatedSync(application: Application): SyncOperation {
  const { syncPolicy } = application.spec ?? {};
  return {
    sync: {
      ...targetRevisions(application),
      prune: syncPolicy?.automated?.prune,
      syncOptions: syncPolicy?.syncOptions,
    },
    initiatedBy: { automated: true },
    retry: syncPolicy?.retry ?? { limit: 5 },
  };
}
