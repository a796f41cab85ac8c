import { CLUSTER_NAME_LABEL } from '../hubView';
import { Lease } from '../kubernetes/coreTypes';
import { microTime } from '../kubernetes/objects';

/** The lease that an agent renews in its cluster's namespace on the hub. */
export const LEASE_NAME = 'managed-cluster-lease';

/** A cluster is given up after this many lease durations. */
const GRACE_DURATIONS = 5;

/** A cluster's lease, renewed at `now` by the cluster's clock. */
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

/** Milliseconds that a lease is still good for, given how long ago it was renewed; 0 or less when it expired. */
export function leaseLeftMs(durationSeconds: number, ageMs: number): number {
  return GRACE_DURATIONS * durationSeconds * 1000 - ageMs;
}
