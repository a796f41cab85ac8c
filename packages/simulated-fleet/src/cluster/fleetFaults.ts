import { FleetLogger } from '../logger';
import { matchesName } from '../scenario/namePattern';
import { ClusterTrouble, SimulatedCluster } from '../simulatedCluster';

/**
 * What can be done to the clusters of a running fleet. `clusters` is a name,
 * or a pattern with `*` in it; one that fits no cluster is an error.
 */
export interface FleetFaults {
  /** Cuts the agents off from the hub: leases and statuses stop, the clusters' own Argo CDs go on. */
  offline(clusters: string): void;
  /** Ends {@link offline}: agents catch up with everything that changed meanwhile. */
  online(clusters: string): void;
  /** The cluster's API server fails, and its agent reports that. */
  apiServerDown(clusters: string): void;
  /** Ends {@link apiServerDown}. */
  apiServerUp(clusters: string): void;
  /** Sets a cluster's clock ahead by `seconds`, or behind when negative; 0 sets it right. */
  clockSkew(clusters: string, seconds: number): void;
}

/** The switches of a fleet's troubles. */
export function createFleetFaults(
  clusters: ReadonlyMap<string, SimulatedCluster>,
  logger: FleetLogger,
): FleetFaults {
  function change(pattern: string, trouble: Partial<ClusterTrouble>) {
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
      logger.info(`${cluster.name}: ${JSON.stringify(trouble)}`);
      cluster.setTrouble(trouble);
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
