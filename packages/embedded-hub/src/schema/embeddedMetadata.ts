import { isJsonObject, ObjectMeta } from 'apimachinery';
import { FieldError } from '../api/fieldErrors';
import { commonMetaErrors } from '../api/objectMetaValidation';
import { anySchema, memberSchema, StructuralSchema } from './structuralSchema';

const hasEmbedded = anySchema(
  schema => schema['x-kubernetes-embedded-resource'] === true,
);

/** Validates the metadata of the objects that are embedded in a value. */
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
