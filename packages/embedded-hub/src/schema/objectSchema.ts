import { FieldError } from '../api/fieldErrors';
import { KubernetesObject } from '../api/kubernetesObject';
import { celErrors } from './celRules';
import { applyDefaults } from './defaulting';
import { listKeyErrors } from './listKeyValidation';
import { prune } from './pruning';
import { compileValidation } from './schemaValidation';
import {
  OBJECT_META_SCHEMA,
  StructuralSchema,
  withObjectFields,
} from './structuralSchema';

/** What the server does with the objects of a resource by its schema. */
export interface ObjectSchema {
  /** The whole object's schema, metadata included. */
  readonly structure: StructuralSchema;
  /** Removes unspecified fields in place and returns their paths. */
  prune(object: KubernetesObject): string[];
  /** Fills in defaults in place. */
  applyDefaults(object: KubernetesObject): void;
  /** What is wrong with the types of the metadata; those make the object unreadable. */
  metadataTypeErrors(object: KubernetesObject): FieldError[];
  /** What is wrong with the rest. */
  validate(object: KubernetesObject, old?: KubernetesObject): FieldError[];
}

const validateMetadata = compileValidation({
  type: 'object',
  properties: { metadata: OBJECT_META_SCHEMA },
});

/** Makes the schema of a resource usable. */
export function createObjectSchema(schema: StructuralSchema): ObjectSchema {
  const structure = withObjectFields(schema);
  const validateBody = compileValidation(schema);
  return {
    structure,
    prune(object) {
      const unknown: string[] = [];
      prune(object, structure, path => unknown.push(path));
      return unknown;
    },
    applyDefaults: object => applyDefaults(object, schema),
    metadataTypeErrors: object => validateMetadata(object),
    validate(object, old) {
      const errors = validateBody(object);
      return errors.length > 0
        ? errors
        : [
            ...listKeyErrors(object, structure),
            ...celErrors(object, old, schema),
          ];
    },
  };
}
