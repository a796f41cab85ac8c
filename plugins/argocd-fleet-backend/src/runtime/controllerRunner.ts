import type { LoggerService } from '@backstage/backend-plugin-api';
import type { ControllerRun } from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache } from '../fleet';
import { errorMessage, type KubernetesClient } from '../kubernetes/client';
import {
  mapEventToKeys,
  type Controller,
  type ControllerMode,
} from './controller';
import { NO_TELEMETRY, type ControllerTelemetry } from './controllerTelemetry';
import { createKeyReconciler } from './keyReconciler';
import { runKeyWorkers } from './keyWorkers';
import { createPassLoop } from './passLoop';
import { createRunDeadline, type RunDeadline } from './runDeadline';
import { createRunStatus } from './runStatus';
import { createWorkQueue } from './workQueue';

/** The timing of a controller's runs; milliseconds. */
export interface ControllerTiming {
  /** Between the starts of two full passes; by default it depends on the number of keys. */
  readonly fullPassEveryMs: number | undefined;
  /** Length of a run; the timeout of its task must be longer by `REQUEST_GRACE_MS`. */
  readonly runWindowMs: number;
}

/** Keys of one controller that are reconciled at once, if nothing else is configured. */
export const DEFAULT_CONCURRENCY = 10;

/** Writes a second from which on a controller is busy. */
const MANY_WRITES = 20;

/** Runs one controller on one hub. */
export interface ControllerRunner {
  readonly controller: string;
  readonly mode: ControllerMode;
  /**
   * One run: full passes at their interval, and keys of events in between, until the window ends or the signal is
   * aborted. Throws if at its end the required resources are not synced, it could not begin or was cut off, or a key
   * still fails; not if it was stopped on purpose.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Ends the current run once its writes under way have finished, so that its claim can be released; later runs end at
   * once.
   */
  stop(): Promise<void>;
  status(): ControllerRun;
  /** Keys that are due and wait for a worker. */
  readonly queued: number;
  /** Writes of about the last second. */
  readonly writesPerSecond: number;
  /** Whether keys wait for a worker, or many writes were made within the last second. */
  readonly isBusy: boolean;
}

/** Creates the runner; it remembers failures from one run to the next. */
export function createControllerRunner(options: {
  readonly controller: Controller;
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
  readonly mode: ControllerMode;
  readonly timing: ControllerTiming;
  /** Keys that are reconciled at once; {@link DEFAULT_CONCURRENCY} if left out. */
  readonly concurrency?: number;
  readonly logger: LoggerService;
  readonly telemetry?: ControllerTelemetry;
  /** Called when `status()` has changed in what is worth showing. */
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
  const status = createRunStatus({
    controller,
    cache,
    mode,
    reconciler,
    onChange: onStatusChange,
  });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function run(taskSignal: AbortSignal): Promise<void> {
    const deadline = createRunDeadline(
      taskSignal,
      stopping.signal,
      timing.runWindowMs,
    );
    const { signal } = deadline;
    const passes = createPassLoop({
      controller,
      reconciler,
      queue,
      everyMs: timing.fullPassEveryMs,
      waitForSync: until => cache.waitForSync(watches.synced, until),
      onPass(pass) {
        status.setLastPass(pass);
        telemetry.passed(pass.tookMs / 1000);
      },
    });
    let workers = Promise.resolve();
    status.setActive(true);
    const unsubscribe = enqueueEvents();
    try {
      await cache.waitForSync(watches.synced, signal);
      await prepare(deadline);
      // Only now: the decision about a key may depend on what the preparation found.
      workers = runKeyWorkers({
        queue,
        reconciler,
        concurrency,
        deadline,
        isSynced: () => cache.unsyncedReasons(watches.synced).length === 0,
        onDone: passes.onDone,
      });
      await passes.run(signal);
    } catch (error) {
      if (!signal.aborted) {
        status.lastRunError = errorMessage(error);
        throw error;
      }
    } finally {
      deadline.end();
      await workers;
      deadline.close();
      if (deadline.wasCutOff && !deadline.isStopped) {
        status.lastRunError ??= 'its requests did not end soon after the run';
      }
      unsubscribe();
      queue.clear();
      status.setActive(false);
    }
    if (!deadline.isStopped) {
      status.throwIfFailing();
    }
  }

  async function prepare(deadline: RunDeadline) {
    const { signal, requestSignal } = deadline;
    try {
      await hubChecks?.prepare?.({ signal: requestSignal, logger });
      signal.throwIfAborted();
      status.lastRunError = undefined;
    } catch (error) {
      if (!deadline.isStopped) {
        status.lastRunError = signal.aborted
          ? 'its preparation did not end within the run'
          : errorMessage(error);
      }
      throw error;
    }
  }

  /** Enqueues the keys of each event, until the returned function is called. */
  function enqueueEvents(): () => void {
    const enqueue = (keys: Iterable<string>) => {
      for (const key of keys) {
        const wait = reconciler.waitOf(key, 'change');
        queue.add(key, Math.max(wait, watches.debounceMs ?? 0));
      }
    };
    const unsubscribe = [
      cache.onChange(event => enqueue(mapEventToKeys(watches, event))),
      watches.onOutsideEvent?.(enqueue),
    ];
    return () => unsubscribe.forEach(each => each?.());
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
        // The caller of `run` handles it.
      });
      reconciler.flushLog();
    },
    get queued() {
      return queue.size;
    },
    get writesPerSecond() {
      return reconciler.writesPerSecond;
    },
    get isBusy() {
      return queue.size > 0 || reconciler.writesPerSecond >= MANY_WRITES;
    },
    status: status.current,
  };
}
