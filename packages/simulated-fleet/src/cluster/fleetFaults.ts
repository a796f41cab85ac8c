import { FleetLogger } from '../runtime/logger';
import { matchesName } from '../kubernetes/namePattern';
import { ClusterFaults, SimulatedCluster } from './simulatedCluster';

/**
 * Switches the faults of the clusters of a running fleet. `clusters` is a
 * name, or a pattern with `*`. Every method throws if no cluster matches.
 */
export interface FleetFaults {
  /** Disconnects the agents from the hub: leases and statuses stop, the clusters' own Argo CDs keep running. */
  offline(clusters: string): void;
  /** Ends {@link offline}: the agents catch up with all changes of the meantime. */
  online(clusters: string): void;
  /** The cluster's API server fails, and the cluster's agent reports that. */
  apiServerDown(clusters: string): void;
  /** Ends {@link apiServerDown}. */
  apiServerUp(clusters: string): void;
  /** Sets a cluster's clock ahead by `seconds`, or behind if negative; 0 ends the skew. */
  clockSkew(clusters: string, seconds: number): void;
}

/** Creates the fault switches of a fleet's clusters. */
export function createFleetFaults(
  clusters: ReadonlyMap<string, SimulatedCluster>,
  logger: FleetLogger,
): FleetFaults {
  function change(pattern: string, faults: Partial<ClusterFaults>) {
    const found = [...clusters.values()].filter(({ name }) =>
      matchesName([pattern], name),
    );
    if (found.length === 0) {
      throw new Error(
        `The fleet has no cluster ${pattern}; its clusters are ${[
          ...clusters.keys(),
        ].join(', ')}.`,
      );
    }
    for (const cluster of found) {
      logger.info(`${cluster.name}: ${JSON.stringify(faults)}`);
      cluster.setFaults(faults);
    }
  }
  return {
    offline: pattern => change(pattern, { offline: true }),
    online: pattern => change(pattern, { offline: false }),
    apiServerDown: pattern => change(pattern, { apiServerDown: true }),
    apiServerUp: pattern => change(pattern, { apiServerDown: false }),
    clockSkew: (pattern, seconds) =>
      change(pattern, { clockSkewSeconds: seconds }),
  };
}
