import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache } from '../fleet';
import {
  errorMessage,
  isKubernetesError,
  type KubernetesClient,
} from '../kubernetes/client';
import type { Controller, ControllerMode } from './controller';
import { failureFinding, withheldFinding } from './controllerFindings';
import type { ControllerTelemetry, WorkResult } from './controllerTelemetry';
import {
  createHubWriter,
  createWithheldWriter,
  type HubWriter,
} from './hubWriter';
import { createForbiddenKeys } from './forbiddenKeys';
import { createRate } from './rate';
import { createReconcileLog } from './reconcileLog';
import { retryOf, type Retry } from './retryPolicy';
import { createUnchangedKeys, type UnchangedKeys } from './unchangedKeys';

interface Failure {
  readonly attempts: number;
  readonly error: unknown;
  readonly retry: Retry;
  /** Milliseconds of the process's monotonic clock: the system clock may be adjusted meanwhile. */
  readonly notBefore: number;
}

/** Reconciles single keys of a controller, and remembers the outcome of each. */
export interface KeyReconciler {
  /** Resolves with the milliseconds after which the key is to be requeued, if it is. Never rejects. */
  reconcile(
    key: string,
    signal: AbortSignal,
    /** No write is sent from then on; milliseconds since the epoch. */
    notAfter: number,
  ): Promise<number | undefined>;
  /** Milliseconds for which a key still has to wait after a failure; 0 for one that did not fail. */
  waitOf(key: string, reason: 'change' | 'pass'): number;
  /** Keys with a remembered finding, withheld write or failure, whether they still exist or not. */
  remembered(): Iterable<string>;
  /** Whether a full pass can skip the key: it needed nothing, and its dependencies are the same. */
  isUnchanged(key: string): boolean;
  /** The keys that full passes can skip. */
  readonly unchanged: Pick<
    UnchangedKeys,
    'size' | 'has' | 'beginPass' | 'endPass'
  >;
  /** How many keys fail now, and why the first of them does. */
  failing(): { readonly count: number; readonly first?: string };
  findings(): Finding[];
  /** Writes that the hub accepted. */
  readonly writes: number;
  /** Writes of about the last second. */
  readonly writesPerSecond: number;
  /** Failures, except those that are expected once. */
  readonly errors: number;
  readonly lastError?: string;
  /** Logs the counts of what no summary has counted yet. */
  flushLog(): void;
}

const NONE: readonly Finding[] = [];

