import {
  Application,
  ApplicationStatus,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import {
  obstructed,
  outOfSync,
  settled,
  synced,
  syncFailed,
  syncing,
} from './applicationStatus';
import { DeploymentEnvironment } from './environment';
import { comparedTo, targetRevisions } from './revision';

export const REFRESH_ANNOTATION = 'argocd.argoproj.io/refresh';

/** How long things take, in milliseconds of simulated time. */
export interface SyncTimings {
  outOfSyncMs: number;
  syncMs: number;
  progressingMs: number;
  pruneMs: number;
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
  environment: DeploymentEnvironment,
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
  const running = status?.operationState?.phase === 'Running';
  if (running && !obstacle) {
    return after(timings.syncMs, () => ({
      status: isRefused(application, environment)
        ? syncFailed(application, environment, now)
        : synced(application, environment, now),
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
  if (status?.sync?.status === 'OutOfSync') {
    const automated = spec?.syncPolicy?.automated;
    if (!automated || automated.enabled === false) {
      return {};
    }
    const failed = status.operationState?.phase === 'Failed';
    if (failed && isRefused(application, environment)) {
      return {};
    }
    return after(failed ? 0 : timings.outOfSyncMs, () => ({
      status: syncing(application, automatedSync(application), now),
    }));
  }
  if (status?.health?.status === 'Progressing') {
    return after(timings.progressingMs, () => ({
      status: settled(application, environment, now),
    }));
  }
  return {};
}

/** The Application as it is once it has settled, for one whose life before is not of interest. */
export function settledApplication(
  application: Application,
  environment: DeploymentEnvironment,
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
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const fresh = outOfSync(application, environment, now);
  return isCurrent(application)
    ? { ...application.status, reconciledAt: fresh.reconciledAt }
    : fresh;
}

function isRefused(
  application: Application,
  environment: DeploymentEnvironment,
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
