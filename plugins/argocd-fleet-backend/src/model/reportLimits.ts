import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';

type Report = MulticlusterApplicationSetReport;
type Row = NonNullable<Report['statuses']['clusterConditions']>[number];

/** Says on a report what had to be left out of it, and of how many rows. */
export const REDUCED_ANNOTATION = 'argocd-fleet/report-reduced';

/** etcd takes 1.5 MiB for an object; this leaves room for metadata and managed fields. In bytes. */
export const MAX_REPORT = 1_400_000;

/**
 * The part of the limit that the list of resources may take before anything is left out of the rows: some thousand resources.
 * Neither of the two lists, however long, makes the other one vanish.
 */
const RESOURCES_SHARE = 1 / 4;

interface Reduction {
  readonly what: string;
  reduce(row: Row): Row | undefined;
}

/** What is left out of rows that stay, one after the other. The database and the API have all of it anyway. */
const FIELD_REDUCTIONS: readonly Reduction[] = [
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
];

/** The documented budget ends before; beyond it the summary still tells the truth, and what is wrong is named longest. */
const ROW_REDUCTIONS: readonly Reduction[] = [
  {
    what: 'healthy rows left out',
    reduce: row => (isHealthy(row) ? undefined : row),
  },
  { what: 'rows left out', reduce: () => undefined },
];

/** A report on its way to its limit, and what was left out of it so far, with how many. */
interface Reduced {
  readonly report: Report;
  readonly done: ReadonlyMap<string, string>;
}

/** Makes a report storable by leaving out as little as that takes. */
export function withinLimits(
  report: Report,
  limit: number = MAX_REPORT,
): Report {
  const steps: readonly ((reduced: Reduced) => Reduced)[] = [
    reduced =>
      withFewerResources(report, reduced, limit, limit * RESOURCES_SHARE),
    ...FIELD_REDUCTIONS.map(step => reducedBy(report, step)),
    reduced => withFewerResources(report, reduced, limit, 0),
    ...ROW_REDUCTIONS.map(step => reducedBy(report, step)),
  ];
  let reduced: Reduced = { report, done: new Map() };
  for (const step of steps) {
    if (byteLength(reduced.report) <= limit) {
      break;
    }
    reduced = step(reduced);
  }
  return reduced.report;
}

function reducedBy(original: Report, { what, reduce }: Reduction) {
  const total = original.statuses.clusterConditions?.length ?? 0;
  return (reduced: Reduced): Reduced => {
    const rows = (reduced.report.statuses.clusterConditions ?? []).map(row => ({
      row,
      without: reduce(row),
    }));
    const changed = rows.filter(({ row, without }) => differ(row, without));
    return changed.length > 0
      ? withStatuses(
          reduced,
          { clusterConditions: rows.flatMap(({ without }) => without ?? []) },
          [what, `${changed.length} of ${total}`],
        )
      : reduced;
  };
}

/** Keeps the first resources, as many as fit into what the rest of the report leaves, or into `share` where that is more. */
function withFewerResources(
  original: Report,
  reduced: Reduced,
  limit: number,
  share: number,
): Reduced {
  const total = original.statuses.resources?.length ?? 0;
  const listed = reduced.report.statuses.resources ?? [];
  const leaving = (resources: typeof listed) =>
    withStatuses(reduced, { resources }, [
      'resources left out',
      `${total - resources.length} of ${total}`,
    ]);
  let room = Math.max(limit - byteLength(leaving([]).report), share);
  const cutAt = listed.findIndex(resource => {
    room -= byteLength(resource) + 1;
    return room < 0;
  });
  return cutAt < 0 ? reduced : leaving(listed.slice(0, cutAt));
}

function withStatuses(
  { report, done }: Reduced,
  statuses: Partial<Report['statuses']>,
  [what, count]: readonly [string, string],
): Reduced {
  const said = new Map([...done, [what, count]]);
  return {
    report: {
      ...report,
      metadata: {
        ...report.metadata,
        annotations: {
          ...report.metadata.annotations,
          [REDUCED_ANNOTATION]: [...said]
            .map(([left, counted]) => `${left} (${counted})`)
            .join('; '),
        },
      },
      statuses: { ...report.statuses, ...statuses },
    },
    done: said,
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