/** Creates the reconciler of one controller on one hub. */
export function createKeyReconciler(options: {
  readonly controller: Controller;
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
  readonly mode: ControllerMode;
  readonly logger: LoggerService;
  readonly telemetry: ControllerTelemetry;
  /** Called when `findings()` has changed. */
  readonly onFindingsChange: () => void;
  /** Called for a failed key that need not wait any longer. */
  readonly onRelease: (key: string) => void;
}): KeyReconciler {
  const { controller, cache, client, mode, logger, telemetry } = options;
  const { hub } = cache;
  const failures = new Map<string, Failure>();
  const findings = new Map<string, readonly Finding[]>();
  const withheld = new Map<string, readonly string[]>();
  const unchanged = createUnchangedKeys();
  const forbiddenKeys = createForbiddenKeys();
  const log = createReconcileLog(logger);
  const writeRate = createRate();
  let writes = 0;
  let errors = 0;
  let lastError: string | undefined;

  function remember<V>(
    memory: Map<string, readonly V[]>,
    key: string,
    values: readonly V[],
  ) {
    const had = memory.get(key);
    if (values.length > 0) {
      memory.set(key, values);
    } else if (!memory.delete(key)) {
      return;
    }
    if (JSON.stringify(had) !== JSON.stringify(values)) {
      options.onFindingsChange();
    }
  }

  function writerFor(
    key: string,
    signal: AbortSignal,
    notAfter: number,
    onAttempt: () => void,
    onWithheld: (write: string) => void,
  ): HubWriter {
    return mode === 'manage' && !controller.hubChecks?.writeBlockedBy?.(key)
      ? createHubWriter({
          client,
          cache,
          signal,
          notAfter,
          onAttempt,
          onWrite(verb, { kind, plural }, object) {
            writes += 1;
            writeRate.add();
            telemetry.wrote(verb, plural);
            log.wrote(verb, kind, object);
          },
        })
      : createWithheldWriter(onWithheld);
  }

  function failed(key: string, error: unknown): number {
    const attempts = (failures.get(key)?.attempts ?? 0) + 1;
    const retry = retryOf(error, attempts, Math.random());
    const afterMs = isKubernetesError(error, 'forbidden')
      ? forbiddenKeys.add(key, retry.afterMs)
      : retry.afterMs;
    const notBefore = performance.now() + afterMs;
    failures.set(key, { attempts, error, retry, notBefore });
    telemetry.retrying(isKubernetesError(error) ? error.kind : 'other');
    if (!retry.expected) {
      errors += 1;
      lastError = errorMessage(error);
      remember(findings, key, [failureFinding(controller, hub, key, error)]);
      log.failed(`${controller.name} of ${key} failed: ${lastError}`, {
        key,
        attempts,
        retryInMs: Math.round(afterMs),
      });
    }
    return afterMs;
  }

  function release(key: string) {
    const failure = failures.get(key);
    if (failure) {
      failures.set(key, { ...failure, notBefore: 0 });
      options.onRelease(key);
    }
  }

  function isUnchanged(
    key: string,
    check: UnchangedKeys['holds' | 'confirm'],
  ): boolean {
    try {
      return (
        controller.dependencies !== undefined &&
        check(key, controller.dependencies)
      );
    } catch {
      // The reconcile of the key fails in the same way, and reports it.
      return false;
    }
  }

  return {
    async reconcile(key, signal, notAfter) {
      const notWritten: string[] = [];
      let attempts = 0;
      const writer = writerFor(
        key,
        signal,
        notAfter,
        () => {
          attempts += 1;
        },
        write => notWritten.push(write),
      );
      const startedAt = performance.now();
      const worked = (result: WorkResult) =>
        telemetry.worked(result, (performance.now() - startedAt) / 1000);
      unchanged.delete(key);
      try {
        // Read before the reconcile: after a change meanwhile, the next pass finds other dependencies.
        const dependencies = controller.dependencies?.(key);
        const result = await telemetry.span(key, () =>
          controller.reconcile(key, {
            writer,
            signal,
            logger,
            isUnchanged: other => isUnchanged(other, unchanged.holds),
          }),
        );
        failures.delete(key);
        if (failures.size === 0) {
          lastError = undefined;
        }
        remember(findings, key, result.findings ?? NONE);
        remember(withheld, key, notWritten);
        // Writes withheld because of `writeBlockedBy` are made once it blocks no longer.
        const mayWriteLater = mode === 'manage' && notWritten.length > 0;
        if (dependencies && attempts === 0 && !mayWriteLater) {
          unchanged.set(key, dependencies);
        }
        forbiddenKeys.remove(key, attempts > 0).forEach(release);
        worked(attempts > 0 ? 'written' : 'unchanged');
        return result.requeueAfterMs;
      } catch (error) {
        if (signal.aborted || isKubernetesError(error, 'aborted')) {
          return undefined;
        }
        worked('failed');
        if (!isKubernetesError(error, 'forbidden')) {
          forbiddenKeys.remove(key, false).forEach(release);
        }
        return failed(key, error);
      }
    },
    waitOf(key, reason) {
      const failure = failures.get(key);
      return !failure || (reason === 'change' && failure.retry.onChange)
        ? 0
        : Math.max(0, failure.notBefore - performance.now());
    },
    *remembered() {
      yield* findings.keys();
      yield* withheld.keys();
      yield* failures.keys();
    },
    isUnchanged: key => isUnchanged(key, unchanged.confirm),
    unchanged,
    failing() {
      const [first] = failures;
      return {
        count: failures.size,
        first: first && `${first[0]}: ${errorMessage(first[1].error)}`,
      };
    },
    findings: () => [
      ...[...findings.values()].flat(),
      ...withheldFinding(controller.name, hub, [...withheld.values()].flat()),
    ],
    get writes() {
      return writes;
    },
    get writesPerSecond() {
      return writeRate.perSecond();
    },
    get errors() {
      return errors;
    },
    get lastError() {
      return lastError;
    },
    flushLog: log.flush,
  };
}
