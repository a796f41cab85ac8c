import { ServiceUnavailableError } from '@backstage/errors';
import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { raceWithAbort } from '../../async';
import {
  TakenOverError,
  type FleetRecords,
  type NamedChange,
} from '../../database';
import type {
  FleetCache,
  FleetReader,
  ResourceDetails,
  FleetEvent,
} from '../../fleet';
import { errorMessage, objectKey, parseKey } from '../../kubernetes/client';
import {
  clusterNameOf,
  clusterState,
  hubApplicationOf,
  isPullModel,
  owningApplicationSet,
} from '../../model/delivery';
import {
  applicationRecord,
  latestReport,
  recordChange,
  type KnownRecord,
} from '../../model/status';
import { clusterApplication, placementNameOf } from '../../model/views';
import type { Controller } from '../../runtime';
import { createGroupCommit } from './groupCommit';

/** Where a change has come from its cluster. */
export type StatusStage = 'hub' | 'database';

interface KeyedChange extends NamedChange {
  readonly key: string;
}

/**
 * Records the state of each Application of a hub, of all delivery models, and every transition of it, in the plugin's database. A key is
 * a hub Application, whether it exists or is only recorded. Nothing is written to the hub.
 */
export function createResourceSync(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly records: FleetRecords;
  readonly further?: ResourceDetails;
  /** Called for each change of which its cluster told the time: how long after it was seen here, and was stored; in seconds. */
  readonly onLag?: (to: StatusStage, seconds: number) => void;
}): Controller {
  const { cache, reader, records, further, onLag = () => {} } = options;
  const { hub } = cache;
  /** What the database has, by key; nothing of it counts unless it is `loaded`. */
  const known = new Map<string, KnownRecord>();
  let loaded = false;
  let epoch = 0;
  /** How often something new was told of a key; that is part of what a decision rests on. */
  const told = new Map<string, number>();
  // Also between runs: what is told then must not be passed over by the next one.
  further?.onChange(keys => keys.forEach(tell));

  function tell(key: string) {
    told.set(key, (told.get(key) ?? 0) + 1);
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

  /** Where it is not what was known, another replica has written, or a backup was restored: it is looked at again. */
  async function loadAll() {
    const own = epoch;
    const gone = new Set(known.keys());
    for await (const page of records.load(hub)) {
      if (epoch !== own) {
        return;
      }
      for (const [{ namespace, name }, record] of page) {
        // Joined, it is kept as one piece; there are many.
        const key = [namespace, name].join('/');
        gone.delete(key);
        const before = known.get(key);
        if (before && !isSame(before, record)) {
          tell(key);
        }
        known.set(key, record);
      }
    }
    if (epoch !== own) {
      return;
    }
    for (const key of gone) {
      known.delete(key);
      // Without an Application it is looked at in any case.
      if (cache.applications.get(key)) {
        tell(key);
      }
    }
    loaded = true;
  }

  function placementOf(application: ArgoApplication): string | undefined {
    const owner = owningApplicationSet(application);
    const set = owner && cache.applicationSets.get(objectKey(owner));
    return set && placementNameOf(set);
  }

  function isSelectedByDecision(
    namespace: string | undefined,
    name: string,
  ): boolean {
    const key = objectKey({ namespace, name });
    return cache.decisions.by('cluster', key).length > 0;
  }

  function changeOf(key: string): KeyedChange | undefined {
    const recordedAt = Date.now();
    const application = cache.applications.get(key);
    const before = known.get(key);
    if (!application) {
      return before && { key, ...parseKey(key), known: before, recordedAt };
    }
    const row = clusterApplication(
      reader.fleetApplication(application, placementOf(application)),
    );
    const record = applicationRecord(
      row,
      owningApplicationSet(application)?.name,
    );
    const change = recordChange(record, before, recordedAt);
    if (change) {
      return { key, ...parseKey(key), known: before, change, recordedAt };
    }
    const reportedAt = latestReport(record.columns);
    if (before && reportedAt > before.reportedAt) {
      // Told for what is recorded: it must not become the time of what comes next.
      known.set(key, { ...before, reportedAt });
    }
    return undefined;
  }

  /** Nobody else has written since the last run where the epoch is the one after ours. */
  async function takeOver(signal: AbortSignal) {
    await further?.refresh();
    // By then another replica may write: whom this one takes over from is refused.
    signal.throwIfAborted();
    const now = await records.takeOver(hub);
    signal.throwIfAborted();
    loaded &&= now === epoch + 1;
    epoch = now;
    // One from before may hang for ever, and what it has read may be as it was then.
    loading = undefined;
    await load();
  }

  /** Of what was known before only: the rest may be as old as it likes. */
  function tellLags(changes: readonly KeyedChange[]) {
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
    // Whether a write that failed was made after all, only the database knows.
    loaded = false;
    const after = await records.record(hub, own, changes);
    if (epoch !== own) {
      // The answer comes after the run that it was for; the next one has read what was stored.
      return;
    }
    loaded = true;
    tellLags(changes);
    changes.forEach(({ key }, index) => {
      const record = after[index];
      if (record) {
        known.set(key, record);
      } else {
        known.delete(key);
        told.delete(key);
      }
    });
  }

  const group = createGroupCommit({
    prepare: () => inDatabase(load()),
    recordOf: changeOf,
    commit: changes => inDatabase(commit(changes)),
  });

  return {
    name: 'resourceSync',
    needs: [
      'applications',
      'works',
      'clusters',
      'applicationSets',
      'decisions',
    ],
    debounceMs: 0,
    prepare({ signal }) {
      signal.addEventListener('abort', () => group.abandon(signal.reason), {
        once: true,
      });
      return raceWithAbort(inDatabase(takeOver(signal)), signal);
    },
    onOutsideChange: further?.onChange,
    *listKeys() {
      yield* cache.applications.keys();
      // Nearly all of them once more: to pass over those here would be one long turn, without any key after which others have theirs.
      yield* known.keys();
    },
    mapEventToKeys: change => applicationsConcernedBy(change, cache),
    dependencies(key) {
      const application = cache.applications.get(key);
      if (!application) {
        return undefined;
      }
      const cluster = clusterNameOf(application);
      const { namespace } = application.metadata;
      const placement = placementOf(application);
      const inputs: unknown[] = [application, placement, told.get(key)];
      // Joined and not spread: such lists have no room to grow, and they are kept.
      return isPullModel(application)
        ? inputs.concat(
            cache.works.by('hubApplication', key),
            reader.planDependencies(application),
          )
        : inputs.concat(
            cache.clusters.get(cluster),
            placement !== undefined && isSelectedByDecision(namespace, cluster),
          );
    },
    async reconcile(key) {
      await group.add(key);
      return [];
    },
  };
}

/** What a database says is no failure of a hub, and passes; so does that another replica writes. */
async function inDatabase(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const message = errorMessage(error);
    throw new ServiceUnavailableError(
      error instanceof TakenOverError
        ? message
        : `The database of the plugin failed: ${message}`,
      error,
    );
  }
}

function isSame(one: KnownRecord, other: KnownRecord): boolean {
  return (
    one.sequence === other.sequence &&
    one.columns === other.columns &&
    one.details === other.details
  );
}

/** What rests on a Placement or its decisions is left to the next pass: no cluster reports anything by that. */
function* applicationsConcernedBy(
  change: FleetEvent,
  cache: FleetCache,
): Generator<string> {
  switch (change.resource) {
    case 'applications':
      yield change.key;
      break;
    case 'works':
      for (const work of [change.before, change.after]) {
        const application = work && hubApplicationOf(work);
        if (application) {
          yield objectKey(application);
        }
      }
      break;
    case 'clusters': {
      const before = clusterState(change.key, change.before);
      const after = clusterState(change.key, change.after);
      if (
        before.stale !== after.stale ||
        before.staleSince !== after.staleSince
      ) {
        yield* cache.applications.keysBy('cluster', change.key);
      }
      break;
    }
    default:
  }
}
