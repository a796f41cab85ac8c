import { isJsonObject } from 'apimachinery';
import { FieldError, fieldDuplicate, fieldInvalid } from '../api/fieldErrors';
import { memberSchema, StructuralSchema } from './structuralSchema';

const hasKeyedListsByNode = new WeakMap<StructuralSchema, boolean>();

function hasKeyedLists(schema: StructuralSchema): boolean {
  let result = hasKeyedListsByNode.get(schema);
  if (result === undefined) {
    const type = schema['x-kubernetes-list-type'];
    result =
      type === 'map' ||
      type === 'set' ||
      (schema.items !== undefined && hasKeyedLists(schema.items)) ||
      (typeof schema.additionalProperties === 'object' &&
        hasKeyedLists(schema.additionalProperties)) ||
      Object.values(schema.properties ?? {}).some(hasKeyedLists);
    hasKeyedListsByNode.set(schema, result);
  }
  return result;
}

/** Finds list items that share a key although their list is declared a map or a set. */
export function listKeyErrors(
  value: unknown,
  schema: StructuralSchema,
  path = '',
): FieldError[] {
  if (!hasKeyedLists(schema)) {
    return [];
  }
  if (Array.isArray(value)) {
    const errors: FieldError[] = [];
    const type = schema['x-kubernetes-list-type'];
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    const seen = new Set<string>();
    value.forEach((item, index) => {
      const itemPath = `${path}[${index}]`;
      if (type === 'map' && !isJsonObject(item)) {
        errors.push(
          fieldInvalid(
            itemPath,
            item,
            'must be an object for an array of list-type map',
          ),
        );
      } else if (type === 'map' || type === 'set') {
        const key =
          type === 'map' && isJsonObject(item)
            ? Object.fromEntries(
                keys.map(name => [
                  name,
                  item[name] ?? schema.items?.properties?.[name]?.default,
                ]),
              )
            : item;
        const text = JSON.stringify(key);
        if (seen.has(text)) {
          errors.push(fieldDuplicate(itemPath, key));
        }
        seen.add(text);
      }
      if (schema.items) {
        errors.push(...listKeyErrors(item, schema.items, itemPath));
      }
    });
    return errors;
  }
  if (!isJsonObject(value)) {
    return [];
  }
  return Object.keys(value).flatMap(name => {
    const member = memberSchema(schema, name);
    return member
      ? listKeyErrors(value[name], member, path ? `${path}.${name}` : name)
      : [];
  });
}
