import type {
  ArgoApplication,
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache, FleetEvent } from '../../fleet';
import { saysMessage } from '../../fleet/transforms';
import { objectKey } from '../../kubernetes/client';
import {
  clusterState,
  hubApplicationOf,
  isLocalCluster,
  isOrphan,
  isPullModel,
  owningApplicationSet,
  rollingSyncStep,
  targetCluster,
} from '../../model/delivery';
import { clusterFindings } from '../../model/findings';
import { sameJson } from '../../model/json';
import { applicationStatus, type StatusPlan } from '../../model/status';
import type { Controller } from '../../runtime';

/**
 * Milliseconds for which nothing of an ApplicationSet may have moved before the later steps of its progressive sync turn out of sync:
 * its controller changes Applications one after the other, and clusters report one after the other.
 */
const QUIET_MS = 1_000;
/** However much goes on, no later step waits for longer. */
const LONGEST_WAIT_MS = 60_000;
/** Milliseconds after which the earlier steps are looked at again. */
const ASK_AGAIN_MS = 100;

const NO_STATUS: StatusPlan = { awaited: false, turnsOutOfSync: false };

/** What a plan rests on, and what came of it. */
interface Planned {
  readonly inputs: readonly unknown[];
  readonly plan: StatusPlan;
}

/**
 * Brings what the clusters report home into the status of each pull-model Application on the hub, for whoever looks there: Argo CD's
 * progressive syncs above all. A key is a hub Application.
 */
