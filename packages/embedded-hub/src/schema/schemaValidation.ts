import Ajv, { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { JsonObject } from 'apimachinery';
import { FieldError } from '../api/fieldErrors';
import { toFieldErrors, withoutRejectedAlternatives } from './schemaErrors';
import { StructuralSchema } from './structuralSchema';

const KEYWORDS = [
  'type',
  'format',
  'nullable',
  'required',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'multipleOf',
  'uniqueItems',
] as const;

/** Converts a structural schema to JSON Schema. */
function toJsonSchema(schema: StructuralSchema): JsonObject {
  const result: JsonObject = {};
  for (const keyword of KEYWORDS) {
    if (schema[keyword] !== undefined) {
      result[keyword] = schema[keyword];
    }
  }
  // In OpenAPI 3.0 `exclusiveMinimum` is a flag, in JSON Schema it is the bound.
  if (schema.exclusiveMinimum) {
    delete result.minimum;
    result.exclusiveMinimum = schema.minimum;
  }
  if (schema.exclusiveMaximum) {
    delete result.maximum;
    result.exclusiveMaximum = schema.maximum;
  }
  if (schema.nullable && result.type === undefined) {
    delete result.nullable;
  }
  if (schema['x-kubernetes-int-or-string']) {
    result.type = schema.nullable
      ? ['integer', 'string', 'null']
      : ['integer', 'string'];
    delete result.nullable;
  } else {
    for (const junctor of ['anyOf', 'oneOf', 'allOf'] as const) {
      if (schema[junctor]) {
        result[junctor] = schema[junctor].map(toJsonSchema);
      }
    }
  }
  if (schema.not) {
    result.not = toJsonSchema(schema.not);
  }
  if (schema.items) {
    result.items = toJsonSchema(schema.items);
  }
  if (schema.properties) {
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [
        name,
        toJsonSchema(member),
      ]),
    );
  }
  if (typeof schema.additionalProperties === 'object') {
    result.additionalProperties = toJsonSchema(schema.additionalProperties);
  }
  if (schema['x-kubernetes-embedded-resource']) {
    const own = (result.properties as JsonObject | undefined) ?? {};
    result.properties = {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      ...own,
    };
    result.required = [
      ...new Set(['apiVersion', 'kind', ...(schema.required ?? [])]),
    ];
  }
  return result;
}

/** Validates the formats that Kubernetes validates; both ignore all others. */
function createAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    logger: false,
  });
  addFormats(ajv, [
    'date-time',
    'date',
    'byte',
    'int32',
    'int64',
    'uri',
    'email',
    'ipv4',
    'ipv6',
    'uuid',
    'hostname',
  ]);
  return ajv;
}

/**
 * A function that validates values against a schema. It compiles the schema on first use, which is the expensive part.
 */
export function compileValidation(
  schema: StructuralSchema,
): (value: unknown) => FieldError[] {
  let validate: ValidateFunction | undefined;
  return value => {
    validate ??= createAjv().compile(toJsonSchema(schema));
    if (validate(value)) {
      return [];
    }
    return withoutRejectedAlternatives(validate.errors ?? []).flatMap(error =>
      toFieldErrors(error, value),
    );
  };
}
