import type { ControllerRun } from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache } from '../fleet';
import type { Controller, ControllerMode } from './controller';
import { mostSevereFindings } from './controllerFindings';
import type { KeyReconciler } from './keyReconciler';
import type { PassResult } from './passLoop';

/** What the API shows of a controller on a hub. */
export interface RunStatus {
  setActive(isActive: boolean): void;
  setLastPass(pass: PassResult): void;
  /** Why the last run could not begin, or ended early. */
  lastRunError: string | undefined;
  current(): ControllerRun;
  /** Throws what is wrong at the end of a run, for the scheduler to record. */
  throwIfFailing(): void;
}

/** Creates the status of a controller that has not run yet. */
export function createRunStatus(options: {
  readonly controller: Controller;
  readonly cache: FleetCache;
  readonly mode: ControllerMode;
  readonly reconciler: KeyReconciler;
  readonly onChange: () => void;
}): RunStatus {
  const { controller, cache, mode, reconciler, onChange } = options;
  const { name, watches, hubChecks } = controller;
  const { hub } = cache;
  let active = false;
  let lastPass: Pick<ControllerRun, 'lastPassAt' | 'lastPassMs' | 'objects'> =
    {};
  let lastRunError: string | undefined;

  const notRunningReason = () =>
    cache.unsyncedReasons(watches.synced)[0] ?? lastRunError;

  return {
    setActive(isActive) {
      active = isActive;
      onChange();
    },
    setLastPass({ startedAt, tookMs, objects }) {
      lastPass = {
        lastPassAt: new Date(startedAt).toISOString(),
        lastPassMs: tookMs,
        objects,
      };
    },
    get lastRunError() {
      return lastRunError;
    },
    set lastRunError(error) {
      lastRunError = error;
    },
    current: () => ({
      controller: name,
      hub,
      mode,
      active,
      ...lastPass,
      writes: reconciler.writes,
      errors: reconciler.errors,
      lastError:
        (mode === 'off' ? undefined : notRunningReason()) ??
        reconciler.lastError,
      findings: mostSevereFindings([
        ...(hubChecks?.findings?.() ?? []),
        ...reconciler.findings(),
      ]),
    }),
    throwIfFailing() {
      const reason = notRunningReason();
      if (reason) {
        throw new Error(`${name} is not running: ${reason}`);
      }
      const { count, first } = reconciler.failing();
      if (count > 0) {
        throw new Error(
          `${name} failed for ${count} of hub "${hub}", first ${first}`,
        );
      }
    },
  };
}
