import {
  Application,
  ApplicationCondition,
  ApplicationStatus,
  ResourceStatus,
} from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import { kubeTime } from '../kubernetes/objects';
import { healthStatus, missing, worstHealth } from './applicationHealth';
import {
  DeployedResource,
  DeploymentEnvironment,
  LiveEnvironment,
  Obstacle,
} from './environment';
import { comparedTo, targetRevisions } from './revision';

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

/**
 * The status with the health of those resources that live on their own, such
 * as Rollouts; undefined when nothing changed.
 */
export function withLiveHealth(
  application: Application,
  environment: LiveEnvironment,
  now: Date,
): ApplicationStatus | undefined {
  const { status = {} } = application;
  const deployed = environment.resources(application);
  let changed = false;
  const resources = (status.resources ?? []).map(resource => {
    const target = deployed.find(
      ({ kind, name }) => kind === resource.kind && name === resource.name,
    );
    const health = target && environment.liveHealth(target);
    if (!health || jsonEqual(health, resource.health)) {
      return resource;
    }
    changed = true;
    return { ...resource, health };
  });
  return changed
    ? {
        ...status,
        health: healthStatus(status, worstHealth(resources), now),
        resources,
        reconciledAt: kubeTime(now),
      }
    : undefined;
}

/** The fields that name a resource in a status. */
export function identity({
  group,
  version,
  kind,
  namespace,
  name,
}: DeployedResource) {
  return { ...(group && { group }), version, kind, namespace, name };
}

/** Conditions whose times tell since when they are so; undefined for none. */
export function conditions(
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
