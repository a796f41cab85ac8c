import { hash } from 'node:crypto';
import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';
import stableStringify from 'fast-json-stable-stringify';
import { transformObject } from './transformObject';

type Statuses = MulticlusterApplicationSetReport['statuses'];

/** The statuses of a report as the cache stores them: a fingerprint for each list, all else as it is. */
export type StoredStatuses = {
  readonly [Field in keyof Statuses]?: NonNullable<
    Statuses[Field]
  > extends readonly unknown[]
    ? string
    : Statuses[Field];
};

/** A report as the cache stores it; without statuses where only its metadata are known. */
export interface StoredReport extends Omit<
  MulticlusterApplicationSetReport,
  'statuses'
> {
  readonly statuses?: StoredStatuses;
}

/**
 * Keeps only a fingerprint of each list of a report: a list may be a megabyte, and is only compared ({@link
 * hasContent}). The report given is not changed.
 */
export function transformReport(
  report: MulticlusterApplicationSetReport,
): StoredReport {
  const { statuses, ...rest } = transformObject(report);
  // Metadata alone say nothing about the statuses; a report without statuses that was read as a whole has empty ones.
  return report.kind === 'PartialObjectMetadata'
    ? rest
    : { ...rest, statuses: transformStatuses(statuses) };
}

function transformStatuses(statuses: Statuses | undefined): StoredStatuses {
  return Object.fromEntries(
    Object.entries(statuses ?? {}).map(([field, value]) => [
      field,
      Array.isArray(value) ? fingerprint(inOrder(value)) : value,
    ]),
  );
}

/**
 * Whether a list that was replaced by its fingerprint was this one. An empty list and none are the same: Go leaves
 * empty ones out.
 * @param list - as JSON, with the keys of all its objects in order
 */
export function hasContent(kept: unknown, list: string): boolean {
  return (kept ?? fingerprint('[]')) === fingerprint(list);
}

function fingerprint(text: string): string {
  return hash('sha1', text, 'base64');
}

/**
 * A list as JSON with the keys of all its objects in order. API servers write them so: then the fast `JSON.stringify`
 * is enough.
 */
function inOrder(list: readonly unknown[]): string {
  return isOrdered(list) ? JSON.stringify(list) : stableStringify(list);
}

function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  if (Array.isArray(value)) {
    return value.every(isOrdered);
  }
  const fields = value as Readonly<Record<string, unknown>>;
  let before = '';
  for (const key of Object.keys(fields)) {
    if (key < before || !isOrdered(fields[key])) {
      return false;
    }
    before = key;
  }
  return true;
}
