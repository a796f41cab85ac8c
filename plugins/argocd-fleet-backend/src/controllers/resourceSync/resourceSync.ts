import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { raceWithAbort } from '../../async';
import {
  inDatabase,
  type FleetRecords,
  type NamedChange,
} from '../../database';
import {
  knownAgents,
  type FleetCache,
  type FleetReader,
  type ResourceDetails,
} from '../../fleet';
import { objectKey, parseKey } from '../../kubernetes/client';
import {
  clusterNameOf,
  deliveryModel,
  isOrphan,
  isPullModel,
  targetCluster,
  applicationSetReference,
  owningApplicationSet,
} from '../../model/delivery';
import { createResourceReader } from '../../model/feedback';
import {
  applicationRecord,
  isDue,
  latestReport,
  recordChange,
  type KnownRecord,
} from '../../model/status';
import { clusterApplication, placementNameOf } from '../../model/views';
import { objectOfKind, type Controller } from '../../runtime';
import { createGroupCommit } from './groupCommit';
import { resourceSyncWatches } from './resourceSyncWatches';

/** How far a change has come from its cluster. */
export type StatusStage = 'hub' | 'database';

interface KeyedChange extends NamedChange {
  readonly key: string;
}

/**
 * Records the state of each Application of a hub, of every delivery model, and its transitions in the plugin's database,
 * as far as the history has room for them. A key is a hub Application that exists or is only recorded. Nothing is
 * written to the hub.
 */