export function createApplicationStatus(options: {
  readonly cache: FleetCache;
}): Controller {
  const { cache } = options;
  /** Of Applications as they are in the cache, until they need nothing. */
  const plans = new WeakMap<ArgoApplication, Planned>();
  /** Since when a key waits for the earlier steps. */
  const waiting = new Map<string, number>();
  /** When Applications of an ApplicationSet last changed or turned out of sync. */
  const movedAt = new Map<string, number>();
  const firstSteps = new Map<
    string,
    { readonly step: number; readonly until: number }
  >();

  function workOf(application: ArgoApplication): ManifestWork | undefined {
    return cache.works
      .by('hubApplication', objectKey(application.metadata))
      .find(work => !isOrphan(work, application));
  }

  function clusterOf(application: ArgoApplication) {
    const name = targetCluster(application) ?? '';
    return { name, managedCluster: cache.clusters.get(name) };
  }

  function inputsOf(
    application: ArgoApplication,
    key: string = objectKey(application.metadata),
  ) {
    const own: unknown[] = [application, clusterOf(application).managedCluster];
    // Without room to grow, which a spread would leave a lot of in each of these lists, and they are kept.
    return own.concat(cache.works.by('hubApplication', key));
  }

  function planOf(application: ArgoApplication): StatusPlan {
    const inputs = inputsOf(application);
    const known = plans.get(application);
    if (
      known?.inputs.length === inputs.length &&
      known.inputs.every((input, index) => input === inputs[index])
    ) {
      return known.plan;
    }
    const plan = newPlan(application);
    plans.set(application, { inputs, plan });
    return plan;
  }

  function newPlan(application: ArgoApplication): StatusPlan {
    const work = workOf(application);
    const { name, managedCluster } = clusterOf(application);
    return isOthers(application) ||
      // What the hub runs itself, its own Argo CD gives a status.
      (!work && managedCluster && isLocalCluster(managedCluster))
      ? NO_STATUS
      : applicationStatus(
          application,
          work,
          clusterState(name, managedCluster),
          saysMessage,
        );
  }

  function stepOf(application: ArgoApplication): number {
    const owner = owningApplicationSet(application);
    const set = owner && cache.applicationSets.get(objectKey(owner));
    return rollingSyncStep(set, application) ?? 0;
  }

  /** The earliest step with an Application that is still to turn out of sync; asked by every Application of the later ones. */
  function firstStepToTurn(
    set: string,
    now: number,
    isSettled: (key: string) => boolean,
  ): number {
    const known = firstSteps.get(set);
    if (known && now < known.until) {
      return known.step;
    }
    const step = cache.applications
      .by('applicationSet', set)
      .filter(
        application =>
          !isSettled(objectKey(application.metadata)) &&
          planOf(application).turnsOutOfSync,
      )
      .reduce((first, it) => Math.min(first, stepOf(it)), Infinity);
    firstSteps.set(set, { step, until: now + ASK_AGAIN_MS });
    return step;
  }

  /**
   * Milliseconds for which an Application must not turn out of sync yet; 0 where it may. Argo CD begins a step once every Application of
   * the steps before looks healthy, so these have to look out of sync first.
   */
  function waitOf(
    key: string,
    application: ArgoApplication,
    isSettled: (key: string) => boolean,
  ): number {
    const owner = owningApplicationSet(application);
    if (!owner || !planOf(application).turnsOutOfSync) {
      waiting.delete(key);
      return 0;
    }
    const set = objectKey(owner);
    const step = stepOf(application);
    const now = performance.now();
    if (!waiting.has(key)) {
      waiting.set(key, now);
      movedAt.set(set, now);
    }
    const longest = waiting.get(key)! + LONGEST_WAIT_MS - now;
    if (step > 0 && longest > 0) {
      const quiet = movedAt.get(set)! + QUIET_MS - now;
      if (quiet > 0 || firstStepToTurn(set, now, isSettled) < step) {
        return Math.max(quiet, ASK_AGAIN_MS);
      }
    }
    waiting.delete(key);
    return 0;
  }

  function findingsOf(
    application: ArgoApplication,
    { awaited }: StatusPlan,
  ): Finding[] {
    const { namespace, name } = application.metadata;
    return awaited
      ? [
          clusterFindings.statusAwaited(targetCluster(application) ?? '', {
            object: { kind: 'Application', namespace, name },
          }),
        ]
      : [];
  }

  return {
    name: 'applicationStatus',
    // The ApplicationSets for their steps.
    needs: ['applications', 'works', 'clusters', 'applicationSets'],
    debounceMs: 0,
    *listKeys() {
      for (const cluster of cache.applications.values('pullTarget')) {
        for (const key of cache.applications.keysBy('pullTarget', cluster)) {
          yield key;
        }
      }
    },
    *mapEventToKeys(change: FleetEvent) {
      switch (change.resource) {
        case 'applications': {
          const { key, before, after } = change;
          const owner = after && owningApplicationSet(after);
          if (before && owner && !sameJson(before.spec, after.spec)) {
            movedAt.set(objectKey(owner), performance.now());
          }
          yield key;
          break;
        }
        case 'works':
          for (const work of [change.before, change.after]) {
            const owner = work && hubApplicationOf(work);
            if (owner) {
              yield objectKey(owner);
            }
          }
          break;
        case 'clusters': {
          const { key, before, after } = change;
          const { stale, staleSince } = clusterState(key, before);
          const now = clusterState(key, after);
          if (now.stale !== stale || now.staleSince !== staleSince) {
            yield* cache.applications
              .by('pullTarget', key)
              .map(({ metadata }) => objectKey(metadata));
          }
          break;
        }
        default:
      }
    },
    dependencies(key) {
      const application = cache.applications.get(key);
      return application && !waiting.has(key)
        ? inputsOf(application, key)
        : undefined;
    },
    async reconcile(key, { writer, isUnchanged, lookAgain }) {
      const application = cache.applications.get(key);
      if (!application) {
        waiting.delete(key);
        return [];
      }
      const plan = planOf(application);
      const wait = waitOf(key, application, isUnchanged);
      if (wait > 0) {
        lookAgain(wait);
      } else if (plan.patch) {
        await writer.patch('applications', application, plan.patch);
      } else {
        // That it needs nothing is remembered elsewhere.
        plans.delete(application);
      }
      return findingsOf(application, plan);
    },
  };
}

function isOthers(application: ArgoApplication): boolean {
  return (
    !isPullModel(application) ||
    application.metadata.deletionTimestamp !== undefined
  );
}
