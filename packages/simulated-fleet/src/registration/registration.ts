import { FleetContext } from '../hub/hubInformers';
import { ManagedCluster } from '../kubernetes/clusterTypes';
import { Lease } from '../kubernetes/coreTypes';
import { jsonEqual } from '../kubernetes/json';
import { microTime } from '../kubernetes/objects';
import { leases, managedClusters } from '../kubernetes/resources';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { Scenario } from '../scenario/schema';
import { SimulatedCluster } from '../cluster/simulatedCluster';
import { clusterLease, LEASE_NAME, leaseLeftMs } from './clusterLease';
import { clusterStatus, clusterTaints } from './clusterStatus';

const FIELD_MANAGER = 'registration';

/**
 * Simulates OCM's registration: the agents that renew leases, and the hub
 * controllers that set the status and the taints of ManagedClusters.
 */
export function startRegistration(
  context: FleetContext & {
    scenario: Scenario;
    clusters: ReadonlyMap<string, SimulatedCluster>;
  },
): void {
  const { client, hub, clock, scenario, clusters } = context;
  const scenarioClusters = new Map(
    scenario.clusters.map(entry => [entry.name, entry]),
  );
  // Clock ticks of the next lease renewal, by cluster name.
  const renewAt = new Map<string, number>();

  async function reconcile(name: string, requeueAfter: (ms: number) => void) {
    const object = hub.managedClusters.get(name);
    const cluster = clusters.get(name);
    const scenarioCluster = scenarioClusters.get(name);
    if (!object || !cluster || !scenarioCluster) {
      return;
    }
    const durationSeconds =
      object.spec?.leaseDurationSeconds || scenarioCluster.leaseDurationSeconds;
    const { faults } = cluster;
    let lease = hub.leases.get(`${name}/${LEASE_NAME}`);
    if (!faults.offline) {
      lease = await renewWhenDue(cluster, lease, durationSeconds);
      requeueAfter((renewAt.get(name) ?? 0) - clock.ticks());
    }
    const leftMs = lease
      ? leaseLeftMs(durationSeconds, ageMs(lease, cluster))
      : // A cluster without a lease has never reported.
        0;
    if (leftMs > 0) {
      requeueAfter(leftMs);
    }
    const now = clock.now();
    await writeStatus(
      object,
      clusterStatus(
        object,
        { ...scenarioCluster, leaseDurationSeconds: durationSeconds },
        { faults, leaseExpired: leftMs <= 0, now },
      ),
      now,
    );
  }

  /** Milliseconds of simulated time since the last renewal, as the hub sees it: a clock skew distorts it. */
  function ageMs({ spec }: Lease, { faults }: SimulatedCluster): number {
    // The speed applies to the elapsed time, but not to the skew.
    const skewMs = faults.clockSkewSeconds * 1000;
    const renewed = Date.parse(spec?.renewTime ?? '') || 0;
    return clock.since(new Date(renewed - skewMs)) - skewMs;
  }

  async function renewWhenDue(
    cluster: SimulatedCluster,
    lease: Lease | undefined,
    durationSeconds: number,
  ): Promise<Lease> {
    const { name } = cluster;
    const durationMs = durationSeconds * 1000;
    if (lease && !renewAt.has(name)) {
      // A restarted agent keeps the renewal time of the existing lease.
      renewAt.set(name, clock.ticks() + durationMs - ageMs(lease, cluster));
    }
    const due = renewAt.get(name) ?? 0;
    if (lease && clock.ticks() < due) {
      return lease;
    }
    // Spread the first renewals: otherwise all clusters would renew at the same time for ever.
    const nextMs = lease ? durationMs : durationMs * stableFraction(name);
    const written = lease
      ? await client.patch(
          leases,
          lease.metadata,
          { spec: { renewTime: microTime(cluster.now()) } },
          { fieldManager: FIELD_MANAGER },
        )
      : await client.create(
          leases,
          clusterLease(name, durationSeconds, cluster.now()),
          { fieldManager: FIELD_MANAGER },
        );
    renewAt.set(name, clock.ticks() + nextMs);
    hub.leases.applyWriteResult(written);
    return written;
  }

  async function writeStatus(
    object: ManagedCluster,
    status: NonNullable<ManagedCluster['status']>,
    now: Date,
  ) {
    if (!jsonEqual(object.status, status)) {
      await client.patch(
        managedClusters,
        object.metadata,
        { status },
        { fieldManager: FIELD_MANAGER, subresource: 'status' },
      );
    }
    const taints = clusterTaints(object, status.conditions ?? [], now);
    if (!jsonEqual(object.spec?.taints ?? [], taints)) {
      await client.patch(
        managedClusters,
        object.metadata,
        { spec: { taints } },
        { fieldManager: FIELD_MANAGER },
      );
    }
  }

  const queue = createReconcileQueue({
    name: 'Registration',
    reconcile,
    startAfter: hub.waitForSync(),
    ...context,
  });
  hub.managedClusters.onChange(now => now && queue.add(now.metadata.name));
  hub.leases.onChange((now, before) =>
    queue.add((now ?? before)?.metadata.namespace ?? ''),
  );
  for (const cluster of clusters.values()) {
    cluster.onFaultsChange(() => {
      // A cluster that is back online or whose clock was set reports at once.
      renewAt.set(cluster.name, 0);
      queue.add(cluster.name);
    });
  }
}

/** A number in (0, 1] that depends only on the name. */
function stableFraction(name: string): number {
  const sum = [...name].reduce(
    (hash, char) => (hash * 31 + char.charCodeAt(0)) % 1000,
    7,
  );
  return (sum + 1) / 1000;
}
