import {
  Application,
  ApplicationCondition,
  ApplicationStatus,
  OperationState,
  ResourceResult,
  ResourceStatus,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import {
  healthStatus,
  missing,
  startingHealth,
  worstHealth,
} from './applicationHealth';
import {
  DeployedResource,
  DeploymentEnvironment,
  Obstacle,
} from './environment';
import { comparedTo, targetRevisions } from './revision';

const HISTORY_LIMIT = 10;

/** The target state cannot be computed: sync is unknown, what runs stays as it is. */
export function obstructed(
  application: Application,
  obstacle: Obstacle,
  now: Date,
): ApplicationStatus {
  const { status = {} } = application;
  const health =
    obstacle.type === 'InvalidSpecError'
      ? 'Unknown'
      : (status.health?.status ?? 'Healthy');
  return {
    ...status,
    sync: {
      status: 'Unknown',
      ...(status.sync?.revision && { revision: status.sync.revision }),
      comparedTo: comparedTo(application),
    },
    health: healthStatus(status, health, now),
    resources: status.resources?.map(resource => ({
      ...resource,
      status: 'Unknown',
    })),
    conditions: conditions(status, [obstacle], now),
    reconciledAt: kubeTime(now),
  };
}

/** Compared, and the cluster is not what Git says. */
export function outOfSync(
  application: Application,
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const { status = {} } = application;
  const resources = environment
    .resources(application)
    .map((resource): ResourceStatus => {
      const live = status.resources?.find(
        known => known.kind === resource.kind && known.name === resource.name,
      );
      return {
        ...identity(resource),
        status: 'OutOfSync',
        health: live ? live.health : missing(resource),
      };
    });
  return {
    ...status,
    sync: {
      status: 'OutOfSync',
      ...targetRevisions(application),
      comparedTo: comparedTo(application),
    },
    health: healthStatus(status, worstHealth(resources), now),
    resources,
    conditions: conditions(
      status,
      (status.conditions ?? []).filter(({ type }) => type === 'SyncError'),
      now,
    ),
    reconciledAt: kubeTime(now),
    sourceType: 'Directory',
  };
}

/** A sync operation has begun. */
export function syncing(
  application: Application,
  operation: SyncOperation,
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
        ...targetRevisions(application, operation),
        ...(source && { source }),
      },
    },
  };
}

/** The running operation has applied everything. */
export function synced(
  application: Application,
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const { status = {}, spec } = application;
  const operationState = runningOperation(application);
  const deployed = environment.resources(application);
  const target = targetRevisions(application);
  const reached = targetRevisions(application, operationState.operation);
  const isTarget = JSON.stringify(target) === JSON.stringify(reached);
  const resources = deployed.map((resource): ResourceStatus => ({
    ...identity(resource),
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
          ...result(resource),
          status: 'Synced',
          message: `${resource.kind.toLowerCase()}${
            resource.group && `.${resource.group}`
          }/${resource.name} ${history.length > 0 ? 'configured' : 'created'}`,
          hookPhase: 'Running',
        })),
      },
    },
    resources,
    summary: summary(deployed),
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

/** The running operation was refused by the cluster's API server. */
export function syncFailed(
  application: Application,
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const { status = {} } = application;
  const operationState = runningOperation(application);
  const results = environment
    .resources(application)
    .map((resource): ResourceResult => {
      const refusal = environment.refusal(application, resource);
      return refusal
        ? {
            ...result(resource),
            status: 'SyncFailed',
            message: refusal,
            hookPhase: 'Failed',
          }
        : {
            ...result(resource),
            status: 'Synced',
            message: `${resource.kind.toLowerCase()}/${resource.name} created`,
            hookPhase: 'Succeeded',
          };
    });
  const failures = results.filter(({ status: s }) => s === 'SyncFailed');
  const retries = operationState.operation.retry?.limit ?? 0;
  const message = `one or more objects failed to apply, reason: ${failures
    .map(failure => failure.message)
    .join(',')}${retries > 0 ? ` (retried ${retries} times).` : ''}`;
  const { revision } = operationState.syncResult ?? {};
  return {
    ...outOfSync(application, environment, now),
    operationState: {
      ...operationState,
      phase: 'Failed',
      message,
      finishedAt: kubeTime(now),
      ...(retries > 0 && { retryCount: retries }),
      syncResult: {
        revision: '',
        ...operationState.syncResult,
        resources: results,
      },
    },
    conditions: conditions(
      status,
      [
        {
          type: 'SyncError',
          message: `Failed last sync attempt to [${revision}]: ${message}`,
        },
      ],
      now,
    ),
  };
}

/** The resources had their time to come up. */
export function settled(
  application: Application,
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const { status = {} } = application;
  const deployed = environment.resources(application);
  const resources = (status.resources ?? []).map((resource): ResourceStatus => {
    const target = deployed.find(
      ({ kind, name }) => kind === resource.kind && name === resource.name,
    );
    return {
      ...resource,
      health: target
        ? environment.health(application, target)
        : resource.health,
    };
  });
  return {
    ...status,
    health: healthStatus(status, worstHealth(resources), now),
    resources,
    reconciledAt: kubeTime(now),
  };
}

function runningOperation({ status, metadata }: Application): OperationState {
  if (!status?.operationState) {
    throw new Error(`${metadata.name} has no operation that could end`);
  }
  return status.operationState;
}

function identity({ group, version, kind, namespace, name }: DeployedResource) {
  return { ...(group && { group }), version, kind, namespace, name };
}

function result({ group, version, kind, namespace, name }: DeployedResource) {
  return { group, version, kind, namespace, name, syncPhase: 'Sync' };
}

function conditions(
  previous: ApplicationStatus,
  wanted: readonly ApplicationCondition[],
  now: Date,
): ApplicationCondition[] | undefined {
  if (wanted.length === 0) {
    return undefined;
  }
  return wanted.map(({ type, message }) => ({
    type,
    message,
    lastTransitionTime:
      previous.conditions?.find(
        before => before.type === type && before.message === message,
      )?.lastTransitionTime ?? kubeTime(now),
  }));
}

function summary(deployed: readonly DeployedResource[]) {
  const images = [...new Set(deployed.flatMap(d => d.images))].sort();
  return images.length > 0 ? { images } : {};
}
