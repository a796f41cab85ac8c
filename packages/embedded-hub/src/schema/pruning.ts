import { isJsonObject, JsonObject } from 'apimachinery';
import { memberSchema, StructuralSchema } from './structuralSchema';

/** A null that the schema does not allow counts as absent. Where there is a default, defaulting replaces it later. */
function isDroppedWhenNull(schema: StructuralSchema): boolean {
  return !schema.nullable && schema.default === undefined;
}

const EMBEDDED_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

function keepsUnknown(schema: StructuralSchema): boolean {
  return Boolean(
    schema['x-kubernetes-preserve-unknown-fields'] ||
    schema.additionalProperties === true,
  );
}

/** Removes the fields that a schema does not specify, in place, and calls `onUnknown` with the path of each. */
export function prune(
  value: unknown,
  schema: StructuralSchema,
  onUnknown: (path: string) => void,
  path = '',
): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) {
      value.forEach((item, index) =>
        prune(item, items, onUnknown, `${path}[${index}]`),
      );
    }
  } else if (isJsonObject(value)) {
    pruneObject(value, schema, onUnknown, path);
  }
}

function pruneObject(
  value: JsonObject,
  schema: StructuralSchema,
  onUnknown: (path: string) => void,
  path: string,
): void {
  const keepAll = keepsUnknown(schema);
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  for (const key of Object.keys(value)) {
    const member = memberSchema(schema, key);
    const memberPath = path ? `${path}.${key}` : key;
    if (value[key] === null && member && isDroppedWhenNull(member)) {
      delete value[key];
    } else if (member) {
      prune(value[key], member, onUnknown, memberPath);
    } else if (!keepAll && !(embedded && EMBEDDED_FIELDS.has(key))) {
      onUnknown(memberPath);
      delete value[key];
    }
  }
}
