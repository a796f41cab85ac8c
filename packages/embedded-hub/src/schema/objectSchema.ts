import { FieldError, FieldErrorReason, NO_FIELD } from '../api/fieldErrors';
import { KubernetesObject } from '../api/kubernetesObject';
import { celErrors, hasRules } from './celRules';
import { applyDefaults } from './defaulting';
import { embeddedMetadataErrors } from './embeddedMetadata';
import { listKeyErrors } from './listKeyValidation';
import { prune } from './pruning';
import { compileValidation } from './schemaValidation';
import {
  OBJECT_META_SCHEMA,
  StructuralSchema,
  withObjectFields,
} from './structuralSchema';

/** The schema of a resource and the operations that depend on it. */
export interface ObjectSchema {
  /** The whole object's schema, metadata included. */
  readonly structure: StructuralSchema;
  /** Removes fields that the schema does not specify, in place, and returns their paths. */
  prune(object: KubernetesObject): string[];
  /** Fills in defaults in place. */
  applyDefaults(object: KubernetesObject): void;
  /** Type errors in the metadata; an object with such errors cannot be decoded. */
  metadataTypeErrors(object: KubernetesObject): FieldError[];
  /**
   * Validates the rest. `found` are the errors found before: CEL rules are evaluated only over an object whose
   * structure is valid.
   */
  validate(
    object: KubernetesObject,
    old?: KubernetesObject,
    found?: readonly FieldError[],
  ): FieldError[];
}

/** Errors after which CEL rules are not evaluated, since the structure of the object is not valid. */
const BLOCKING: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
] as const);

const RULES_NOT_CHECKED: FieldError = {
  reason: 'FieldValueInvalid',
  field: NO_FIELD,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

const validateMetadata = compileValidation({
  type: 'object',
  properties: { metadata: OBJECT_META_SCHEMA },
});

/** Prepares the schema of a resource; validation is compiled on first use. */
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
    validate(object, old, found = []) {
      const errors = [
        ...validateBody(object),
        ...embeddedMetadataErrors(object, schema),
        ...listKeyErrors(object, structure),
      ];
      if (!hasRules(schema)) {
        return errors;
      }
      return [...found, ...errors].some(({ reason }) => BLOCKING.has(reason))
        ? [...errors, RULES_NOT_CHECKED]
        : [...errors, ...celErrors(object, old, schema)];
    },
  };
}
