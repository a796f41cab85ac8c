import type {
  ArgoApplication,
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, type HubChange } from '../hub';
import {
  applicationStatus,
  clusterState,
  findings,
  hubApplicationOf,
  isLocalCluster,
  isOrphan,
  isPullModel,
  owningApplicationSet,
  rollingSyncStep,
  targetCluster,
  type StatusPlan,
} from '../model';
import type { Controller } from './controller';
import type { FleetCache } from './fleetIndexes';

/**
 * Milliseconds after which the later steps of a progressive sync are looked at: the ApplicationSet controller changes Applications one
 * after the other, clusters report one after the other, and the first step must be known to be out of sync before the second is.
 */
const LATER_STEP_MS = 1_000;

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
  /** Of each Application as it is in the cache. */
  const plans = new WeakMap<ArgoApplication, Planned>();
  /** Keys that wait for an earlier step, by ApplicationSet. */
  const held = new Map<string, Set<string>>();

  function workOf(application: ArgoApplication): ManifestWork | undefined {
    return cache.works
      .by('hubApplication', objectKey(application.metadata))
      .find(work => !isOrphan(work, application));
  }

  function clusterOf(application: ArgoApplication) {
    const name = targetCluster(application) ?? '';
    return { name, managedCluster: cache.clusters.get(name) };
  }

  function inputsOf(application: ArgoApplication) {
    return [
      application,
      clusterOf(application).managedCluster,
      ...cache.works.by('hubApplication', objectKey(application.metadata)),
    ];
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
        );
  }

  function stepOf(application: ArgoApplication): number {
    const owner = owningApplicationSet(application);
    const set = owner && cache.applicationSets.get(objectKey(owner));
    return rollingSyncStep(set, application) ?? 0;
  }

  /** An Application of an earlier step that is still to turn out of sync; Argo CD would take its step for done, and begin this one. */
  function forerunnerOf(application: ArgoApplication) {
    const step = stepOf(application);
    const owner = owningApplicationSet(application);
    return step > 0 && owner && planOf(application).turnsOutOfSync
      ? cache.applications
          .by('applicationSet', objectKey(owner))
          .find(other => planOf(other).turnsOutOfSync && stepOf(other) < step)
      : undefined;
  }

  /** Keys of an Application's set that wait for an earlier step. */
  function heldWith(application: ArgoApplication): Set<string> {
    const owner = owningApplicationSet(application);
    const set = owner ? objectKey(owner) : '';
    const keys = held.get(set) ?? new Set();
    held.set(set, keys);
    return keys;
  }

  function findingsOf(
    application: ArgoApplication,
    { awaited }: StatusPlan,
  ): Finding[] {
    const { namespace, name } = application.metadata;
    return awaited
      ? [
          findings.statusAwaited(targetCluster(application) ?? '', {
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
    laterMs(key) {
      const application = cache.applications.get(key);
      return application && stepOf(application) > 0 ? LATER_STEP_MS : 0;
    },
    *allKeys() {
      for (const cluster of cache.applications.values('pulledTo')) {
        for (const { metadata } of cache.applications.by('pulledTo', cluster)) {
          yield objectKey(metadata);
        }
      }
    },
    *keysOf(change: HubChange) {
      switch (change.resource) {
        case 'applications': {
          const { key, before, after } = change;
          yield key;
          if (before && !after) {
            heldWith(before).delete(key);
          }
          const application = after ?? before;
          yield* application ? heldWith(application) : [];
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
              .by('pulledTo', key)
              .map(({ metadata }) => objectKey(metadata));
          }
          break;
        }
        default:
      }
    },
    inputs(key) {
      const application = cache.applications.get(key);
      return application && !heldWith(application).has(key)
        ? inputsOf(application)
        : undefined;
    },
    async reconcile(key, { writer }) {
      const application = cache.applications.get(key);
      if (!application) {
        return [];
      }
      const plan = planOf(application);
      if (forerunnerOf(application)) {
        heldWith(application).add(key);
        return findingsOf(application, plan);
      }
      heldWith(application).delete(key);
      if (plan.patch) {
        await writer.patch('applications', application, plan.patch);
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
