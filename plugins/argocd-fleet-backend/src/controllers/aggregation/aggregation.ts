import { setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  HOSTING_APPLICATION_SET_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type MulticlusterApplicationSetReport,
} from 'backstage-plugin-argocd-fleet-common';
import type {
  FleetCache,
  FleetReader,
  ResourceDetails,
  CompetingController,
} from '../../fleet';
import type { StoredReport } from '../../fleet/transforms';
import { parseKey, type KubernetesClient } from '../../kubernetes/client';
import {
  aggregateReport,
  reportPatch,
  rowOperations,
} from '../../model/report';
import type { Controller, ReconcileContext } from '../../runtime';
import {
  createReportContents,
  isSame,
  type KnownStatuses,
} from './reportContents';
import { createReportRows } from './reportRows';

/** Statuses of a set's clusters come in bursts. */
const DEBOUNCE_MS = 150;

/**
 * A report is always written whole, so that of a large set is not written at each change of one of its many clusters: milliseconds for
 * each row between two writes, and the most that it may be.
 */
const PAUSE_MS_PER_ROW = 2;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Keeps one MulticlusterApplicationSetReport for each ApplicationSet with pulled Applications. A key is an ApplicationSet, whether it
 * exists or only its report does.
 *
 * A report is removed only where it carries both labels that we give it: the ApplicationSet that it is about, and who made it. One
 * that RHACM made is taken over, label included, with the first change that it needs; until then it is not ours to remove.
 */
export function createAggregation(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly client: KubernetesClient;
  readonly rival: CompetingController;
  readonly further?: ResourceDetails;
}): Controller {
  const { cache, reader, client, rival, further } = options;
  const rows = createReportRows({ cache, reader });
  const contents = createReportContents({ client });
  const pausedUntil = new Map<string, number>();
  /** Number of the last change that concerned an ApplicationSet; a list of all that its report rests on would be long. */
  const lastChanges = new Map<string, number>();
  let changes = 0;
  const noteChanges = (keys: readonly string[]) => {
    for (const key of keys) {
      changes += 1;
      lastChanges.set(key, changes);
    }
  };
  cache.onChange(change => noteChanges(rows.changed(change)));
  const onFurtherChange = (listener: (keys: readonly string[]) => void) =>
    further?.onChange(applications =>
      listener(rows.changedApplications(applications)),
    ) ?? (() => {});
  onFurtherChange(noteChanges);

  function pause(key: string, length: number) {
    pausedUntil.set(
      key,
      performance.now() + Math.min(length * PAUSE_MS_PER_ROW, LONGEST_PAUSE_MS),
    );
  }

  /** Milliseconds that are left of it. */
  function pauseOf(key: string): number {
    return (pausedUntil.get(key) ?? 0) - performance.now();
  }

  let line = Promise.resolve();
  /** Of several large sets, one after the other: in between, timers and sockets have their turn. */
  async function ownTurn() {
    line = line.then(() => yieldToOthers());
    await line;
  }

  async function reconcile(
    key: string,
    { writer, signal, lookAgain }: ReconcileContext,
  ) {
    const wait = pauseOf(key);
    if (wait > 0) {
      lookAgain(wait);
      return [];
    }
    await ownTurn();
    const reported = await rows.of(key, ownTurn);
    const existing = cache.reports.get(key);
    if (reported.length === 0) {
      lastChanges.delete(key);
      pausedUntil.delete(key);
      contents.forget(key);
      if (existing && isOurs(existing)) {
        await writer.delete('reports', existing);
      }
      return [];
    }
    const desired = aggregateReport(parseKey(key), reported);
    let stored: MulticlusterApplicationSetReport | undefined;
    if (existing) {
      const patch = patchOf(
        existing,
        await contents.of(existing, signal),
        desired,
      );
      if (!patch) {
        return [];
      }
      stored = await writer.patch('reports', existing, patch);
    } else {
      stored = await writer.create('reports', withMark(desired));
    }
    // Nothing is in `observe` mode, and a pause would let it be forgotten that something is to be written.
    if (stored) {
      contents.wrote(stored, desired.statuses);
      pause(key, reported.length);
    }
    return [];
  }

  return {
    name: 'aggregation',
    needs: ['applicationSets', 'applications', 'works', 'clusters', 'reports'],
    debounceMs: DEBOUNCE_MS,
    prepare: ({ signal }) => rival.prepare(signal),
    writeBlockedBy: rival.blocksAggregation,
    findings: () => [rival.blocksAggregation() ?? []].flat(),
    onOutsideChange: onFurtherChange,
    *listKeys() {
      yield* cache.applications.values('applicationSet');
      yield* cache.reports.keys();
    },
    mapEventToKeys: rows.changed,
    dependencies: key =>
      pauseOf(key) > 0 ? undefined : [lastChanges.get(key)],
    reconcile,
  };
}

/** @param statuses - what it says; undefined where it is gone */
function patchOf(
  existing: StoredReport,
  statuses: KnownStatuses | undefined,
  desired: MulticlusterApplicationSetReport,
) {
  const patch =
    statuses && reportPatch({ ...existing, statuses }, desired, isSame);
  if (!patch) {
    return undefined;
  }
  return isOurs(existing)
    ? (rowOperations(patch, statuses, desired.statuses) ?? patch)
    : withMark(patch);
}

function isOurs({ metadata }: StoredReport): boolean {
  return (
    metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY &&
    metadata.labels[HOSTING_APPLICATION_SET_LABEL] !== undefined
  );
}

/** Marks a report, or a patch of one, as made by us. */
function withMark<T extends { readonly metadata?: unknown }>(object: T): T {
  const metadata = object.metadata as
    { readonly labels?: Readonly<Record<string, string>> } | undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, [MANAGED_BY_LABEL]: MANAGED_BY },
    },
  };
}
