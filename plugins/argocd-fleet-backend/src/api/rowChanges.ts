import type {
  ApplicationRow,
  ApplicationSetRows,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, parseKey } from '../kubernetes/client';
import { sameJson } from '../model/json';
import { createChangeLog } from './changeLog';

/** What readers of one ApplicationSet know of its rows, so that an open page gets only those that changed. */
export interface RowChanges {
  /**
   * The view with the rows that changed since an earlier answer.
   * @param view - the newest one; all rows are compared with those of the view before
   * @param token - `next` of the earlier answer; where it is missing or no longer known, every row is in the answer
   */
  since(
    view: ApplicationSetRows,
    token: string | undefined,
  ): ApplicationSetRows;
}

/** Creates the changes of one ApplicationSet. */
export function createRowChanges(): RowChanges {
  const log = createChangeLog<ApplicationRow>();
  let newest: ApplicationSetRows | undefined;
  let rows: ReadonlySet<ApplicationRow> = new Set();

  function take(view: ApplicationSetRows) {
    newest = view;
    const before = rows;
    rows = new Set(view.applications);
    // A row that did not change is mostly the same object, so only the others need their keys.
    const removed = new Set<string>();
    for (const row of before) {
      if (!rows.has(row)) {
        removed.add(objectKey(row.application));
      }
    }
    for (const row of rows) {
      if (!before.has(row)) {
        const key = objectKey(row.application);
        removed.delete(key);
        if (!sameJson(log.get(key), row)) {
          log.set(key, row);
        }
      }
    }
    removed.forEach(log.delete);
  }

  return {
    since(view, token) {
      if (view !== newest) {
        take(view);
      }
      const { full, items, removed, token: next } = log.since(token);
      return full
        ? { ...view, next }
        : {
            ...view,
            next,
            applications: [...items],
            removed: removed.map(parseKey),
          };
    },
  };
}
