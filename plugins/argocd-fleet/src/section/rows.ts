import {
  OVERALL_STATES,
  SYNC_STATUSES,
  type ApplicationRow,
  type Cause,
  type HealthStatus,
  type OverallState,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { severityRank } from '../findings/severity';
import { rowKeyOf, rowTitleOf } from '../rowIdentity';
import type { Sort } from '../table/sorting';
import { BY_NAME, labelTexts, matcherOf } from '../table/textSearch';
import { labelOf } from './rowLabels';

/** Filters of the table; a row must match all of them. */
export interface RowFilter {
  readonly state?: OverallState;
  readonly health?: HealthStatus;
  readonly sync?: SyncStatus;
  readonly stale?: boolean;
  /** Identifier of a cause. */
  readonly cause?: string;
  /** The version that runs. */
  readonly running?: string;
  /** Only rows of which it is not known what runs. */
  readonly notKnown?: boolean;
  /** Only rows that run another version than the wanted one, or may. */
  readonly behind?: boolean;
  /** Search text; each word must occur in the row. */
  readonly text?: string;
}

export const SORT_COLUMNS = [
  'worst',
  'cluster',
  'state',
  'health',
  'sync',
  'revision',
  'since',
  'error',
] as const;

/** The column of a label, by its key. */
export type LabelColumn = `label:${string}`;
export type SortColumn = (typeof SORT_COLUMNS)[number] | LabelColumn;

export const labelColumn = (key: string): LabelColumn => `label:${key}`;

export type RowSort = Sort<SortColumn>;

/** Health statuses, the most urgent for a user first; not Argo CD's order of aggregation. */
const URGENCY: readonly HealthStatus[] = [
  'Degraded',
  'Missing',
  'Unknown',
  'Progressing',
  'Suspended',
  'Healthy',
];

function searchedTexts(row: ApplicationRow, evidence: string | undefined) {
  return [
    row.cluster.name,
    ...labelTexts(row.cluster.labels),
    ...(row.images ?? []),
    row.application.name,
    row.health,
    row.sync,
    row.phase,
    ...row.wanted,
    row.revision,
    row.running ?? row.lastRunning,
    row.problem?.title,
    row.problem?.code,
    evidence,
  ];
}

/** @param causes - of the rows, whose evidence is searched as well */
export function filterRows(
  rows: readonly ApplicationRow[],
  filter: RowFilter,
  causes: readonly Cause[],
): readonly ApplicationRow[] {
  const matches = matcherOf(filter.text);
  const evidence = new Map(
    causes.map(({ id, finding }) => [id, finding?.evidence]),
  );
  return rows.filter(
    row =>
      (!filter.state || row.state === filter.state) &&
      (!filter.health || row.health === filter.health) &&
      (!filter.sync || row.sync === filter.sync) &&
      (!filter.stale || row.cluster.stale) &&
      (!filter.cause || row.problem?.cause === filter.cause) &&
      (!filter.running || row.running === filter.running) &&
      (!filter.notKnown || row.running === undefined) &&
      (!filter.behind || row.behind) &&
      matches(() => searchedTexts(row, evidence.get(row.problem?.cause ?? ''))),
  );
}

/** Number of clusters that run another version than the wanted one, or may. */
export function clustersBehind(rows: readonly ApplicationRow[]): number {
  return new Set(
    rows.filter(({ behind }) => behind).map(({ cluster }) => cluster.name),
  ).size;
}

type Comparison = (a: ApplicationRow, b: ApplicationRow) => number;

function byText(read: (row: ApplicationRow) => string | undefined): Comparison {
  // Rows without a value come last in ascending order.
  return (a, b) => BY_NAME.compare(read(a) ?? '\uffff', read(b) ?? '\uffff');
}

function byRank<S>(
  order: readonly S[],
  read: (row: ApplicationRow) => S,
): Comparison {
  return (a, b) => order.indexOf(read(a)) - order.indexOf(read(b));
}

const byState = byRank(OVERALL_STATES.toReversed(), row => row.state);
const bySeverity: Comparison = (a, b) =>
  severityRank(a.problem?.severity) - severityRank(b.problem?.severity);
const byUrgency = byRank(URGENCY, row => row.health);
const bySync = byRank([...SYNC_STATUSES].reverse(), row => row.sync);
const byRunning = byText(row => row.running);
const byWanted = byText(row => row.wanted.join());

const COMPARISONS: Readonly<Record<(typeof SORT_COLUMNS)[number], Comparison>> =
  {
    worst: (a, b) =>
      byState(a, b) || bySeverity(a, b) || byUrgency(a, b) || bySync(a, b),
    cluster: byText(rowTitleOf),
    // Ascending begins with the worst status.
    health: byUrgency,
    sync: bySync,
    state: byState,
    revision: (a, b) => byRunning(a, b) || byWanted(a, b),
    // The latest first: "for" ascends from the shortest time.
    since: (a, b) => Date.parse(b.since ?? '') - Date.parse(a.since ?? '') || 0,
    error: byText(row => row.problem?.title),
  };

function comparisonOf(column: SortColumn): Comparison {
  const fixed = SORT_COLUMNS.find(id => id === column);
  return fixed
    ? COMPARISONS[fixed]
    : byText(row => labelOf(row, column.slice(labelColumn('').length)));
}

export function sortRows(
  rows: readonly ApplicationRow[],
  { column, descending }: RowSort,
): ApplicationRow[] {
  const compare = comparisonOf(column);
  const direction = descending ? -1 : 1;
  return [...rows].sort(
    (a, b) =>
      direction * compare(a, b) || BY_NAME.compare(rowKeyOf(a), rowKeyOf(b)),
  );
}
