import {
  Application,
  ApplicationSetApplicationStatus,
} from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';

/** The rollout status of one Application after its latest sync and health report. */
export function applicationStatusAfterReport(
  application: Application,
  previous: ApplicationSetApplicationStatus | undefined,
  step: string,
  time: string,
): ApplicationSetApplicationStatus {
  const revisions = revisionsOf(application);
  let current: ApplicationSetApplicationStatus = previous ?? {
    application: application.metadata.name,
    lastTransitionTime: time,
    message: 'No Application status found, defaulting status to Waiting.',
    status: 'Waiting',
    step,
    targetRevisions: revisions,
  };
  const moveTo = (status: string, message: string) => {
    current = {
      ...current,
      lastTransitionTime: time,
      status,
      message,
      step,
    };
  };
  const waiting = 'Application has pending changes, setting status to Waiting.';
  if (!jsonEqual(current.targetRevisions ?? [], revisions)) {
    moveTo('Waiting', waiting);
    current = { ...current, targetRevisions: revisions };
  }
  const { health, sync, operationState } = application.status ?? {};
  const isOutdated = sync?.status === 'OutOfSync';
  if (isOutdated && !['Waiting', 'Pending'].includes(current.status)) {
    moveTo('Waiting', waiting);
  }
  if (current.status === 'Pending') {
    if (!isOutdated && operationState?.phase === 'Succeeded') {
      moveTo(
        'Progressing',
        'Application resource completed a sync successfully, updating status from Pending to Progressing.',
      );
    } else if (
      operationState?.phase === 'Running' ||
      health?.status === 'Progressing'
    ) {
      moveTo(
        'Progressing',
        'Application resource became Progressing, updating status from Pending to Progressing.',
      );
    }
  }
  if (isHealthy(application)) {
    if (current.status === 'Waiting') {
      moveTo(
        'Healthy',
        'Application resource is already Healthy, updating status from Waiting to Healthy.',
      );
    } else if (current.status === 'Progressing') {
      moveTo(
        'Healthy',
        'Application resource became Healthy, updating status from Progressing to Healthy.',
      );
    }
  }
  return current;
}

/** Whether an Application counts as healthy for the next wave. */
export function isHealthy({ status }: Application): boolean {
  const phase = status?.operationState?.phase ?? '';
  return (
    status?.health?.status === 'Healthy' &&
    status.sync?.status !== 'OutOfSync' &&
    (phase === 'Succeeded' || phase === '')
  );
}

function revisionsOf({ status }: Application): string[] {
  const { revision, revisions = [] } = status?.sync ?? {};
  if (revisions.length > 0) {
    return revisions;
  }
  return revision ? [revision] : [];
}
