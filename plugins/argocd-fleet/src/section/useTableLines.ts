import type { ApplicationRow } from 'backstage-plugin-argocd-fleet-common';
import { useCallback, useMemo, useState } from 'react';
import { linesOf, type TableLine } from './rowLabels';

const NONE: ReadonlySet<string> = new Set();

/** The lines of the table; groups are open until they are folded. */
export function useTableLines(
  rows: readonly ApplicationRow[],
  groupBy: string | undefined,
): {
  readonly lines: readonly TableLine[];
  /** Folds a group, or opens a folded one. */
  readonly toggle: (id: string) => void;
  /** Folds all groups, or opens them where all are folded; undefined where there is nothing to fold. */
  readonly toggleAll: (() => void) | undefined;
  readonly allFolded: boolean;
} {
  const [folded, setFolded] = useState(NONE);
  const lines = useMemo(
    () => linesOf(rows, groupBy, id => folded.has(id)),
    [rows, groupBy, folded],
  );
  const toggle = useCallback(
    (id: string) =>
      setFolded(current => {
        const next = new Set(current);
        if (!next.delete(id)) {
          next.add(id);
        }
        return next;
      }),
    [],
  );
  const groups = lines.filter(line => 'group' in line);
  const allFolded = groups.length > 0 && groups.length === lines.length;
  return {
    lines,
    toggle,
    toggleAll:
      groups.length > 1
        ? () =>
            setFolded(allFolded ? NONE : new Set(groups.map(({ id }) => id)))
        : undefined,
    allFolded,
  };
}
