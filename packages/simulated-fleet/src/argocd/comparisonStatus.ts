import {
  Application,
  ApplicationCondition,
  ApplicationStatus,
  ResourceStatus,
} from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import { kubeTime } from '../kubernetes/objects';
import { healthStatus, missingHealth, worstHealth } from './applicationHealth';
import {
  DeployedResource,
  DeploymentEnvironment,
  LiveEnvironment,
  BlockingCondition,
} from '../cluster/environment';
import { comparedTo, targetRevisions } from './revision';

/** The status after a failed comparison: the sync status is Unknown; resources and their health stay. */
export function comparisonFailed(
  application: Application,
  condition: BlockingCondition,
  now: Date,
): ApplicationStatus {
  const { status = {} } = application;
  const health =
    condition.type === 'InvalidSpecError'
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
    conditions: applicationConditions(status, [condition], now),
    reconciledAt: kubeTime(now),
  };
}

/** The status after a comparison that found differences between the cluster and Git. */
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
        ...resourceIdentity(resource),
        status: 'OutOfSync',
        health: live ? live.health : missingHealth(resource),
      };
    });
  return {
    ...status,
    sync: {
      status: 'OutOfSync',
      ...targetRevisions(application, environment),
      comparedTo: comparedTo(application),
    },
    health: healthStatus(status, worstHealth(resources), now),
    resources,
    conditions: applicationConditions(
      status,
      (status.conditions ?? []).filter(({ type }) => type === 'SyncError'),
      now,
    ),
    reconciledAt: kubeTime(now),
    sourceType: 'Directory',
  };
}

/** The status after the resources had time to become healthy. */
export function settled(
  application: Application,
  environment: DeploymentEnvironment,
  now: Date,
): ApplicationStatus {
  const { status = {} } = application;
  const deployed = environment.resources(application);
  const resources = (status.resources ?? []).map((resource): ResourceStatus => {
    const target = targetOf(resource, deployed);
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
 * The status with the current health of resources that exist as objects on the
 * cluster, such as Rollouts; undefined if nothing changed.
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
    const target = targetOf(resource, deployed);
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

/** The deployed resource that an entry of `status.resources` describes. */
export function targetOf(
  { kind, name }: ResourceStatus,
  deployed: readonly DeployedResource[],
): DeployedResource | undefined {
  return deployed.find(target => target.kind === kind && target.name === name);
}

/** The fields that identify a resource in a status. */
export function resourceIdentity({
  group,
  version,
  kind,
  namespace,
  name,
}: DeployedResource) {
  return { ...(group && { group }), version, kind, namespace, name };
}

/** The desired conditions; unchanged ones keep their transition times. Undefined if there are none. */
export function applicationConditions(
  previous: ApplicationStatus,
  desired: readonly ApplicationCondition[],
  now: Date,
): ApplicationCondition[] | undefined {
  if (desired.length === 0) {
    return undefined;
  }
  return desired.map(({ type, message }) => ({
    type,
    message,
    lastTransitionTime:
      previous.conditions?.find(
        before => before.type === type && before.message === message,
      )?.lastTransitionTime ?? kubeTime(now),
  }));
}
