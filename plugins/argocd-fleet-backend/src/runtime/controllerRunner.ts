import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { ControllerRun } from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache } from '../fleet';
import { errorMessage, type KubernetesClient } from '../kubernetes/client';
import {
  mapEventToKeys,
  type Controller,
  type ControllerMode,
} from './controller';
import { worstFindings } from './controllerFindings';
import { NO_TELEMETRY, type ControllerTelemetry } from './controllerTelemetry';
import { pause, startFullPass, type FullPass } from './fullPass';
import { createKeyReconciler } from './keyReconciler';
import { createWorkQueue } from './workQueue';

/** When a controller does what; milliseconds. */
export interface ControllerTiming {
  /** Between the starts of two full passes. */
  readonly fullPassEveryMs: number;
  /** A run ends after so long; its task's timeout must be longer by {@link REQUEST_GRACE_MS}. */
  readonly runWindowMs: number;
}

/** After the end of a run's window, requests under way have so long to finish before they are cut off. */
export const REQUEST_GRACE_MS = 8_000;

/** Keys of one controller that are worked on at once, where nothing else is configured. */
export const DEFAULT_CONCURRENCY = 10;
/** Keys after which a worker lets timers and sockets have their turn. */
const KEYS_PER_TURN = 50;

/** Runs one controller on one hub. */
export interface ControllerRunner {
  readonly controller: string;
  readonly mode: ControllerMode;
  /**
   * One run: full passes at their interval, and changes at once in between, until the window ends or the signal is aborted.
   * Throws where the caches it needs are not there at its end, it could not begin or was cut off, or some key still fails; not where it
   * was stopped on purpose.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Ends the run under way, once what is being written has been, so that its claim can be let go; later runs end at once. */
  stop(): Promise<void>;
  status(): ControllerRun;
  /** Keys that could be worked on now and have to wait. */
  readonly queued: number;
}

