import { ManagedFieldsEntry } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { StructuralSchema } from '../schema/structuralSchema';
import {
  compareFields,
  difference,
  FieldSet,
  isEmptySet,
  ownable,
  union,
} from './fieldSet';

/** The field manager of a write, and how it writes. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Subresource of the write, such as `status`. */
  readonly subresource?: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
}

export function fieldsOf(entry: ManagedFieldsEntry): FieldSet {
  return (entry.fieldsV1 ?? {}) as FieldSet;
}

/** Whether an entry belongs to this writer. */
export function isEntryOf(entry: ManagedFieldsEntry, writer: Writer): boolean {
  return (
    entry.manager === writer.manager &&
    entry.operation === writer.operation &&
    // A manager that applies keeps its entry when it changes the version.
    (writer.operation === 'Apply' || entry.apiVersion === writer.apiVersion) &&
    (entry.subresource ?? '') === (writer.subresource ?? '')
  );
}

/** The entry of a writer that owns `fields`. */
export function entryOf(writer: Writer, fields: FieldSet): ManagedFieldsEntry {
  return {
    manager: writer.manager,
    operation: writer.operation,
    apiVersion: writer.apiVersion,
    time: writer.time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(writer.subresource ? { subresource: writer.subresource } : {}),
  };
}

/** Kubernetes' order: applies first, then by time, then by name. */
export function sortEntries(
  entries: ManagedFieldsEntry[],
): ManagedFieldsEntry[] {
  const key = (entry: ManagedFieldsEntry) =>
    [
      entry.operation,
      entry.time,
      entry.manager,
      entry.apiVersion,
      entry.subresource,
    ].join('\0');
  return entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The entries before an update: those in the request, else the stored ones; `[{}]` resets them. */
function startingEntries(
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  subresource: string | undefined,
): readonly ManagedFieldsEntry[] {
  const stored = old?.metadata.managedFields ?? [];
  const sent = (object.metadata.managedFields ?? []).filter(
    ({ operation }) => operation === 'Apply' || operation === 'Update',
  );
  return subresource || sent.length === 0 ? stored : sent;
}

/** Records a write other than apply: the writer becomes the only owner of the fields that it changed. */
export function recordUpdate(
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  schema: StructuralSchema,
  writer: Writer,
): void {
  const sent = object.metadata.managedFields;
  if (sent?.length === 1 && Object.keys(sent[0]).length === 0) {
    delete object.metadata.managedFields;
    return;
  }
  const comparison = compareFields(old ?? {}, object, schema);
  const changed = ownable(comparison.changed);
  const removed = ownable(comparison.removed);
  const start = startingEntries(object, old, writer.subresource);
  if (isEmptySet(changed) && isEmptySet(removed)) {
    setEntries(object, [...start]);
    return;
  }
  const lost = union(changed, removed);
  const entries: ManagedFieldsEntry[] = [];
  let own = changed;
  for (const entry of start) {
    if (isEntryOf(entry, writer)) {
      own = union(difference(fieldsOf(entry), removed), changed);
    } else {
      const kept = difference(fieldsOf(entry), lost);
      if (!isEmptySet(kept)) {
        entries.push({ ...entry, fieldsV1: kept });
      }
    }
  }
  if (!isEmptySet(own)) {
    entries.push(entryOf(writer, own));
  }
  setEntries(object, sortEntries(entries));
}

/** Replaces the entries of an object; without entries the object has no `managedFields`. */
export function setEntries(
  object: KubernetesObject,
  entries: ManagedFieldsEntry[],
): void {
  if (entries.length > 0) {
    object.metadata.managedFields = entries;
  } else {
    delete object.metadata.managedFields;
  }
}

/** The field manager of a request that names none: the program in its user agent. */
export function managerFromUserAgent(userAgent: string | undefined): string {
  const program = (userAgent ?? '').split('/')[0].replace(/[^\x20-\x7e]/g, '');
  return program.slice(0, 128) || 'unknown';
}
