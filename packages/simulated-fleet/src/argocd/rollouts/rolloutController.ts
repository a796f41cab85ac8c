import { Rollout } from '../../kubernetes/rolloutTypes';
import { FleetLogger } from '../../logger';
import { Clock } from '../../runtime/clock';
import { createReconcileQueue } from '../../runtime/reconcileQueue';
import { SimulatedCluster } from '../../simulatedCluster';
import { applicationNameOf, isRolloutRef, ROLLOUTS } from './deployRollouts';
import { nextRolloutStatus } from './nextRolloutStatus';

/** Plays Argo Rollouts on all managed clusters. */
export function startRolloutControllers(options: {
  clusters: ReadonlyMap<string, SimulatedCluster>;
  rolloutStepMs: number;
  clock: Clock;
  logger: FleetLogger;
  signal: AbortSignal;
}): void {
  const { clusters, rolloutStepMs, clock } = options;
  // Keys are "<cluster>/<namespace>/<name>", times are the clock's ticks.
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
    if (cluster.trouble.apiServerDown) {
      return;
    }
    const { status, wakeAfterMs } = nextRolloutStatus(rollout, {
      stepMs: rolloutStepMs,
      elapsedMs: clock.ticks() - (changedAt.get(key) ?? 0),
      failure: cluster.environment.rolloutFailure(applicationNameOf(rollout)),
      now: cluster.now(),
    });
    if (wakeAfterMs !== undefined) {
      requeueAfter(wakeAfterMs);
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
    cluster.onTroubleChange(() =>
      cluster.store
        .list(ROLLOUTS.group, ROLLOUTS.resource)
        .forEach(({ metadata }) =>
          queue.add(keyOf(metadata.namespace, metadata.name)),
        ),
    );
  }
}