export function createResourceSync(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly records: FleetRecords;
  readonly details?: ResourceDetails;
  /**
   * Called for each change whose time the cluster reported: seconds until it was seen here, and until it was stored.
   */
  readonly onLag?: (to: StatusStage, seconds: number) => void;
  /** Whether other controllers have so many writes to make on this hub that recording waits for them. */
  readonly hasUrgentWork?: () => boolean;
}): Controller {
  const {
    cache,
    reader,
    records,
    details,
    onLag = () => {},
    hasUrgentWork,
  } = options;
  const { hub } = cache;
  const agents = knownAgents(cache);
  const resourcesIn = createResourceReader();
  /** What the database has, by key; valid only if `loaded`. */
  const known = new Map<string, KnownRecord>();
  let loaded = false;
  let epoch = 0;
  /** How often each key was invalidated; one of its dependencies. */
  const invalidations = new Map<string, number>();
  // Also between runs: the next run must not skip what was invalidated then.
  details?.onChange(keys => keys.forEach(invalidate));

  function invalidate(key: string) {
    invalidations.set(key, (invalidations.get(key) ?? 0) + 1);
  }

  let loading: Promise<void> | undefined;

  async function load() {
    if (!loaded) {
      const begun = (loading ??= loadAll());
      try {
        await begun;
      } finally {
        if (loading === begun) {
          loading = undefined;
        }
      }
    }
  }

  /**
   * A record that differs from the known one was written by another replica or comes from a restored backup: it is
   * reconciled again.
   */
  async function loadAll() {
    const own = epoch;
    const gone = new Set(known.keys());
    for await (const page of records.load(hub)) {
      if (epoch !== own) {
        return;
      }
      for (const [{ namespace, name }, record] of page) {
        // A joined string takes less memory than a concatenated one; there are many.
        const key = [namespace, name].join('/');
        gone.delete(key);
        const before = known.get(key);
        if (before && !isSame(before, record)) {
          invalidate(key);
        }
        known.set(key, record);
      }
    }
    if (epoch !== own) {
      return;
    }
    for (const key of gone) {
      known.delete(key);
      // A key without an Application is reconciled in any case.
      if (cache.applications.get(key)) {
        invalidate(key);
      }
    }
    loaded = true;
  }

  function placementOf(application: ArgoApplication): string | undefined {
    const owner = owningApplicationSet(application);
    const set = owner && cache.applicationSets.get(objectKey(owner));
    return set && placementNameOf(set);
  }

  function changeOf(key: string): KeyedChange | undefined {
    const recordedAt = Date.now();
    const application = cache.applications.get(key);
    const before = known.get(key);
    if (!application) {
      return before && { key, ...parseKey(key), known: before, recordedAt };
    }
    const input = reader.fleetApplication(
      application,
      placementOf(application),
    );
    if (application.unreadable || input.work?.unreadable) {
      // Its last known state stays.
      return undefined;
    }
    const row = clusterApplication(input, resourcesIn);
    const owner = applicationSetReference(application);
    const record = applicationRecord(row, owner?.name, owner?.uid);
    const change = recordChange(record, before, recordedAt);
    if (change) {
      return { key, ...parseKey(key), known: before, change, recordedAt };
    }
    const reportedAt = latestReport(record.columns);
    if (before && reportedAt > before.reportedAt) {
      // This time belongs to what is recorded: it must not become the time of the next transition.
      known.set(key, { ...before, reportedAt });
    }
    return undefined;
  }

  /** If the epoch is the one after ours, no other replica has written since the last run. */
  async function takeOver(signal: AbortSignal) {
    await details?.refresh();
    // Another replica may be writing by then: taking over would refuse its writes.
    signal.throwIfAborted();
    const now = await records.takeOver(hub);
    signal.throwIfAborted();
    loaded &&= now === epoch + 1;
    epoch = now;
    // A load of an earlier run may hang for ever, or return what was stored before.
    loading = undefined;
    await load();
  }

  /** Only of Applications that were recorded before: a first report may be of any age. */
  function reportLags(changes: readonly KeyedChange[]) {
    const storedAt = Date.now();
    for (const { known: before, change, recordedAt } of changes) {
      if (before && change && change.reportedAt > before.reportedAt) {
        const { reportedAt } = change;
        onLag('hub', Math.max(0, recordedAt - reportedAt) / 1000);
        onLag('database', Math.max(0, storedAt - reportedAt) / 1000);
      }
    }
  }

  async function commit(changes: readonly KeyedChange[]) {
    const own = epoch;
    // Only the database knows whether a write that failed was made after all.
    loaded = false;
    const after = await records.record(hub, own, changes);
    if (epoch !== own) {
      // The run has ended meanwhile; the next one has loaded what was stored.
      return;
    }
    loaded = true;
    reportLags(changes);
    changes.forEach(({ key }, index) => {
      const record = after[index];
      if (record) {
        known.set(key, record);
      } else {
        known.delete(key);
        invalidations.delete(key);
      }
    });
  }

  const group = createGroupCommit({
    prepare: () => inDatabase(load()),
    recordOf: changeOf,
    commit: changes => inDatabase(commit(changes)),
    hasUrgentWork,
  });

  return {
    name: 'resourceSync',
    watches: resourceSyncWatches(cache, details),
    failureContext: {
      objectOf: objectOfKind('Application'),
      // It writes nothing to the hub.
      rbacFile: 'read.yaml',
    },
    hubChecks: {
      prepare({ signal }) {
        signal.addEventListener('abort', () => group.abandon(signal.reason), {
          once: true,
        });
        return raceWithAbort(inDatabase(takeOver(signal)), signal);
      },
    },
    *listKeys() {
      yield* cache.applications.keys();
      // Nearly all of them a second time: skipping those here would block the event loop, as the pass yields only
      // between keys.
      yield* known.keys();
    },
    dependencies(key) {
      const application = cache.applications.get(key);
      if (!application) {
        return undefined;
      }
      const cluster = clusterNameOf(application, agents);
      const { namespace } = application.metadata;
      const placement = placementOf(application);
      const before = known.get(key);
      const inputs: unknown[] = [
        application,
        placement,
        invalidations.get(key),
        // A state that the history had no room for.
        before !== undefined && isDue(before, Date.now()),
      ];
      // A concatenated array has no spare capacity, unlike one built by spreading; it is kept in memory.
      const works = cache.works.by('hubApplication', key);
      return isPullModel(application)
        ? inputs.concat(
            works,
            reader.planDependencies(
              application,
              works.some(work => !isOrphan(work, application)),
            ),
          )
        : inputs.concat(
            // Of one that has left the pull model, the work may still be there.
            works,
            cache.clusters.get(targetCluster(application) ?? ''),
            cache.clusters.get(cluster),
            deliveryModel(application, agents),
            placement !== undefined &&
              reader.authorisation(namespace ?? '', cluster).verdict,
          );
    },
    async reconcile(key) {
      await group.add(key);
      return {};
    },
  };
}

function isSame(one: KnownRecord, other: KnownRecord): boolean {
  return (
    one.sequence === other.sequence &&
    one.columns === other.columns &&
    one.details === other.details
  );
}
