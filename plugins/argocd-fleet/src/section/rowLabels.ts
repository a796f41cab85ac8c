import {
  OVERALL_STATES,
  type ApplicationRow,
  type StatusSummary,
} from 'backstage-plugin-argocd-fleet-common';
import { rowKeyOf } from '../rowIdentity';
import { BY_NAME } from '../table/textSearch';

/** Value of a label of the row's cluster; undefined where it has no such label. */
export function labelOf(row: ApplicationRow, key: string): string | undefined {
  const { labels } = row.cluster;
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** A label of the clusters of a set. */
export interface ClusterLabel {
  readonly key: string;
  /** Number of different values that the clusters have. */
  readonly values: number;
}

/** The labels of the rows' clusters, those that people give (without a prefix) first. */
export function clusterLabelsOf(
  rows: readonly ApplicationRow[],
): readonly ClusterLabel[] {
  const values = new Map<string, Set<string>>();
  for (const { cluster } of rows) {
    for (const [key, value] of Object.entries(cluster.labels ?? {})) {
      const known = values.get(key);
      if (known) {
        known.add(value);
      } else {
        values.set(key, new Set([value]));
      }
    }
  }
  const hasPrefix = (key: string) => Number(key.includes('/'));
  return [...values]
    .map(([key, of]) => ({ key, values: of.size }))
    .sort(
      (a, b) =>
        hasPrefix(a.key) - hasPrefix(b.key) || BY_NAME.compare(a.key, b.key),
    );
}

/** Rows whose clusters have one value of a label. */
export interface RowGroup {
  readonly key: string;
  /** Undefined for clusters without the label. */
  readonly value: string | undefined;
  readonly size: number;
  /** Number of rows by state. */
  readonly state: StatusSummary['state'];
  readonly folded: boolean;
}

/** A line of the table: a row, or the heading of a group. */
export type TableLine =
  | { readonly id: string; readonly row: ApplicationRow }
  | { readonly id: string; readonly group: RowGroup };

/** The identifier of a group's heading, which no row has: a row's is not JSON. */
function groupIdOf(key: string, value: string | undefined): string {
  return JSON.stringify([key, value ?? null]);
}

/**
 * Puts rows with the same value of a label together, without changing their order otherwise; groups are in the order of
 * their values, and clusters without the label come last.
 * @param key - of the label; undefined for rows without groups
 * @param isFolded - by a heading's identifier: the group's rows are left out
 */
export function linesOf(
  rows: readonly ApplicationRow[],
  key: string | undefined,
  isFolded: (id: string) => boolean,
): readonly TableLine[] {
  if (key === undefined) {
    return rows.map(row => ({ id: rowKeyOf(row), row }));
  }
  const groups = new Map<string | undefined, ApplicationRow[]>();
  for (const row of rows) {
    const value = labelOf(row, key);
    const group = groups.get(value);
    if (group) {
      group.push(row);
    } else {
      groups.set(value, [row]);
    }
  }
  return [...groups]
    .sort(([a], [b]) => BY_NAME.compare(a ?? '\uffff', b ?? '\uffff'))
    .flatMap(([value, ofGroup]) => {
      const id = groupIdOf(key, value);
      const folded = isFolded(id);
      const group = {
        key,
        value,
        size: ofGroup.length,
        state: stateOf(ofGroup),
        folded,
      };
      return [
        { id, group },
        ...(folded ? [] : linesOf(ofGroup, undefined, isFolded)),
      ];
    });
}

function stateOf(rows: readonly ApplicationRow[]): StatusSummary['state'] {
  const counts = new Map(OVERALL_STATES.map(state => [state, 0]));
  for (const { state } of rows) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return Object.fromEntries(counts) as StatusSummary['state'];
}
