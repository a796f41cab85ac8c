import { createHash } from 'node:crypto';
import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';
import { transformObject } from './transformObject';

type Loose = Readonly<Record<string, unknown>>;

/**
 * Keeps of each list of a report only a fingerprint: of a megabyte, nothing is ever asked but whether it says what it should
 * ({@link hasContent}). The object given is not changed.
 */
export function transformReport(
  report: MulticlusterApplicationSetReport,
): MulticlusterApplicationSetReport {
  const slim = transformObject(report);
  if (report.kind === 'PartialObjectMetadata') {
    // It says nothing of what the report says; one that was read and is empty has empty statuses.
    return slim;
  }
  return {
    ...slim,
    statuses: Object.fromEntries(
      Object.entries(slim.statuses ?? {}).map(([key, value]) => [
        key,
        Array.isArray(value) ? fingerprint(inOrder(value)) : value,
      ]),
    ) as unknown as MulticlusterApplicationSetReport['statuses'],
  };
}

/**
 * Whether a list that was replaced by its fingerprint was this one. An empty list and none are the same: Go leaves empty ones out.
 * @param list - as JSON, with the keys of all its objects in order
 */
export function hasContent(kept: unknown, list: string): boolean {
  return (kept ?? fingerprint('[]')) === fingerprint(list);
}

function fingerprint(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** A list as JSON with the keys of all its objects in order; so they nearly always come. */
function inOrder(list: readonly unknown[]): string {
  return isOrdered(list) ? JSON.stringify(list) : canonical(list);
}

/** Whether the keys of all objects are in order, as an API server writes them. */
function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  if (Array.isArray(value)) {
    return value.every(isOrdered);
  }
  let before = '';
  for (const key of Object.keys(value)) {
    if (key < before || !isOrdered((value as Loose)[key])) {
      return false;
    }
    before = key;
  }
  return true;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join()}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'null';
  }
  const fields = value as Loose;
  return `{${Object.keys(fields)
    .sort()
    .filter(key => fields[key] !== undefined)
    .map(key => `${JSON.stringify(key)}:${canonical(fields[key])}`)
    .join()}}`;
}
