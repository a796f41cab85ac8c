import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';

type Report = MulticlusterApplicationSetReport;
type Row = NonNullable<Report['statuses']['clusterConditions']>[number];

/** Says on a report what had to be left out of it, and of how many rows. */
export const REDUCED_ANNOTATION = 'argocd-fleet/report-reduced';

/** etcd takes 1.5 MiB for an object; this leaves room for metadata and managed fields. In bytes. */
export const MAX_REPORT = 1_400_000;

interface Reduction {
  readonly what: string;
  reduce(row: Row): Row | undefined;
}

/** What is left out, one after the other until the report fits; the database and the API have all of it anyway. */
const REDUCTIONS: readonly Reduction[] = [
  ...[1_024, 256, 64].map(length => ({
    what: `messages shortened to ${length} characters`,
    reduce: (row: Row) => shorten(row, length),
  })),
  {
    what: 'conditions left out',
    reduce: ({ conditions: _, ...row }) => row,
  },
  {
    what: 'syncRevision and operationState left out',
    reduce: ({
      syncRevision: _revision,
      operationStatePhase: _phase,
      operationStateStartedAt: _startedAt,
      ...row
    }) => row,
  },
  {
    what: 'app of healthy rows left out',
    reduce: ({ app, ...row }) => (isHealthy(row) ? row : { ...row, app }),
  },
  // The documented budget ends above; beyond it the summary still tells the truth, and what is wrong is named longest.
  {
    what: 'healthy rows left out',
    reduce: row => (isHealthy(row) ? undefined : row),
  },
  { what: 'rows left out', reduce: () => undefined },
];

/** Makes a report storable by leaving out as little as that takes. */
export function withinLimits(
  report: Report,
  limit: number = MAX_REPORT,
): Report {
  const total = report.statuses.clusterConditions?.length ?? 0;
  let rows = report.statuses.clusterConditions ?? [];
  let fitting = report;
  const done: string[] = [];
  for (const { what, reduce } of REDUCTIONS) {
    if (byteLength(fitting) <= limit) {
      return fitting;
    }
    const reduced = rows.map(row => ({ row, without: reduce(row) }));
    const changed = reduced.filter(({ row, without }) => differ(row, without));
    rows = reduced.flatMap(({ without }) => without ?? []);
    if (changed.length > 0) {
      done.push(`${what} (${changed.length} of ${total})`);
      fitting = withStatuses(report, { clusterConditions: rows }, done);
    }
  }
  return byteLength(fitting) <= limit
    ? fitting
    : withStatuses(fitting, { resources: [] }, [...done, 'resources left out']);
}

function withStatuses(
  report: Report,
  statuses: Partial<Report['statuses']>,
  done: readonly string[],
): Report {
  return {
    ...report,
    metadata: {
      ...report.metadata,
      annotations: {
        ...report.metadata.annotations,
        [REDUCED_ANNOTATION]: done.join('; '),
      },
    },
    statuses: { ...report.statuses, ...statuses },
  };
}

function shorten(row: Row, length: number): Row {
  return row.conditions
    ? {
        ...row,
        conditions: row.conditions.map(({ type, message }) => ({
          type,
          message: message.length > length ? cut(message, length) : message,
        })),
      }
    : row;
}

/** Half a surrogate pair would come back from the API server as another character, and be a difference for ever. */
function cut(message: string, length: number): string {
  const whole = message.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${whole.trimEnd()}…`;
}

function isHealthy(row: Pick<Row, 'healthStatus' | 'syncStatus'>): boolean {
  return row.healthStatus === 'Healthy' && row.syncStatus === 'Synced';
}

function differ(row: Row, reduced: Row | undefined): boolean {
  return !reduced || byteLength(row) !== byteLength(reduced);
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
