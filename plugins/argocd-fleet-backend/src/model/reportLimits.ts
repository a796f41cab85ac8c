import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';

type Report = MulticlusterApplicationSetReport;
type Row = NonNullable<Report['statuses']['clusterConditions']>[number];
type Resource = NonNullable<Report['statuses']['resources']>[number];

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
  /** The row itself where nothing is to be left out of it, undefined where all of it is. */
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
    reduce: row => without(row, ['conditions']),
  },
  {
    what: 'syncRevision and operationState left out',
    reduce: row =>
      without(row, [
        'syncRevision',
        'operationStatePhase',
        'operationStateStartedAt',
      ]),
  },
  {
    what: 'app of healthy rows left out',
    reduce: row => (isHealthy(row) ? without(row, ['app']) : row),
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

/** A part of a list, with its length as JSON in bytes, so that no part is measured twice. */
interface Sized<T> {
  readonly value: T;
  readonly bytes: number;
}

/** A report on its way to its limit, and what was left out of it so far, with how many. */
interface Reduced {
  readonly rows: readonly Sized<Row>[];
  readonly resources: readonly Sized<Resource>[];
  readonly done: ReadonlyMap<string, string>;
}

/** Makes a report storable, leaving out as little as that takes. The lists come beside it, each in its order. */
export function withinLimits(
  report: Report,
  rows: readonly Sized<Row>[],
  resources: readonly Sized<Resource>[],
  limit: number = MAX_REPORT,
): Report {
  const bytes = (reduced: Reduced) =>
    byteLength(withLists(report, { ...reduced, rows: [], resources: [] })) +
    listBytes(reduced.rows) +
    listBytes(reduced.resources);
  /** Keeps the first resources, as many as fit into what the rest of the report leaves, or into `share` where that is more. */
  const withFewerResources = (reduced: Reduced, share: number): Reduced => {
    const leaving = (kept: readonly Sized<Resource>[]): Reduced => ({
      ...reduced,
      resources: kept,
      done: said(reduced, 'resources left out', {
        count: resources.length - kept.length,
        total: resources.length,
      }),
    });
    let room = Math.max(limit - bytes(leaving([])), share);
    const cutAt = reduced.resources.findIndex(resource => {
      room -= resource.bytes + 1;
      return room < 0;
    });
    return cutAt < 0 ? reduced : leaving(reduced.resources.slice(0, cutAt));
  };
  const steps: readonly ((reduced: Reduced) => Reduced)[] = [
    reduced => withFewerResources(reduced, limit * RESOURCES_SHARE),
    ...FIELD_REDUCTIONS.map(step => reducedBy(step, rows.length)),
    reduced => withFewerResources(reduced, 0),
    ...ROW_REDUCTIONS.map(step => reducedBy(step, rows.length)),
  ];
  let reduced: Reduced = { rows, resources, done: new Map() };
  for (const step of steps) {
    if (bytes(reduced) <= limit) {
      break;
    }
    reduced = step(reduced);
  }
  return withLists(report, reduced);
}

/** @param total - rows that the report had before anything was left out */
function reducedBy({ what, reduce }: Reduction, total: number) {
  return (reduced: Reduced): Reduced => {
    let count = 0;
    const left = reduced.rows.flatMap(row => {
      const value = reduce(row.value);
      if (value === row.value) {
        return row;
      }
      count += 1;
      return value ? { value, bytes: byteLength(value) } : [];
    });
    return count > 0
      ? { ...reduced, rows: left, done: said(reduced, what, { count, total }) }
      : reduced;
  };
}

function said(
  { done }: Reduced,
  what: string,
  { count, total }: { readonly count: number; readonly total: number },
): Reduced['done'] {
  return new Map([...done, [what, `${count} of ${total}`]]);
}

function withLists(report: Report, { rows, resources, done }: Reduced): Report {
  return {
    ...report,
    metadata: {
      ...report.metadata,
      ...(done.size > 0 && {
        annotations: {
          ...report.metadata.annotations,
          [REDUCED_ANNOTATION]: [...done]
            .map(([left, counted]) => `${left} (${counted})`)
            .join('; '),
        },
      }),
    },
    statuses: {
      resources: resources.map(({ value }) => value),
      clusterConditions: rows.map(({ value }) => value),
      ...report.statuses,
    },
  };
}

/** With a comma behind each. */
function listBytes(list: readonly Sized<unknown>[]): number {
  return list.reduce((sum, { bytes }) => sum + bytes + 1, 0);
}

function shorten(row: Row, length: number): Row {
  return row.conditions?.some(({ message }) => message.length > length)
    ? {
        ...row,
        conditions: row.conditions.map(({ type, message }) => ({
          message: message.length > length ? cut(message, length) : message,
          type,
        })),
      }
    : row;
}

/** Half a surrogate pair would come back from the API server as another character, and be a difference for ever. */
function cut(message: string, length: number): string {
  const whole = message.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${whole.trimEnd()}…`;
}

function without(row: Row, keys: readonly (keyof Row)[]): Row {
  return keys.some(key => key in row)
    ? (Object.fromEntries(
        Object.entries(row).filter(([key]) => !keys.includes(key as keyof Row)),
      ) as unknown as Row)
    : row;
}

function isHealthy(row: Pick<Row, 'healthStatus' | 'syncStatus'>): boolean {
  return row.healthStatus === 'Healthy' && row.syncStatus === 'Synced';
}

/** Length of a value as JSON, in bytes. */
export function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
