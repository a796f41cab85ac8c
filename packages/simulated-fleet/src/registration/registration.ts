import { FleetContext } from '../hubView';
import { ManagedCluster } from '../kubernetes/clusterTypes';
import { Lease } from '../kubernetes/coreTypes';
import { jsonEqual } from '../kubernetes/json';
import { microTime } from '../kubernetes/objects';
import { leases, managedClusters } from '../kubernetes/resources';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { Scenario } from '../scenario/schema';
import { SimulatedCluster } from '../simulatedCluster';
import { clusterLease, LEASE_NAME, leaseLeftMs } from './clusterLease';
import { clusterStatus, clusterTaints } from './clusterStatus';

const FIELD_MANAGER = 'registration';

/**
 * Plays OCM's registration: agents that renew their leases, and the hub that
 * misses them.
 */
export function startRegistration(
  context: FleetContext & {
    scenario: Scenario;
    clusters: ReadonlyMap<string, SimulatedCluster>;
  },
): void {
  const { client, hub, clock, scenario, clusters } = context;
  const facts = new Map(scenario.clusters.map(entry => [entry.name, entry]));
  // Times are the clock's ticks.
  const renewAt = new Map<string, number>();

  async function reconcile(name: string, requeueAfter: (ms: number) => void) {
    const object = hub.managedClusters.get(name);
    const cluster = clusters.get(name);
    const described = facts.get(name);
    if (!object || !cluster || !described) {
      return;
    }
    const durationSeconds =
      object.spec?.leaseDurationSeconds || described.leaseDurationSeconds;
    const { trouble } = cluster;
    let lease = hub.leases.get(`${name}/${LEASE_NAME}`);
    if (!trouble.offline) {
      lease = await renewWhenDue(cluster, lease, durationSeconds);
      requeueAfter((renewAt.get(name) ?? 0) - clock.ticks());
    }
    const leftMs = lease
      ? leaseLeftMs(durationSeconds, ageMs(lease, cluster))
      : // Without a lease nobody has ever heard of the cluster.
        0;
    if (leftMs > 0) {
      requeueAfter(leftMs);
    }
    const now = clock.now();
    await report(
      object,
      clusterStatus(
        object,
        { ...described, leaseDurationSeconds: durationSeconds },
        { trouble, leaseExpired: leftMs <= 0, now },
      ),
      now,
    );
  }

  /** How old the lease is for the hub, which knows nothing of the cluster's clock. */
  function ageMs({ spec }: Lease, { trouble }: SimulatedCluster): number {
    // Simulated time passes faster than real time, a skew does not.
    const skewMs = trouble.clockSkewSeconds * 1000;
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
      // An agent that is started anew goes on where the last one was.
      renewAt.set(name, clock.ticks() + durationMs - ageMs(lease, cluster));
    }
    const due = renewAt.get(name) ?? 0;
    if (lease && clock.ticks() < due) {
      return lease;
    }
    // A fleet that begins all at once must not renew all at once for ever.
    const next = lease ? durationMs : durationMs * shareOf(name);
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
    renewAt.set(name, clock.ticks() + next);
    hub.leases.saw(written);
    return written;
  }

  async function report(
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
    opensAfter: hub.listed(),
    ...context,
  });
  hub.managedClusters.onChange(now => now && queue.add(now.metadata.name));
  hub.leases.onChange((now, before) =>
    queue.add((now ?? before)?.metadata.namespace ?? ''),
  );
  for (const cluster of clusters.values()) {
    cluster.onTroubleChange(() => {
      // Whoever comes back, or whose clock was set, reports at once.
      renewAt.set(cluster.name, 0);
      queue.add(cluster.name);
    });
  }
}

/** A number in (0, 1] that is always the same for a name. */
function shareOf(name: string): number {
  const sum = [...name].reduce(
    (hash, char) => (hash * 31 + char.charCodeAt(0)) % 1000,
    7,
  );
  return (sum + 1) / 1000;
}
