import {
  SYNC_STATUSES,
  type ClusterApplication,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { rowSeverityOf, severityRank } from '../findings/severity';
import { rowKeyOf, rowTitleOf } from '../rowIdentity';
import type { Sort } from '../table/sorting';
import { BY_NAME, matcherOf } from '../table/textSearch';
import { causeIdOf } from './causes';

/** Filters of the table; a row must match all of them. */
export interface RowFilter {
  readonly health?: HealthStatus;
  readonly sync?: SyncStatus;
  readonly stale?: boolean;
  /** Identifier of a cause. */
  readonly cause?: string;
  /** Search text; each word must occur in the row. */
  readonly text?: string;
}

export const SORT_COLUMNS = [
  'worst',
  'cluster',
  'health',
  'sync',
  'phase',
  'revision',
  'since',
  'error',
] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

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

function searchedTexts(row: ClusterApplication) {
  return [
    row.cluster.name,
    ...Object.values(row.cluster.labels ?? {}),
    row.application.name,
    row.health,
    row.sync,
    row.phase,
    row.revision,
    row.error,
    ...row.conditions.map(({ message }) => message),
  ];
}

export function filterRows(
  rows: readonly ClusterApplication[],
  filter: RowFilter,
): readonly ClusterApplication[] {
  const matches = matcherOf(filter.text);
  return rows.filter(
    row =>
      (!filter.health || row.health === filter.health) &&
      (!filter.sync || row.sync === filter.sync) &&
      (!filter.stale || row.cluster.stale) &&
      (!filter.cause || causeIdOf(row) === filter.cause) &&
      matches(() => searchedTexts(row)),
  );
}

type Comparison = (a: ClusterApplication, b: ClusterApplication) => number;

function byText(
  read: (row: ClusterApplication) => string | undefined,
): Comparison {
  // Rows without a value come last in ascending order.
  return (a, b) => BY_NAME.compare(read(a) ?? '\uffff', read(b) ?? '\uffff');
}

function byRank<S>(
  order: readonly S[],
  read: (row: ClusterApplication) => S,
): Comparison {
  return (a, b) => order.indexOf(read(a)) - order.indexOf(read(b));
}

const bySeverity: Comparison = (a, b) =>
  severityRank(rowSeverityOf(a)) - severityRank(rowSeverityOf(b));
const byUrgency = byRank(URGENCY, row => row.health);
const bySync = byRank([...SYNC_STATUSES].reverse(), row => row.sync);

const COMPARISONS: Readonly<Record<SortColumn, Comparison>> = {
  worst: (a, b) => bySeverity(a, b) || byUrgency(a, b) || bySync(a, b),
  cluster: byText(rowTitleOf),
  // Ascending begins with the worst status.
  health: byUrgency,
  sync: bySync,
  phase: byText(row => row.phase),
  revision: byText(row => row.revision),
  // The latest first: "for" ascends from the shortest time.
  since: (a, b) =>
    Date.parse(b.since ?? b.statusAt ?? '') -
      Date.parse(a.since ?? a.statusAt ?? '') || 0,
  error: byText(row => row.error),
};

export function sortRows(
  rows: readonly ClusterApplication[],
  { column, descending }: RowSort,
): ClusterApplication[] {
  const compare = COMPARISONS[column];
  const direction = descending ? -1 : 1;
  return [...rows].sort(
    (a, b) =>
      direction * compare(a, b) || BY_NAME.compare(rowKeyOf(a), rowKeyOf(b)),
  );
}
