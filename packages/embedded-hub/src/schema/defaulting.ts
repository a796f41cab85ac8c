import { isJsonObject } from 'apimachinery';
import { copyJson } from '../api/kubernetesObject';
import { anySchema, memberSchema, StructuralSchema } from './structuralSchema';

const hasDefaults = anySchema(schema => schema.default !== undefined);

/** Fills in the defaults of a schema, in place. */
export function applyDefaults(value: unknown, schema: StructuralSchema): void {
  if (!hasDefaults(schema)) {
    return;
  }
  if (Array.isArray(value)) {
    if (schema.items) {
      for (const item of value) {
        applyDefaults(item, schema.items);
      }
    }
    return;
  }
  if (!isJsonObject(value)) {
    return;
  }
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    // A null that the schema does not allow counts as absent where there is a default.
    const absent =
      value[name] === undefined || (value[name] === null && !member.nullable);
    if (absent && member.default !== undefined) {
      value[name] = copyJson(member.default);
    }
  }
  for (const key of Object.keys(value)) {
    const member = memberSchema(schema, key);
    if (member) {
      applyDefaults(value[key], member);
    }
  }
}
