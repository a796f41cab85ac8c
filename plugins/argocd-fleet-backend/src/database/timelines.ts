import { InputError } from '@backstage/errors';
import type {
  ObjectRef,
  Transition,
  TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';
import type { Knex } from 'knex';

/** A timeline covers one Application, or all Applications of an ApplicationSet or on a cluster. */
export type TimelineKind = 'application' | 'applicationSet' | 'cluster';

/** The object of a timeline; a cluster has no namespace. */
export interface TimelineOf {
  readonly kind: TimelineKind;
  readonly ref: ObjectRef;
}

/** Which page of a timeline. */
export interface PageRequest {
  readonly limit: number;
  /** `next` of the previous page; undefined for the first page. */
  readonly before?: string;
}

/** Reads transitions of Applications, latest first. */
export interface Timelines {
  /** @throws InputError where `before` is not the `next` of a page */
  transitions(of: TimelineOf, page: PageRequest): Promise<TransitionPage>;
}

const STATE = ['health', 'sync', 'phase', 'revision', 'error'] as const;
const COLUMNS = [...STATE, 'revisions'] as const;

type Row = Readonly<Record<string, string | number | null>>;

/** Creates the reader of a database. */
export function createTimelines(knex: Knex): Timelines {
  /** Each condition is served by an index that ends in time and id. */
  async function timelineCondition(
    of: TimelineOf,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const { hub, name } = of.ref;
    switch (of.kind) {
      case 'cluster':
        return { hub, cluster: name };
      case 'applicationSet':
        return { hub, namespace: of.ref.namespace, application_set: name };
      default: {
        const found = await knex('fleet_applications')
          .where({ hub, namespace: of.ref.namespace, name })
          .first('id');
        return found && { application_id: found.id };
      }
    }
  }

  return {
    async transitions(of, { limit, before }) {
      const end = before === undefined ? undefined : readCursor(before);
      const where = await timelineCondition(of);
      if (!where) {
        return { items: [] };
      }
      const page = knex('fleet_transitions')
        .where(where)
        .modify(query => {
          if (end) {
            query.whereRaw('(at, id) < (?, ?)', [...end]);
          }
        })
        .orderBy([
          { column: 'at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit + 1);
      // The previous state is in the previous transition.
      const rows: Row[] = await knex
        .from(page.as('t'))
        .join('fleet_applications as a', 'a.id', 't.application_id')
        .leftJoin('fleet_transitions as p', join =>
          join
            .on('p.application_id', 't.application_id')
            .on('p.sequence', knex.raw('t.sequence - 1')),
        )
        .orderBy([
          { column: 't.at', order: 'desc' },
          { column: 't.id', order: 'desc' },
        ])
        .select('t.*', 'a.name as application_name')
        .select(COLUMNS.map(column => `p.${column} as previous_${column}`));
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return {
        items: items.map(transition),
        ...(last && rows.length > limit && { next: cursorOf(last) }),
      };
    },
  };
}

function transition(row: Row): Transition {
  const text = (column: string) => (row[column] as string | null) ?? undefined;
  const state = (prefix: string) => {
    const revisions = text(`${prefix}revisions`);
    return {
      ...(Object.fromEntries(
        STATE.flatMap(column => {
          const value = text(`${prefix}${column}`);
          return value === undefined ? [] : [[column, value]];
        }),
      ) as Pick<Transition, (typeof STATE)[number]>),
      ...(revisions && { revisions: JSON.parse(revisions) }),
    };
  };
  const applicationSet = text('application_set');
  return {
    application: {
      namespace: text('namespace')!,
      name: text('application_name')!,
    },
    ...(applicationSet !== undefined && { applicationSet }),
    cluster: text('cluster')!,
    sequence: Number(row.sequence),
    at: time(row.at),
    recordedAt: time(row.recorded_at),
    ...state(''),
    ...(row.previous_health !== null && { previous: state('previous_') }),
  };
}

function time(ms: Row[string]): string {
  return new Date(Number(ms)).toISOString();
}

function cursorOf({ at, id }: Row): string {
  return Buffer.from(`${at}.${id}`).toString('base64url');
}

function readCursor(cursor: string): readonly [number, number] {
  const [, at, id] =
    /^(\d{1,15})\.(\d{1,15})$/.exec(
      Buffer.from(cursor, 'base64url').toString('latin1'),
    ) ?? [];
  if (at === undefined) {
    throw new InputError(
      `"before" must be the value of "next" of the previous page; "${cursor.slice(0, 100)}" is not. Leave it out to start with the latest transition`,
    );
  }
  return [Number(at), Number(id)];
}