/** Creates the runner; its memory of failures outlives single runs. */
export function createControllerRunner(options: {
  readonly controller: Controller;
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
  readonly mode: ControllerMode;
  readonly timing: ControllerTiming;
  /** Keys that are worked on at once; {@link DEFAULT_CONCURRENCY} if it is left out. */
  readonly concurrency?: number;
  readonly logger: LoggerService;
  readonly telemetry?: ControllerTelemetry;
  /** Called when `status()` has something new worth showing. */
  readonly onStatusChange?: () => void;
}): ControllerRunner {
  const {
    controller,
    cache,
    client,
    mode,
    timing,
    concurrency = DEFAULT_CONCURRENCY,
    logger,
    telemetry = NO_TELEMETRY,
    onStatusChange = () => {},
  } = options;
  const { hub } = cache;
  const { watches, hubChecks } = controller;
  const queue = createWorkQueue();
  const reconciler = createKeyReconciler({
    controller,
    cache,
    client,
    mode,
    logger,
    telemetry,
    onFindingsChange: onStatusChange,
    onRelease: key => queue.add(key),
  });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let active = false;
  let lastPass: Pick<ControllerRun, 'lastPassAt' | 'lastPassMs' | 'objects'> =
    {};

  /** Why the last run could not begin, or had to be cut off. */
  let hindrance: string | undefined;

  const missing = (): string | undefined =>
    cache.unsyncedReasons(watches.synced)[0];

  async function run(taskSignal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const signal = AbortSignal.any([
      taskSignal,
      stopping.signal,
      ended.signal,
      AbortSignal.timeout(timing.runWindowMs),
    ]);
    const cutOff = new AbortController();
    const notAfter = Date.now() + timing.runWindowMs + REQUEST_GRACE_MS;
    // A task's claim on its hub ends with its timeout: no request may outlive it, another replica may write by then.
    const requestSignal = AbortSignal.any([taskSignal, cutOff.signal]);
    let grace: NodeJS.Timeout | undefined;
    signal.addEventListener(
      'abort',
      () => {
        grace = setTimeout(() => cutOff.abort(), REQUEST_GRACE_MS);
      },
      { once: true },
    );
    const isStopped = () => taskSignal.aborted || stopping.signal.aborted;
    let pass: FullPass | undefined;
    let passSoon = new AbortController();

    async function work() {
      for (let worked = 1; ; worked += 1) {
        const key = await queue.next(signal);
        if (key === undefined) {
          return;
        }
        const blind = missing() !== undefined;
        if (blind) {
          // Without its caches a controller knows nothing; the pass that follows their return looks at every key again.
          passSoon.abort();
          queue.done(key);
        } else {
          const retryInMs = await reconciler.reconcile(
            key,
            requestSignal,
            notAfter,
          );
          queue.done(key);
          if (retryInMs !== undefined) {
            queue.add(key, retryInMs);
          }
        }
        pass?.finished(key, !blind);
        if (worked % KEYS_PER_TURN === 0) {
          await yieldToOthers();
        }
      }
    }

    const workers: Promise<void>[] = [];

    async function prepare() {
      try {
        await hubChecks?.prepare?.({ signal: requestSignal, logger });
        signal.throwIfAborted();
        hindrance = undefined;
      } catch (error) {
        if (!isStopped()) {
          hindrance = signal.aborted
            ? 'its preparation did not end within the run'
            : errorMessage(error);
        }
        throw error;
      }
    }

    async function passForever() {
      await cache.waitForSync(watches.synced, signal);
      await prepare();
      // Not before: what a change asks for may depend on what the preparation found.
      workers.push(...Array.from({ length: concurrency }, work));
      while (!signal.aborted) {
        await cache.waitForSync(watches.synced, signal);
        const startedAt = Date.now();
        // For a key that waits after a failure, it is a change that there is something to see again.
        const reason = passSoon.signal.aborted ? 'change' : 'pass';
        passSoon = new AbortController();
        pass = startPass(reason, signal);
        await Promise.race([pass.completed, pause(undefined, signal)]);
        await pause(
          startedAt + timing.fullPassEveryMs - Date.now(),
          signal,
          passSoon.signal,
        );
      }
    }

    active = true;
    onStatusChange();
    const look = (keys: Iterable<string>) => {
      for (const key of keys) {
        const wait = reconciler.waitOf(key, 'change');
        queue.add(key, Math.max(wait, watches.debounceMs ?? 0));
      }
    };
    const unsubscribe = [
      cache.onChange(change => look(mapEventToKeys(watches, change))),
      watches.onOutsideEvent?.(look),
    ];
    try {
      await passForever().catch(error => {
        if (!signal.aborted) {
          throw error;
        }
      });
    } finally {
      ended.abort();
      await Promise.all(workers);
      clearTimeout(grace);
      if (cutOff.signal.aborted && !isStopped()) {
        hindrance ??= 'what it had begun did not end soon after the run';
      }
      unsubscribe.forEach(each => each?.());
      queue.clear();
      active = false;
      onStatusChange();
    }
    if (!isStopped()) {
      throwWhereFailed();
    }
  }

  function startPass(reason: 'change' | 'pass', signal: AbortSignal): FullPass {
    const startedAt = Date.now();
    const { settled } = reconciler;
    const waiting = new Set<string>();
    settled.beginPass();
    return startFullPass({
      keys: everyKey(),
      skip(key) {
        if (reconciler.isSettled(key)) {
          return true;
        }
        const wait = reconciler.waitOf(key, reason);
        if (wait > 0) {
          waiting.add(key);
          // It may wait no longer: its time may have come while there was nothing to see, or the run may have ended in which it failed.
          queue.add(key, wait);
        }
        return wait > 0;
      },
      enqueue: key => queue.add(key),
      signal,
      onNamed: settled.endPass,
      onCompleted(queued) {
        const unsettled = [...queued].filter(key => !settled.has(key));
        lastPass = {
          lastPassAt: new Date(startedAt).toISOString(),
          lastPassMs: Date.now() - startedAt,
          objects: settled.size + unsettled.length + waiting.size,
        };
        telemetry.passed((Date.now() - startedAt) / 1000);
      },
    });
  }

  /** Each at least once. What is left of an object that is gone is looked at once more, and then forgotten. */
  function* everyKey() {
    // Not by `yield*`, which asks each time whether there is anybody else to ask.
    for (const key of controller.listKeys()) {
      yield key;
    }
    for (const key of reconciler.remembered()) {
      yield key;
    }
  }

  /** Has the scheduler record what is wrong at the end of a run. */
  function throwWhereFailed() {
    const complaint = missing() ?? hindrance;
    if (complaint) {
      throw new Error(`${controller.name} stands still: ${complaint}`);
    }
    const { count, first } = reconciler.failing();
    if (count > 0) {
      throw new Error(
        `${controller.name} failed for ${count} of hub "${hub}", first ${first}`,
      );
    }
  }

  return {
    controller: controller.name,
    mode,
    async run(taskSignal) {
      if (stopping.signal.aborted) {
        return;
      }
      running = run(taskSignal);
      await running;
    },
    async stop() {
      stopping.abort();
      await running?.catch(() => {
        // Whoever started the run is told.
      });
    },
    get queued() {
      return queue.size;
    },
    status: () => ({
      controller: controller.name,
      hub,
      mode,
      active,
      ...lastPass,
      writes: reconciler.writes,
      errors: reconciler.errors,
      lastError:
        (mode === 'off' ? undefined : (missing() ?? hindrance)) ??
        reconciler.lastError,
      findings: worstFindings([
        ...(hubChecks?.findings?.() ?? []),
        ...reconciler.findings(),
      ]),
    }),
  };
}
