import { isJsonObject, ObjectMeta } from 'apimachinery';
import { FieldError } from '../api/fieldErrors';
import { commonMetaErrors } from '../api/objectMetaValidation';
import { memberSchema, StructuralSchema } from './structuralSchema';

const hasEmbeddedByNode = new WeakMap<StructuralSchema, boolean>();

function hasEmbedded(schema: StructuralSchema): boolean {
  let result = hasEmbeddedByNode.get(schema);
  if (result === undefined) {
    result =
      schema['x-kubernetes-embedded-resource'] === true ||
      (schema.items !== undefined && hasEmbedded(schema.items)) ||
      (typeof schema.additionalProperties === 'object' &&
        hasEmbedded(schema.additionalProperties)) ||
      Object.values(schema.properties ?? {}).some(hasEmbedded);
    hasEmbeddedByNode.set(schema, result);
  }
  return result;
}

/** What is wrong with the metadata of the objects that a value holds. */
export function embeddedMetadataErrors(
  value: unknown,
  schema: StructuralSchema,
  path = '',
): FieldError[] {
  if (!hasEmbedded(schema)) {
    return [];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items
      ? value.flatMap((item, index) =>
          embeddedMetadataErrors(item, items, `${path}[${index}]`),
        )
      : [];
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const errors: FieldError[] = [];
  if (
    schema['x-kubernetes-embedded-resource'] &&
    isJsonObject(value.metadata)
  ) {
    errors.push(...commonMetaErrors(value.metadata as ObjectMeta, `${path}.`));
  }
  for (const [name, member] of Object.entries(value)) {
    const below = memberSchema(schema, name);
    if (below) {
      errors.push(
        ...embeddedMetadataErrors(
          member,
          below,
          path ? `${path}.${name}` : name,
        ),
      );
    }
  }
  return errors;
}
