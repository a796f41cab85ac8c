import {
  HOSTING_APPLICATION_SET_LABEL,
  type MulticlusterApplicationSetReport,
} from 'backstage-plugin-argocd-fleet-common';
import { isRecord, keysPatch, sameJson, type MergePatch } from '../json';
import { changedParts, REDUCED_ANNOTATION } from './reportLimits';

type Statuses = MulticlusterApplicationSetReport['statuses'];

/** More rows than this part of all are not worth an operation for each. */
const FEW = 1 / 10;

/**
 * The least merge patch that makes `existing` say what `desired` says; undefined where nothing differs.
 * @param same - whether a field of the existing statuses is one of the desired; both may be undefined
 */
export function reportPatch(
  existing: Pick<MulticlusterApplicationSetReport, 'metadata'> & {
    readonly statuses?: object;
  },
  desired: MulticlusterApplicationSetReport,
  same: (existing: unknown, desired: unknown) => boolean = sameOrEmpty,
): MergePatch | undefined {
  const labels = keysPatch(existing.metadata.labels, desired.metadata.labels, [
    HOSTING_APPLICATION_SET_LABEL,
  ]);
  const annotations = keysPatch(
    existing.metadata.annotations,
    desired.metadata.annotations,
    [REDUCED_ANNOTATION],
  );
  const statuses = changedFields(existing.statuses, desired.statuses, same);
  return labels || annotations || statuses
    ? {
        ...((labels || annotations) && {
          metadata: {
            ...(labels && { labels }),
            ...(annotations && { annotations }),
          },
        }),
        ...(statuses && { statuses }),
      }
    : undefined;
}

/**
 * The same as operations of a JSON patch on single rows, where few of them, and the summary, are all that a merge patch changes: that can
 * only bring the whole list again. Undefined where more has to change, or where rows came or went.
 */
export function rowOperations(
  patch: MergePatch,
  existing: { readonly clusterConditions?: unknown },
  desired: Statuses,
) {
  const { statuses = {}, ...others } = patch;
  const { clusterConditions: rows, ...more } = statuses as Partial<Statuses>;
  const before = existing.clusterConditions;
  const changed =
    rows && Array.isArray(before) ? changedParts(before, rows) : undefined;
  if (
    !rows ||
    !changed ||
    changed.length > rows.length * FEW ||
    Object.keys({ ...others, ...more }).some(key => key !== 'summary')
  ) {
    return undefined;
  }
  return [
    ...changed.map(index => ({
      op: 'replace' as const,
      path: `/statuses/clusterConditions/${index}`,
      value: rows[index],
    })),
    ...(more.summary
      ? [
          {
            op: 'add' as const,
            path: '/statuses/summary',
            value: desired.summary,
          },
        ]
      : []),
  ];
}

/** The whole of `statuses` is ours, so what we do not say is removed. */
function changedFields(
  existing: object | undefined,
  desired: object,
  same: (existing: unknown, desired: unknown) => boolean,
): Record<string, unknown> | undefined {
  const before = new Map(Object.entries(existing ?? {}));
  const after = new Map(Object.entries(desired));
  const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap(
    key => {
      const [a, b] = [before.get(key), after.get(key)];
      if (same(a, b)) {
        return [];
      }
      const nested =
        isRecord(a) && isRecord(b) ? changedFields(a, b, same) : undefined;
      return [[key, nested ?? b ?? null] as const];
    },
  );
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

/** An empty list and none are the same: Go leaves empty ones out. */
function sameOrEmpty(a: unknown, b: unknown): boolean {
  return sameJson(a ?? [], b ?? []);
}
