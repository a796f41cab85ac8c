import { Rollout } from '../../kubernetes/rolloutTypes';
import { FleetLogger } from '../../runtime/logger';
import { Clock } from '../../runtime/clock';
import { createReconcileQueue } from '../../runtime/reconcileQueue';
import { SimulatedCluster } from '../../cluster/simulatedCluster';
import { isRolloutRef, ROLLOUTS } from '../../cluster/rollouts';
import { applicationNameOf } from './deployRollouts';
import { nextRolloutStatus } from './nextRolloutStatus';

/** Simulates the Argo Rollouts controllers of all managed clusters. */
export function startRolloutControllers(options: {
  clusters: ReadonlyMap<string, SimulatedCluster>;
  rolloutStepMs: number;
  clock: Clock;
  logger: FleetLogger;
  signal: AbortSignal;
}): void {
  const { clusters, rolloutStepMs, clock } = options;
  // Clock ticks of the last change, by "<cluster>/<namespace>/<name>".
  const changedAt = new Map<string, number>();

  async function reconcile(key: string, requeueAfter: (ms: number) => void) {
    const [clusterName, namespace, name] = key.split('/');
    const cluster = clusters.get(clusterName);
    const rollout = cluster?.store.get({ ...ROLLOUTS, namespace, name }) as
      Rollout | undefined;
    if (!cluster || !rollout) {
      changedAt.delete(key);
      return;
    }
    if (cluster.faults.apiServerDown) {
      return;
    }
    const { status, requeueAfterMs } = nextRolloutStatus(rollout, {
      stepMs: rolloutStepMs,
      elapsedMs: clock.ticks() - (changedAt.get(key) ?? 0),
      failure: cluster.environment.rolloutFailure(applicationNameOf(rollout)),
      now: cluster.now(),
    });
    if (requeueAfterMs !== undefined) {
      requeueAfter(requeueAfterMs);
    }
    if (status) {
      cluster.store.put({ ...rollout, status });
    }
  }

  const queue = createReconcileQueue({
    name: 'Argo Rollouts',
    reconcile,
    ...options,
  });
  for (const cluster of clusters.values()) {
    const keyOf = (namespace: string | undefined, name: string) =>
      `${cluster.name}/${namespace}/${name}`;
    cluster.store.onChange(ref => {
      const { namespace, name } = ref;
      if (isRolloutRef(ref)) {
        changedAt.set(keyOf(namespace, name), clock.ticks());
        queue.add(keyOf(namespace, name));
      }
    });
    cluster.onFaultsChange(() =>
      cluster.store
        .list(ROLLOUTS.group, ROLLOUTS.resource)
        .forEach(({ metadata }) =>
          queue.add(keyOf(metadata.namespace, metadata.name)),
        ),
    );
  }
}
