import {
  SYNC_STATUSES,
  type ClusterApplication,
  type HealthStatus,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { causeIdOf } from './causes';
import { rowSeverityOf, severityRank } from './severity';

/** What narrows the table down; all of it must hold. */
export interface RowFilter {
  readonly health?: HealthStatus;
  readonly sync?: SyncStatus;
  readonly stale?: boolean;
  /** Identifier of a cause. */
  readonly cause?: string;
  /** Words, each of which must occur somewhere in the row. */
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

export interface RowSort {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** How urgent a health status is, most urgent first: what a person should look at, not Argo CD's order of aggregation. */
const URGENCY: readonly HealthStatus[] = [
  'Degraded',
  'Missing',
  'Unknown',
  'Progressing',
  'Suspended',
  'Healthy',
];

/** What a row is called: its cluster, or its Application where nobody knows the cluster. */
export function rowTitleOf({
  cluster,
  application,
}: ClusterApplication): string {
  return cluster.name || application.name;
}

/** Identifies a row within its set. */
export function rowKeyOf({ cluster, application }: ClusterApplication): string {
  return `${cluster.name}/${application.namespace}/${application.name}`;
}

function searchTextOf(row: ClusterApplication): string {
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
  ]
    .join(' ')
    .toLocaleLowerCase();
}

export function filterRows(
  rows: readonly ClusterApplication[],
  filter: RowFilter,
): readonly ClusterApplication[] {
  const words = (filter.text ?? '')
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter(Boolean);
  return rows.filter(
    row =>
      (!filter.health || row.health === filter.health) &&
      (!filter.sync || row.sync === filter.sync) &&
      (!filter.stale || row.cluster.stale) &&
      (!filter.cause || causeIdOf(row) === filter.cause) &&
      (words.length === 0 ||
        words.every(word => searchTextOf(row).includes(word))),
  );
}

const BY_NAME = new Intl.Collator(undefined, { numeric: true });

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
  // The worst first: whoever sorts by a status looks for what is wrong.
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
