import type {
  ClusterState,
  Condition,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState } from '../feedback';

// Clocks of clusters may be wrong, or lie: a time in the future would count as the latest change of a whole
// ApplicationSet, and come first where the latest come first. It counts as the time at which the hub's state was read.

/**
 * A cluster without a time in the future.
 * @param now - milliseconds since the epoch
 */
export function pastCluster(cluster: ClusterState, now: number): ClusterState {
  return isFuture(cluster.staleSince, now)
    ? { ...cluster, staleSince: past(cluster.staleSince, now) }
    : cluster;
}

/**
 * A state without times in the future.
 * @param now - milliseconds since the epoch
 */
export function pastState(
  state: ApplicationState,
  now: number,
): ApplicationState {
  const { since, failingSince, statusAt, operationStartedAt, history } = state;
  const { applied, available, deletion, hydration } = state;
  const times = [
    since,
    failingSince,
    statusAt,
    operationStartedAt,
    applied?.lastTransitionTime,
    available?.lastTransitionTime,
    deletion?.since,
    hydration?.startedAt,
  ];
  if (
    !times.some(time => isFuture(time, now)) &&
    !history.some(({ deployedAt }) => isFuture(deployedAt, now))
  ) {
    return state;
  }
  return {
    ...state,
    since: past(since, now),
    failingSince: past(failingSince, now),
    statusAt: past(statusAt, now),
    operationStartedAt: past(operationStartedAt, now),
    applied: pastCondition(applied, now),
    available: pastCondition(available, now),
    ...(deletion && {
      deletion: { ...deletion, since: past(deletion.since, now) },
    }),
    ...(hydration?.startedAt && {
      hydration: { ...hydration, startedAt: past(hydration.startedAt, now) },
    }),
    history: history.map(sync =>
      sync.deployedAt
        ? { ...sync, deployedAt: past(sync.deployedAt, now) }
        : sync,
    ),
  };
}

function pastCondition(
  condition: Condition | undefined,
  now: number,
): Condition | undefined {
  return (
    condition && {
      ...condition,
      lastTransitionTime: past(condition.lastTransitionTime, now),
    }
  );
}

function past<Time extends string | undefined>(
  time: Time,
  now: number,
): Time | string {
  return isFuture(time, now) ? new Date(now).toISOString() : time;
}

function isFuture(time: string | undefined, now: number): boolean {
  return time !== undefined && Date.parse(time) > now;
}
