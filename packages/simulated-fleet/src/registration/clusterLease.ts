import { CLUSTER_NAME_LABEL } from '../hub/hubInformers';
import { Lease } from '../kubernetes/coreTypes';
import { microTime } from '../kubernetes/objects';

/** The name of the Lease that an agent renews in its cluster's namespace on the hub. */
export const LEASE_NAME = 'managed-cluster-lease';

/** A lease expires after this many lease durations without renewal. */
const GRACE_DURATIONS = 5;

/** A new Lease of a cluster; `now` is the time of the cluster's clock. */
export function clusterLease(
  clusterName: string,
  durationSeconds: number,
  now: Date,
): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: LEASE_NAME,
      namespace: clusterName,
      labels: { [CLUSTER_NAME_LABEL]: clusterName },
    },
    spec: {
      holderIdentity: LEASE_NAME,
      leaseDurationSeconds: durationSeconds,
      renewTime: microTime(now),
    },
  };
}

/** Milliseconds until a lease expires, from its age since the last renewal; 0 or less if it has expired. */
export function leaseLeftMs(durationSeconds: number, ageMs: number): number {
  return GRACE_DURATIONS * durationSeconds * 1000 - ageMs;
}
