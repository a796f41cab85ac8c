import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';
import { goJsonBytes } from '../json';

type Report = MulticlusterApplicationSetReport;
type Row = NonNullable<Report['statuses']['clusterConditions']>[number];
type Resource = NonNullable<Report['statuses']['resources']>[number];

/** Annotation of a report: what was left out of it, and of how many rows. */
export const REDUCED_ANNOTATION = 'argocd-fleet/report-reduced';

/**
 * etcd's limit for an object is 1.5 MiB; this leaves room for metadata and managed fields. In bytes, as the API server
 * writes them.
 */
export const MAX_REPORT = 1_400_000;

/**
 * The part of the limit that the list of resources may take before anything is left out of the rows: some thousand
 * resources. Neither of the two lists, however long, displaces the other one.
 */
const RESOURCES_SHARE = 1 / 4;

interface Reduction {
  readonly what: string;
  /** Returns the row itself if nothing is left out of it, undefined if the whole row is. */
  reduce(row: Row): Row | undefined;
}

/** What is left out of rows, step by step. The database and the API still have all of it. */
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

/** Beyond the documented budget rows are left out, healthy ones first. The summary still counts all. */
const ROW_REDUCTIONS: readonly Reduction[] = [
  {
    what: 'healthy rows left out',
    reduce: row => (isHealthy(row) ? undefined : row),
  },
  { what: 'rows left out', reduce: () => undefined },
];

/** An element of a list with its JSON, so that nothing is serialized or counted twice. */
export interface Written<T> {
  readonly value: T;
  readonly text: string;
  /** Length of the text as the API server writes it. */
  readonly bytes: number;
}

/** Serializes an element of a list; `text` is its JSON where that is known. */
export function written<T>(
  value: T,
  text: string = JSON.stringify(value),
): Written<T> {
  return { value, text, bytes: goJsonBytes(text) };
}

/** The parts of a report's lists, in the order of the lists. */
export interface ReportParts {
  readonly resources: readonly Written<Resource>[];
  readonly clusterConditions: readonly Written<Row>[];
}

/** A report with the parts of its lists, so that it can be compared and written without serializing it again. */
export interface WrittenReport {
  readonly report: Report;
  readonly parts: ReportParts;
}

/** Lists that are being reduced, and what was left out of them so far, with counts. */
interface Reduced {
  readonly rows: readonly Written<Row>[];
  readonly resources: readonly Written<Resource>[];
  readonly done: ReadonlyMap<string, string>;
}

/**
 * Makes a report small enough to be stored, leaving out as little as necessary. The lists are given apart from it, in
 * their order.
 */
export function withinLimits(
  report: Report,
  rows: readonly Written<Row>[],
  resources: readonly Written<Resource>[],
  limit: number = MAX_REPORT,
): WrittenReport {
  const bytes = (reduced: Reduced) =>
    goJsonBytes(
      JSON.stringify(
        withLists(report, { ...reduced, rows: [], resources: [] }),
      ),
    ) +
    listBytes(reduced.rows) +
    listBytes(reduced.resources);
  /**
   * Keeps the first resources, as many as fit into what the rest of the report leaves, or into `share` where that is
   * more.
   */
  const withFewerResources = (reduced: Reduced, share: number): Reduced => {
    const leaving = (kept: readonly Written<Resource>[]): Reduced => ({
      ...reduced,
      resources: kept,
      done: noted(reduced, 'resources left out', {
        count: resources.length - kept.length,
        total: resources.length,
      }),
    });
    let room = Math.max(limit - bytes(leaving([])), share);
    const cutAt = reduced.resources.findIndex(resource => {
      room -= partBytes(resource);
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
  return {
    report: withLists(report, reduced),
    parts: { resources: reduced.resources, clusterConditions: reduced.rows },
  };
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
      return value ? written(value) : [];
    });
    return count > 0
      ? { ...reduced, rows: left, done: noted(reduced, what, { count, total }) }
      : reduced;
  };
}

function noted(
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
      resources: listOf(resources),
      clusterConditions: listOf(rows),
      ...report.statuses,
    },
  };
}

function listOf<T>(parts: readonly Written<T>[]): readonly T[] {
  return parts.map(({ value }) => value);
}

/** Indexes at which two lists differ; undefined if they are not of one length. */
export function changedParts(
  before: readonly Written<unknown>[],
  after: readonly Written<unknown>[],
): readonly number[] | undefined {
  return before.length === after.length
    ? after.flatMap(({ text }, index) =>
        text === before[index].text ? [] : index,
      )
    : undefined;
}

/** A list as JSON. */
export function listText(parts: readonly Written<unknown>[]): string {
  return `[${parts.map(({ text }) => text).join()}]`;
}

function listBytes(list: readonly Written<unknown>[]): number {
  return list.reduce((sum, part) => sum + partBytes(part), 0);
}

/** Including a comma. */
function partBytes({ bytes }: Written<unknown>): number {
  return bytes + 1;
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

/**
 * The API server would replace half a surrogate pair by another character, so that the report would differ for ever.
 */
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
