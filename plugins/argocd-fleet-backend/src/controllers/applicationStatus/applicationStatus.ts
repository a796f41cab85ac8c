import type {
  ArgoApplication,
  Finding,
  ManifestWork,
  ClusterState,
} from 'backstage-plugin-argocd-fleet-common';
import type { EventOf, FleetCache } from '../../fleet';
import { saysMessage } from '../../fleet/transforms';
import { objectKey } from '../../kubernetes/client';
import {
  clusterState,
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
import { pastCluster } from '../../model/views';
import {
  createRewriteDamper,
  objectOfKind,
  undoneFinding,
  type Controller,
  type ReconcileResult,
} from '../../runtime';
import { applicationStatusWatches } from './applicationStatusWatches';

/**
 * Milliseconds without any change of an ApplicationSet's Applications before the later steps of its progressive sync
 * turn out of sync: its controller changes Applications one after the other, and clusters report one after the other.
 */
const QUIET_MS = 1_000;
/** No later step waits for longer, however much changes. */
const LONGEST_WAIT_MS = 60_000;
/** Milliseconds after which the earlier steps are checked again. */
const RECHECK_MS = 100;

const NO_STATUS: StatusPlan = { awaited: false, turnsOutOfSync: false };

/** A plan and what it depends on. */
interface Planned {
  readonly dependencies: readonly unknown[];
  readonly plan: StatusPlan;
}

/**
 * Writes what the clusters report into the status of each pull-model Application on the hub, mainly for Argo CD's
 * progressive syncs. A key is a hub Application.
 */
export function createApplicationStatus(options: {
  readonly cache: FleetCache;
  /** As configured: works that propagation makes have the default namespace. */
  readonly defaultDestinationNamespace: boolean;
}): Controller {
  const { cache, defaultDestinationNamespace } = options;
  /** By the Application as it is in the cache; dropped once it needs nothing. */
  const plans = new WeakMap<ArgoApplication, Planned>();
  const damper = createRewriteDamper();
  /** When a key began to wait for the earlier steps. */
  const waiting = new Map<string, number>();
  /** When Applications of an ApplicationSet last changed or turned out of sync. */
  const movedAt = new Map<string, number>();
  const firstSteps = new Map<
    string,
    { readonly step: number; readonly until: number }
  >();

  function noteSpecChange({ before, after }: EventOf<'applications'>) {
    const owner = after && owningApplicationSet(after);
    if (before && owner && !sameJson(before.spec, after.spec)) {
      movedAt.set(objectKey(owner), performance.now());
    }
  }

  function workOf(application: ArgoApplication): ManifestWork | undefined {
    return cache.works
      .by('hubApplication', objectKey(application.metadata))
      .find(work => !isOrphan(work, application));
  }

  function clusterOf(application: ArgoApplication) {
    const name = targetCluster(application) ?? '';
    return { name, managedCluster: cache.clusters.get(name) };
  }

  function dependenciesOf(
    application: ArgoApplication,
    key: string = objectKey(application.metadata),
  ) {
    const own: unknown[] = [application, clusterOf(application).managedCluster];
    // A concatenated array has no spare capacity, unlike one built by spreading; it is kept in memory.
    return own.concat(cache.works.by('hubApplication', key));
  }

  function planOf(application: ArgoApplication): StatusPlan {
    const dependencies = dependenciesOf(application);
    const known = plans.get(application);
    if (
      known?.dependencies.length === dependencies.length &&
      known.dependencies.every((it, index) => it === dependencies[index])
    ) {
      return known.plan;
    }
    const plan = newPlan(application);
    plans.set(application, { dependencies, plan });
    return plan;
  }

  function newPlan(application: ArgoApplication): StatusPlan {
    const work = workOf(application);
    const { name, managedCluster } = clusterOf(application);
    return isExcluded(application) ||
      // What is not known is not a status.
      [application, work, setOf(application)].some(it => it?.unreadable) ||
      // The hub's own Argo CD writes the status of what the hub runs itself.
      (!work && managedCluster && isLocalCluster(managedCluster))
      ? NO_STATUS
      : applicationStatus(
          application,
          work,
          withoutFuture(clusterState(name, managedCluster)),
          {
            sameMessage: saysMessage,
            now: Date.now(),
            defaultDestinationNamespace,
          },
        );
  }

  function stepOf(application: ArgoApplication): number {
    return rollingSyncStep(setOf(application), application) ?? 0;
  }

  function setOf(application: ArgoApplication) {
    const owner = owningApplicationSet(application);
    return owner && cache.applicationSets.get(objectKey(owner));
  }

  /**
   * The earliest step with an Application that has yet to turn out of sync; kept, as every Application of the later
   * steps needs it.
   */
  function firstStepToTurn(
    set: string,
    now: number,
    isUnchanged: (key: string) => boolean,
  ): number {
    const known = firstSteps.get(set);
    if (known && now < known.until) {
      return known.step;
    }
    const step = cache.applications
      .by('applicationSet', set)
      .filter(
        application =>
          !isUnchanged(objectKey(application.metadata)) &&
          planOf(application).turnsOutOfSync,
      )
      .reduce((first, it) => Math.min(first, stepOf(it)), Infinity);
    firstSteps.set(set, { step, until: now + RECHECK_MS });
    return step;
  }

  /**
   * Milliseconds during which an Application must not turn out of sync yet; 0 if it may. Argo CD begins a step once
   * every Application of the earlier steps is healthy, so these must turn out of sync first.
   */
  function waitOf(
    key: string,
    application: ArgoApplication,
    isUnchanged: (key: string) => boolean,
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
      if (quiet > 0 || firstStepToTurn(set, now, isUnchanged) < step) {
        return Math.max(quiet, RECHECK_MS);
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
    watches: applicationStatusWatches(cache, noteSpecChange),
    failureContext: {
      objectOf: objectOfKind('Application'),
      rbacFile: 'application-status.yaml',
    },
    hubChecks: {
      findings: () =>
        undoneFinding(
          cache.hub,
          { kind: 'Application', part: 'status' },
          damper.contested(),
        ),
    },
    *listKeys() {
      for (const cluster of cache.applications.values('pullTarget')) {
        for (const key of cache.applications.keysBy('pullTarget', cluster)) {
          yield key;
        }
      }
    },
    dependencies(key) {
      const application = cache.applications.get(key);
      return application && !waiting.has(key) && !damper.isWaiting(key)
        ? dependenciesOf(application, key)
        : undefined;
    },
    async reconcile(key, { writer, isUnchanged }): Promise<ReconcileResult> {
      const application = cache.applications.get(key);
      if (!application) {
        waiting.delete(key);
        return {};
      }
      const plan = planOf(application);
      const found = findingsOf(application, plan);
      const wait = waitOf(key, application, isUnchanged);
      if (wait > 0) {
        return { findings: found, requeueAfterMs: wait };
      }
      const { patch, content = '' } = plan;
      if (!patch) {
        // The runner remembers that it needs nothing.
        plans.delete(application);
        return { findings: found };
      }
      const { waitMs } = await damper.write(
        key,
        content,
        () => writer.patch('applications', application, patch),
        application.statusWriter,
      );
      return {
        findings: found,
        ...(waitMs > 0 && { requeueAfterMs: waitMs }),
      };
    },
  };
}

function isExcluded(application: ArgoApplication): boolean {
  return (
    !isPullModel(application) ||
    application.metadata.deletionTimestamp !== undefined
  );
}

/** The clock of a cluster may be ahead: a time in the future is left out, as the present would differ in each pass. */
function withoutFuture(cluster: ClusterState): ClusterState {
  return pastCluster(cluster, Date.now()) === cluster
    ? cluster
    : { ...cluster, staleSince: undefined };
}
