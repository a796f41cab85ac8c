import { setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  HOSTING_APPLICATION_SET_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type ArgoApplication,
  type ManagedCluster,
  type ManifestWork,
  type MulticlusterApplicationSetReport,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { hasContent, objectKey, type HubChange } from '../hub';
import {
  aggregateReport,
  clusterNameOf,
  hubApplicationOf,
  isLocalCluster,
  isPullModel,
  owningApplicationSet,
  reportPatch,
  reportRow,
  sameJson,
  stateOf,
  type ReportRow,
  type SourcedDetails,
} from '../model';
import type { Controller, ReconcileContext } from './controller';
import type { FleetCache } from './fleetIndexes';
import { parseKey, type FleetReader } from './fleetReader';
import type { FurtherDetails } from './resourceSync';

/** Statuses of a set's clusters come in bursts. */
const DEBOUNCE_MS = 150;

/**
 * A report is always written whole, so that of a large set is not written at each change of one of its many clusters: milliseconds for
 * each row between two writes, and the most that it may be.
 */
const PAUSE_MS_PER_ROW = 2;
const LONGEST_PAUSE_MS = 10_000;

/** The row of an Application, and what it was made from. */
interface MadeRow {
  readonly application: ArgoApplication;
  readonly work: ManifestWork | undefined;
  readonly sourced: readonly SourcedDetails[] | undefined;
  readonly row: ReportRow;
}

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
  readonly further?: FurtherDetails;
}): Controller {
  const { cache, reader, further } = options;
  /** By ApplicationSet, then by Application. */
  const madeRows = new Map<string, ReadonlyMap<string, MadeRow>>();
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
  cache.onChange(change => noteChanges(reportsConcernedBy(change, cache)));
  const onFurtherChange = (listener: (keys: readonly string[]) => void) =>
    further?.onChange(applications =>
      listener(ownersOf(applications.map(key => cache.applications.get(key)))),
    ) ?? (() => {});
  onFurtherChange(noteChanges);

  /** Each Application that did not change keeps the row that it had. */
  function rowsOf(key: string): ReportRow[] {
    const applicationSet = cache.applicationSets.get(key);
    const before = madeRows.get(key);
    const made = new Map<string, MadeRow>();
    const applications = applicationSet
      ? reader.applicationsOf(applicationSet)
      : [];
    for (const application of applications.filter(isPullModel)) {
      const work = reader.workOf(application);
      const sourced = reader.sourcedOf(application);
      if (work || !reader.isExcluded(application)) {
        const { name } = application.metadata;
        const known = before?.get(name);
        made.set(
          name,
          known?.application === application &&
            known.work === work &&
            known.sourced === sourced
            ? known
            : {
                application,
                work,
                sourced,
                row: rowOf(application, work, sourced),
              },
        );
      }
    }
    if (made.size > 0) {
      madeRows.set(key, made);
    } else {
      madeRows.delete(key);
    }
    return [...made.values()].map(({ row }) => row);
  }

  function rowOf(
    application: ArgoApplication,
    work: ManifestWork | undefined,
    sourced: readonly SourcedDetails[] | undefined,
  ): ReportRow {
    const { namespace = '', name } = application.metadata;
    return reportRow({
      application: { namespace, name },
      cluster: clusterNameOf(application),
      work: work && workName(work),
      state: stateOf({ application, work, sourced }),
    });
  }

  function pause(key: string, rows: number) {
    pausedUntil.set(
      key,
      performance.now() + Math.min(rows * PAUSE_MS_PER_ROW, LONGEST_PAUSE_MS),
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
    { writer, lookAgain }: ReconcileContext,
  ) {
    const wait = pauseOf(key);
    if (wait > 0) {
      lookAgain(wait);
      return [];
    }
    await ownTurn();
    const rows = rowsOf(key);
    const existing = cache.reports.get(key);
    if (rows.length === 0) {
      lastChanges.delete(key);
      pausedUntil.delete(key);
      if (existing && isOurs(existing)) {
        await writer.delete('reports', existing);
      }
      return [];
    }
    const desired = aggregateReport(parseKey(key), rows);
    const patch = existing && reportPatch(existing, desired, isSame);
    if (!existing) {
      await writer.create('reports', withMark(desired));
    } else if (patch) {
      await writer.patch(
        'reports',
        existing,
        isOurs(existing) ? patch : withMark(patch),
      );
    }
    if (!existing || patch) {
      pause(key, rows.length);
    }
    return [];
  }

  return {
    name: 'aggregation',
    needs: ['applicationSets', 'applications', 'works', 'clusters', 'reports'],
    debounceMs: DEBOUNCE_MS,
    onOutsideChange: onFurtherChange,
    *allKeys() {
      yield* cache.applications.values('applicationSet');
      yield* cache.reports.keys();
    },
    keysOf: change => reportsConcernedBy(change, cache),
    inputs: key => (pauseOf(key) > 0 ? undefined : [lastChanges.get(key)]),
    reconcile,
  };
}

/** Of a cluster, a report knows only whether it is the hub itself. */
function reportsConcernedBy(
  change: HubChange,
  cache: FleetCache,
): readonly string[] {
  if (
    change.resource === 'clusters' &&
    isLocal(change.before) === isLocal(change.after)
  ) {
    return [];
  }
  return applicationSetsConcernedBy(change, cache);
}

function isLocal(cluster: ManagedCluster | undefined): boolean {
  return cluster !== undefined && isLocalCluster(cluster);
}

/** In the cache, a list of a report is a fingerprint. */
function isSame(existing: unknown, desired: unknown): boolean {
  return Array.isArray(desired)
    ? hasContent(existing, desired)
    : sameJson(existing, desired);
}

/** Keys of the ApplicationSets whose report, or whose page, may have to change. */
export function applicationSetsConcernedBy(
  change: HubChange,
  cache: FleetCache,
): readonly string[] {
  switch (change.resource) {
    case 'applicationSets':
    case 'reports':
      return [change.key];
    case 'applications':
      return ownersOf([change.before, change.after]);
    case 'works':
      return [change.before, change.after].flatMap(work => {
        const name = work && hubApplicationOf(work);
        return name ? ownersOf([cache.applications.get(objectKey(name))]) : [];
      });
    case 'clusters':
      return ownersOf(cache.applications.by('cluster', change.key));
    default:
      return [];
  }
}

function ownersOf(
  applications: readonly (ArgoApplication | undefined)[],
): string[] {
  const owners = applications.flatMap(application => {
    const owner = application && owningApplicationSet(application);
    return owner ? [objectKey(owner)] : [];
  });
  return [...new Set(owners)];
}

function isOurs({ metadata }: MulticlusterApplicationSetReport): boolean {
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

function workName({ metadata }: ManifestWork): NamespacedName {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}
