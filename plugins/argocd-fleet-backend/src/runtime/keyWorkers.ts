import { createYield } from '../async';
import type { KeyReconciler } from './keyReconciler';
import type { RunDeadline } from './runDeadline';
import type { WorkQueue } from './workQueue';

/** Reconciles the keys of the queue, several at once, until the run ends; resolves when the last key is done. */
export async function runKeyWorkers(options: {
  readonly queue: WorkQueue;
  readonly reconciler: Pick<KeyReconciler, 'reconcile'>;
  readonly concurrency: number;
  readonly deadline: RunDeadline;
  /** Whether the resources that the controller needs are in the cache; without them no key is reconciled. */
  readonly isSynced: () => boolean;
  /** Called for each key that was taken from the queue. */
  readonly onDone: (key: string, isReconciled: boolean) => void;
}): Promise<void> {
  const { queue, reconciler, concurrency, deadline, isSynced, onDone } =
    options;
  const { signal, requestSignal, notAfter } = deadline;
  const yieldSometimes = createYield();

  async function work() {
    for (;;) {
      // Before, not after: the event that added the key may have taken its time.
      const key = await queue.next(signal, yieldSometimes);
      if (key === undefined) {
        return;
      }
      const synced = isSynced();
      const requeueAfterMs = synced
        ? await reconciler.reconcile(key, requestSignal, notAfter)
        : undefined;
      queue.done(key);
      if (requeueAfterMs !== undefined) {
        queue.add(key, requeueAfterMs);
      }
      onDone(key, synced);
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work));
}
