import {
  equalJson,
  isJsonObject,
  JsonObject,
  ManagedFieldsEntry,
  StatusCause,
} from 'apimachinery';
import { copyJson, KubernetesObject } from '../api/kubernetesObject';
import { ApiError } from '../api/statusErrors';
import { memberSchema, StructuralSchema } from '../schema/structuralSchema';
import {
  appliedSet,
  compareFields,
  difference,
  FieldSet,
  intersection,
  isEmptySet,
  itemElement,
  ownable,
  pathsOf,
  structureOf,
  union,
} from './fieldSet';
import {
  entryOf,
  fieldsOf,
  isEntryOf,
  setEntries,
  sortEntries,
  Writer,
} from './managedFields';

/** One server-side apply. */
export interface ApplyRequest {
  readonly live: KubernetesObject | undefined;
  readonly applied: KubernetesObject;
  readonly schema: StructuralSchema;
  readonly writer: Writer;
  /** Takes over fields of other managers; otherwise they are conflicts. */
  readonly force: boolean;
  /** Top-level fields that this endpoint does not write. */
  readonly ignoredFields: readonly string[];
}

/** The live value merged with the applied one, which wins. */
function merge(
  live: unknown,
  applied: unknown,
  schema: StructuralSchema | undefined,
): unknown {
  const structure = structureOf(applied, schema);
  if (structure === 'leaf' || structureOf(live, schema) !== structure) {
    return copyJson(applied);
  }
  if (structure === 'map') {
    const result: JsonObject = { ...(live as JsonObject) };
    for (const [key, value] of Object.entries(applied as JsonObject)) {
      result[key] =
        result[key] === undefined
          ? copyJson(value)
          : merge(result[key], value, memberSchema(schema, key));
    }
    return result;
  }
  const items = new Map(
    (live as unknown[]).map(item => [itemElement(item, schema!), item]),
  );
  for (const item of applied as unknown[]) {
    const element = itemElement(item, schema!);
    items.set(
      element,
      items.has(element)
        ? merge(items.get(element), item, schema?.items)
        : copyJson(item),
    );
  }
  return [...items.values()];
}

/** A value without the fields of `dropped`, except those that contain fields of `kept`. */
function withoutFields(
  value: unknown,
  dropped: FieldSet,
  kept: FieldSet,
  schema: StructuralSchema | undefined,
): unknown {
  if (Array.isArray(value)) {
    return value.flatMap(item => {
      const element = itemElement(item, schema!);
      if (!(element in dropped)) {
        return [item];
      }
      return element in kept
        ? [withoutFields(item, dropped[element], kept[element], schema?.items)]
        : [];
    });
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const element = `f:${key}`;
    if (!(element in dropped)) {
      result[key] = member;
    } else if (element in kept) {
      result[key] = withoutFields(
        member,
        dropped[element],
        kept[element],
        memberSchema(schema, key),
      );
    }
  }
  return result;
}

function describeManager(entry: ManagedFieldsEntry): string {
  let text = `with ${JSON.stringify(entry.manager)}`;
  if (entry.subresource) {
    text += ` with subresource ${JSON.stringify(entry.subresource)}`;
  }
  if (entry.operation === 'Update') {
    text += ` using ${entry.apiVersion}`;
  }
  return text;
}

function applyConflict(
  conflicts: readonly { entry: ManagedFieldsEntry; fields: FieldSet }[],
): ApiError {
  const causes: StatusCause[] = [];
  const lines: string[] = [];
  for (const { entry, fields } of conflicts) {
    const manager = describeManager(entry);
    lines.push(`conflicts ${manager}:`);
    for (const path of pathsOf(fields)) {
      causes.push({
        reason: 'FieldManagerConflict',
        message: `conflict ${manager}`,
        field: path,
      });
      lines.push(`- ${path}`);
    }
  }
  const message =
    causes.length === 1
      ? `Apply failed with 1 conflict: ${causes[0].message}: ${causes[0].field}`
      : `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
  return new ApiError(409, 'Conflict', message, { causes });
}

/**
 * The managed fields of the live object. Fields without a record get a manager of Kubernetes' own, so that they cause
 * conflicts.
 */
function existingEntries(request: ApplyRequest): ManagedFieldsEntry[] {
  const { live, schema, writer } = request;
  const entries = live?.metadata.managedFields ?? [];
  if (!live || entries.length > 0) {
    return entries;
  }
  const everything = ownable(compareFields({}, live, schema).changed);
  const unknown: Writer = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion: writer.apiVersion,
    time: writer.time,
  };
  return isEmptySet(everything) ? [] : [entryOf(unknown, everything)];
}

/**
 * Server-side apply: merges the applied configuration into the live object, removes the fields that the same manager
 * applied before and no longer does, and records the ownership.
 *
 * @throws ApiError 409 when another manager owns a field that would change, unless forced.
 */
export function applyConfiguration(request: ApplyRequest): KubernetesObject {
  const { live, applied, schema, writer } = request;
  const owned = ownable(appliedSet(applied, schema));
  for (const field of request.ignoredFields) {
    delete owned[`f:${field}`];
  }
  const entries = existingEntries(request);
  const previous = entries.find(entry => isEntryOf(entry, writer));
  const others = entries.filter(entry => entry !== previous);

  const configuration: KubernetesObject = { ...applied };
  for (const field of request.ignoredFields) {
    delete configuration[field];
  }
  const merged = (
    live ? merge(live, configuration, schema) : copyJson(configuration)
  ) as KubernetesObject;
  const { changed, removed } = compareFields(live ?? {}, merged, schema);

  const conflicts = others
    .map(entry => ({
      entry,
      fields: intersection(fieldsOf(entry), ownable(changed)),
    }))
    .filter(conflict => !isEmptySet(conflict.fields));
  if (conflicts.length > 0 && !request.force) {
    throw applyConflict(conflicts);
  }

  const lost = union(ownable(changed), ownable(removed));
  const remaining = others
    .map(entry => ({ ...entry, fieldsV1: difference(fieldsOf(entry), lost) }))
    .filter(entry => !isEmptySet(entry.fieldsV1));
  const keptByOthers = remaining.reduce<FieldSet>(
    (kept, entry) => union(kept, fieldsOf(entry)),
    {},
  );
  const result = (
    previous
      ? withoutFields(
          merged,
          fieldsOf(previous),
          union(owned, keptByOthers),
          schema,
        )
      : merged
  ) as KubernetesObject;
  result.metadata = { ...result.metadata };

  const unchanged = previous && equalJson(previous.fieldsV1, owned);
  const own = unchanged ? previous : entryOf(writer, owned);
  setEntries(
    result,
    sortEntries(isEmptySet(owned) ? remaining : [...remaining, own]),
  );
  return result;
}
