import Ajv, { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import {
  FieldError,
  fieldInvalid,
  fieldNotSupported,
} from '../api/fieldErrors';
import { isJsonObject, JsonObject } from '../api/kubernetesObject';
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

/** Turns a structural schema into the JSON Schema that says the same. */
function toJsonSchema(schema: StructuralSchema): JsonObject {
  const result: JsonObject = {};
  for (const keyword of KEYWORDS) {
    if (schema[keyword] !== undefined) {
      result[keyword] = schema[keyword];
    }
  }
  // OpenAPI 3.0 says "exclusive" by a flag, JSON Schema by the bound itself.
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

/** `/spec/list/0/name` as Kubernetes writes it: `spec.list[0].name`. */
function fieldPath(pointer: string, root: unknown): string {
  let path = '';
  let value = root;
  for (const raw of pointer.split('/').slice(1)) {
    const part = raw.replace(/~1/g, '/').replace(/~0/g, '~');
    if (Array.isArray(value)) {
      path += `[${part}]`;
      value = value[Number(part)];
    } else {
      path += path ? `.${part}` : part;
      value = isJsonObject(value) ? value[part] : undefined;
    }
  }
  return path;
}

/** Kubernetes' name for the type of a JSON value. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? 'integer' : 'number';
  }
  return typeof value;
}

function toFieldError(error: ErrorObject, root: unknown): FieldError {
  const field = fieldPath(error.instancePath, root);
  const value = error.data;
  const body = `${field} in body`;
  const limit = (error.params as { limit?: number }).limit;
  switch (error.keyword) {
    case 'required': {
      const missing = (error.params as { missingProperty: string })
        .missingProperty;
      return {
        reason: 'FieldValueRequired',
        field: field ? `${field}.${missing}` : missing,
      };
    }
    case 'type': {
      const type = (error.params as { type: string | string[] }).type;
      const actual = jsonTypeOf(value);
      return {
        reason: 'FieldValueTypeInvalid',
        field,
        value: actual,
        detail: `${body} must be of type ${
          Array.isArray(type) ? type.join(',') : type
        }: "${actual}"`,
      };
    }
    case 'enum':
      return fieldNotSupported(
        field,
        value,
        (error.params as { allowedValues: unknown[] }).allowedValues.map(
          String,
        ),
      );
    case 'pattern':
      return fieldInvalid(
        field,
        value,
        `${body} should match '${(error.params as { pattern: string }).pattern}'`,
      );
    case 'maxLength':
      return {
        reason: 'FieldValueTooLong',
        field,
        detail: `may not be more than ${limit} byte${limit === 1 ? '' : 's'}`,
      };
    case 'maxItems':
      return {
        reason: 'FieldValueTooMany',
        field,
        value: (value as unknown[]).length,
        detail: `must have at most ${limit} item${limit === 1 ? '' : 's'}`,
      };
    case 'minLength':
      return fieldInvalid(
        field,
        value,
        `${body} should be at least ${limit} chars long`,
      );
    case 'minItems':
      return fieldInvalid(
        field,
        value,
        `${body} should have at least ${limit} items`,
      );
    case 'minimum':
      return fieldInvalid(
        field,
        value,
        `${body} should be greater than or equal to ${limit}`,
      );
    case 'maximum':
      return fieldInvalid(
        field,
        value,
        `${body} should be less than or equal to ${limit}`,
      );
    case 'format':
      return fieldInvalid(
        field,
        value,
        `${body} must be of type ${
          (error.params as { format: string }).format
        }: ${JSON.stringify(value)}`,
      );
    default:
      return fieldInvalid(
        field,
        value,
        `${body} ${error.message ?? 'is wrong'}`,
      );
  }
}

/** Kubernetes checks these formats; it ignores all others, so we do too. */
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

/** Compiles a schema (on first use: compiling is what costs) into a function that names each wrong field. */
export function compileValidation(
  schema: StructuralSchema,
): (value: unknown) => FieldError[] {
  let validate: ValidateFunction | undefined;
  return value => {
    validate ??= createAjv().compile(toJsonSchema(schema));
    if (validate(value)) {
      return [];
    }
    return (validate.errors ?? []).map(error => toFieldError(error, value));
  };
}
