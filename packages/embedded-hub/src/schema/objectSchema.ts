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
  /**
   * What is wrong with the rest. CEL rules are evaluated only over an object that has the form that they expect: `found` is what is wrong
   * with it already.
   */
  validate(
    object: KubernetesObject,
    old?: KubernetesObject,
    found?: readonly FieldError[],
  ): FieldError[];
}

/** Errors after which a rule would look at an object of another form than it was written for. */
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
