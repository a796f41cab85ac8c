import {
  HOSTING_APPLICATION_SET_LABEL,
  type MulticlusterApplicationSetReport,
} from 'backstage-plugin-argocd-fleet-common';
import { isRecord, keysPatch, sameJson, type MergePatch } from '../json';
import {
  changedParts,
  REDUCED_ANNOTATION,
  type ReportParts,
  type WrittenReport,
} from './reportLimits';

type Statuses = MulticlusterApplicationSetReport['statuses'];

/** If more than this part of all rows changed, the whole list is written. */
const FEW = 1 / 10;

/** Whether a field of the existing statuses has the desired value; both values may be undefined. */
export type SameField = (
  existing: unknown,
  desired: unknown,
  field: string,
) => boolean;

/** The least merge patch that turns `existing` into `desired`; undefined where nothing differs. */
export function reportPatch(
  existing: Pick<MulticlusterApplicationSetReport, 'metadata'> & {
    readonly statuses?: object;
  },
  desired: MulticlusterApplicationSetReport,
  same: SameField = sameOrEmpty,
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
 * The patch as operations of a JSON patch on single rows, if it changes only few rows and the summary: a merge patch
 * can only replace the whole list. Undefined if more has to change, or if rows were added or removed.
 * @param existing - the lists that the hub has; undefined where they are not known
 */
export function rowOperations(
  patch: MergePatch,
  existing: ReportParts | undefined,
  desired: WrittenReport,
) {
  const { statuses = {}, ...others } = patch;
  const { clusterConditions: rows, ...more } = statuses as Partial<Statuses>;
  const changed =
    existing &&
    changedParts(existing.clusterConditions, desired.parts.clusterConditions);
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
            value: desired.report.statuses.summary,
          },
        ]
      : []),
  ];
}

/** The whole of `statuses` is ours: fields that are not desired are removed. */
function changedFields(
  existing: object | undefined,
  desired: object,
  same: SameField,
): Record<string, unknown> | undefined {
  const before = new Map(Object.entries(existing ?? {}));
  const after = new Map(Object.entries(desired));
  const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap(
    key => {
      const [a, b] = [before.get(key), after.get(key)];
      if (same(a, b, key)) {
        return [];
      }
      const nested =
        isRecord(a) && isRecord(b) ? changedFields(a, b, same) : undefined;
      return [[key, nested ?? b ?? null] as const];
    },
  );
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

/** An empty list equals a missing one: Go leaves empty lists out. */
function sameOrEmpty(a: unknown, b: unknown): boolean {
  return sameJson(a ?? [], b ?? []);
}
