import { isJsonObject } from 'apimachinery';
import { FieldError, fieldDuplicate, fieldInvalid } from '../api/fieldErrors';
import { anySchema, memberSchema, StructuralSchema } from './structuralSchema';

const hasKeyedLists = anySchema(schema =>
  ['map', 'set'].includes(schema['x-kubernetes-list-type'] ?? ''),
);

/** Finds items with the same key in lists of type `map` or `set`. */
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
