import { raceWithAbort, sleepUntilAborted } from '../async';
import type { Controller } from './controller';
import { startFullPass, type FullPass } from './fullPass';
import type { KeyReconciler } from './keyReconciler';
import type { WorkQueue } from './workQueue';

/** Milliseconds between two passes by default. */
const DEFAULT_EVERY_MS = 10_000;
/**
 * By default, passes over a large hub come less often, so that listing its keys takes at most this share of a core. They
 * are only for what no event reported.
 */
const MAX_SHARE = 0.005;

/** What a completed full pass found. */
export interface PassResult {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly tookMs: number;
  /** Keys that exist. */
  readonly objects: number;
}

/** The full passes of one run, at their interval. */
export interface PassLoop {
  /** Starts pass after pass; rejects when the signal is aborted. */
  run(signal: AbortSignal): Promise<never>;
  /**
   * To be called for each key that was taken from the queue; the next pass begins at once after one that could not be
   * reconciled.
   */
  onDone(key: string, isReconciled: boolean): void;
}

/**
 * Milliseconds between the starts of two passes.
 * @param everyMs - what is configured
 * @param busyMs - for which listing the keys of the last pass kept the event loop busy
 */
export function passInterval(
  everyMs: number | undefined,
  busyMs: number,
): number {
  return everyMs ?? Math.max(DEFAULT_EVERY_MS, busyMs / MAX_SHARE);
}

/** Creates the passes of one run. */
export function createPassLoop(options: {
  readonly controller: Pick<Controller, 'listKeys'>;
  readonly reconciler: KeyReconciler;
  readonly queue: WorkQueue;
  /** See {@link passInterval}. */
  readonly everyMs: number | undefined;
  /** Resolves when the resources that the controller needs are in the cache. */
  readonly waitForSync: (signal: AbortSignal) => Promise<void>;
  readonly onPass: (result: PassResult) => void;
}): PassLoop {
  const { controller, reconciler, queue, everyMs, waitForSync, onPass } =
    options;
  let pass: FullPass | undefined;
  let nextPassNow = new AbortController();

  /** Each key at least once. Keys that only the reconciler remembers are reconciled once more, and then forgotten. */
  function* allKeys() {
    // A plain loop: `yield*` is measurably slower.
    for (const key of controller.listKeys()) {
      yield key;
    }
    for (const key of reconciler.remembered()) {
      yield key;
    }
  }

  function startPass(reason: 'change' | 'pass', signal: AbortSignal): FullPass {
    const startedAt = Date.now();
    const { unchanged } = reconciler;
    const waiting = new Set<string>();
    unchanged.beginPass();
    return startFullPass({
      keys: allKeys(),
      skip(key) {
        if (reconciler.isUnchanged(key)) {
          return true;
        }
        const wait = reconciler.waitOf(key, reason);
        if (wait > 0) {
          waiting.add(key);
          // Its timer may be gone: it may have expired without synced caches, or belong to an earlier run.
          queue.add(key, wait);
        }
        return wait > 0;
      },
      enqueue: key => queue.add(key),
      signal,
      onListed: unchanged.endPass,
      onCompleted(queued) {
        let changed = 0;
        for (const key of queued) {
          changed += unchanged.has(key) ? 0 : 1;
        }
        onPass({
          startedAt,
          tookMs: Date.now() - startedAt,
          objects: unchanged.size + changed + waiting.size,
        });
      },
    });
  }

  return {
    async run(signal) {
      for (;;) {
        await waitForSync(signal);
        const startedAt = Date.now();
        // When the caches are synced again, a failed key is retried as after a change.
        const reason = nextPassNow.signal.aborted ? 'change' : 'pass';
        nextPassNow = new AbortController();
        pass = startPass(reason, signal);
        await raceWithAbort(pass.completed, signal);
        await sleepUntilAborted(
          startedAt + passInterval(everyMs, pass.busyMs) - Date.now(),
          AbortSignal.any([signal, nextPassNow.signal]),
        );
      }
    },
    onDone(key, isReconciled) {
      if (!isReconciled) {
        nextPassNow.abort();
      }
      pass?.finished(key, isReconciled);
    },
  };
}
