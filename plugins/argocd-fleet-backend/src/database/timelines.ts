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

/** An ApplicationSet that a transition belongs to; its name is undefined for a standalone Application. */
export interface TransitionSet {
  readonly namespace: string;
  readonly name: string | undefined;
}

/**
 * Which transitions of an ApplicationSet the reader may see: `true` is all of them, `false` none, and a UID those of the
 * ApplicationSet with that UID, not those of earlier ones by its name.
 */
export type VisibleTransitions = boolean | string;

/** The same of every ApplicationSet, or by the ApplicationSet. */
export type VisibleSets =
  boolean | ((set: TransitionSet) => VisibleTransitions);

/** Reads transitions of Applications, latest first. */
export interface Timelines {
  /**
   * A page is made of what is visible; the rest is not in its numbers either.
   * @throws InputError where `before` is not the `next` of a page
   */
  transitions(
    of: TimelineOf,
    page: PageRequest,
    visible?: VisibleSets,
  ): Promise<TransitionPage>;
}

/** An ApplicationSet of which something is visible. */
interface VisibleSet extends TransitionSet {
  readonly visible: true | string;
}

const STATE = ['health', 'sync', 'phase', 'revision', 'error'] as const;
const COLUMNS = [...STATE, 'revisions', 'stale'] as const;

type Row = Readonly<Record<string, string | number | boolean | null>>;

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

  /**
   * The visible ApplicationSets of a timeline, with the undefined name of standalone Applications. One query, whether
   * the object exists or not: the time that an answer takes must not tell.
   */
  async function visibleSets(
    { kind, ref: { hub, namespace, name } }: TimelineOf,
    visibleOf: (set: TransitionSet) => VisibleTransitions,
  ): Promise<VisibleSet[]> {
    const withVisible = (set: TransitionSet) => {
      const visible = visibleOf(set);
      return visible === false ? [] : [{ ...set, visible }];
    };
    if (kind === 'applicationSet') {
      return withVisible({ namespace, name });
    }
    const rows: Row[] = await knex('fleet_transitions as t')
      .distinct('t.namespace', 't.application_set')
      .modify(query => {
        if (kind === 'cluster') {
          query.where({ 't.hub': hub, 't.cluster': name });
        } else {
          query
            .join('fleet_applications as a', 'a.id', 't.application_id')
            .where({ 'a.hub': hub, 'a.namespace': namespace, 'a.name': name });
        }
      });
    return rows.flatMap(row => withVisible(setOf(row)));
  }

  return {
    async transitions(of, { limit, before }, visible = true) {
      const end = before === undefined ? undefined : readCursor(before);
      const sets =
        typeof visible === 'function'
          ? await visibleSets(of, visible)
          : visible;
      if (sets === false || (sets !== true && sets.length === 0)) {
        return { items: [] };
      }
      const where = await timelineCondition(of);
      if (!where) {
        return { items: [] };
      }
      const page = knex('fleet_transitions')
        .where(where)
        .modify(query => {
          if (sets !== true) {
            query.where(either => whereSets(either, sets));
          }
        })
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
      // The previous state is in the previous transition, which may be of an ApplicationSet that is not visible.
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
        .select(
          [...COLUMNS, 'application_set', 'application_set_uid'].map(
            column => `p.${column} as previous_${column}`,
          ),
        );
      const seesPrevious = sets === true ? () => true : previousIn(sets);
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return {
        items: items.map(row => transition(row, seesPrevious(row))),
        ...(last && rows.length > limit && { next: cursorOf(last) }),
      };
    },
  };
}

/** By namespace, so that the expression stays small: databases limit its depth. */
function whereSets(query: Knex.QueryBuilder, sets: readonly VisibleSet[]) {
  for (const namespace of new Set(sets.map(set => set.namespace))) {
    const own = sets.filter(set => set.namespace === namespace);
    const whole = own.filter(({ visible }) => visible === true);
    const named = (some: readonly VisibleSet[]) =>
      some.flatMap(({ name }) => name ?? []);
    const uids = own.flatMap(({ visible }) =>
      visible === true ? [] : [visible],
    );
    query.orWhere(either =>
      either.where({ namespace }).where(inSet => {
        inSet.whereIn('application_set', named(whole));
        if (uids.length > 0) {
          // With the names, since an index has them. A UID is of one name only, so the lists need no pairs.
          inSet.orWhere(ofPresent =>
            ofPresent
              .whereIn(
                'application_set',
                named(own.filter(({ visible }) => visible !== true)),
              )
              .whereIn('application_set_uid', uids),
          );
        }
        if (whole.some(({ name }) => name === undefined)) {
          inSet.orWhereNull('application_set');
        }
      }),
    );
  }
}

/** Whether the transition before a visible one is visible: it has to be of the same ApplicationSet. */
function previousIn(sets: readonly VisibleSet[]): (row: Row) => boolean {
  const keyOf = ({ namespace, name }: TransitionSet) =>
    JSON.stringify([namespace, name]);
  const visibleOf = new Map(sets.map(set => [keyOf(set), set.visible]));
  return row => {
    const visible = visibleOf.get(keyOf(setOf(row)));
    return (
      row.previous_application_set === row.application_set &&
      (visible === true || row.previous_application_set_uid === visible)
    );
  };
}

function setOf(row: Row): TransitionSet {
  return {
    namespace: row.namespace as string,
    name: (row.application_set as string | null) ?? undefined,
  };
}

function transition(row: Row, seesPrevious: boolean): Transition {
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
      // SQLite stores booleans as numbers.
      ...(row[`${prefix}stale`] && { stale: true }),
    };
  };
  const applicationSet = text('application_set');
  const omitted = Number(row.omitted);
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
    ...(omitted > 0 && { omitted }),
    ...state(''),
    ...(seesPrevious &&
      row.previous_health !== null && { previous: state('previous_') }),
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
