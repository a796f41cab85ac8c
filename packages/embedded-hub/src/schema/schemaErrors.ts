import { ErrorObject } from 'ajv';
import { isJsonObject } from 'apimachinery';
import {
  FieldError,
  fieldInvalid,
  fieldNotSupported,
  NO_FIELD,
} from '../api/fieldErrors';

/** Converts a JSON pointer to Kubernetes' form: `/spec/list/0/name` to `spec.list[0].name`. */
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

/** An error that Kubernetes' validator reports without a field path. */
function wholeValueError(detail: string): FieldError {
  return fieldInvalid(NO_FIELD, '', detail);
}

/** The error of a junctor (`oneOf`, `anyOf`, `not`), by ajv's keyword. */
function junctorError(error: ErrorObject, field: string): FieldError {
  const { passingSchemas } = error.params as {
    passingSchemas?: readonly number[] | null;
  };
  switch (error.keyword) {
    case 'oneOf':
      return wholeValueError(
        `"${field}" must validate one and only one schema (oneOf). Found ${
          passingSchemas
            ? `${passingSchemas.length} valid alternatives`
            : 'none valid'
        }`,
      );
    case 'anyOf':
      return wholeValueError(
        `"${field}" must validate at least one schema (anyOf)`,
      );
    default:
      return wholeValueError(`"${field}" must not validate the schema (not)`);
  }
}

function typeErrors(
  error: ErrorObject,
  field: string,
  actual: string,
): FieldError[] {
  const { type } = error.params as { type: string | string[] };
  const expected = Array.isArray(type) ? type.join(',') : type;
  const mismatch: FieldError = {
    reason: 'FieldValueTypeInvalid',
    field,
    value: actual,
    detail: `${field} in body must be of type ${expected}: "${actual}"`,
  };
  return expected === 'integer' && actual === 'number'
    ? [
        mismatch,
        wholeValueError(
          `Checked value must be of type integer (default format) in ${field}`,
        ),
      ]
    : [mismatch];
}

/** Position of the first character that is not base64, as Go's decoder counts it. */
function illegalBase64At(text: string): number {
  const position = text.search(/[^A-Za-z0-9+/=]/);
  return position < 0 ? text.length : position;
}

/** Converts an error of ajv to Kubernetes' words; Kubernetes reports some errors twice. */
export function toFieldErrors(error: ErrorObject, root: unknown): FieldError[] {
  const field = fieldPath(error.instancePath, root);
  switch (error.keyword) {
    case 'type':
      return typeErrors(error, field, jsonTypeOf(error.data));
    case 'oneOf':
    case 'anyOf':
    case 'not':
      return [junctorError(error, field)];
    default:
      return [toFieldError(error, field)];
  }
}

function toFieldError(error: ErrorObject, field: string): FieldError {
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
    case 'maxProperties':
      return {
        reason: 'FieldValueTooMany',
        field,
        value: Object.keys(value as object).length,
        detail: `must have at most ${limit} item${limit === 1 ? '' : 's'}`,
      };
    case 'minProperties':
      return fieldInvalid(
        field,
        value,
        `${body} should have at least ${limit} properties`,
      );
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
    case 'exclusiveMinimum':
      return fieldInvalid(
        field,
        value,
        `${body} should be greater than ${limit}`,
      );
    case 'exclusiveMaximum':
      return fieldInvalid(field, value, `${body} should be less than ${limit}`);
    case 'multipleOf':
      return fieldInvalid(
        field,
        value,
        `${body} should be a multiple of ${
          (error.params as { multipleOf: number }).multipleOf
        }`,
      );
    case 'format': {
      const { format } = error.params as { format: string };
      if (format === 'byte') {
        return {
          reason: 'FieldValueTypeInvalid',
          field,
          value,
          detail: `illegal base64 data at input byte ${illegalBase64At(String(value))}`,
        };
      }
      return typeof value === 'number'
        ? wholeValueError(
            `Checked value must be of type integer with format ${format} in ${field}`,
          )
        : {
            reason: 'FieldValueTypeInvalid',
            field,
            value,
            detail: `${body} must be of type ${format}: ${JSON.stringify(value)}`,
          };
    }
    default:
      return fieldInvalid(
        field,
        value,
        `${body} ${error.message ?? 'is wrong'}`,
      );
  }
}

const JUNCTORS = ['oneOf', 'anyOf'];

/**
 * Removes errors as Kubernetes' validator does: where no alternative of a junctor matches, only the errors of the
 * nearest one remain; where one matches, none.
 */
export function withoutRejectedAlternatives(
  errors: readonly ErrorObject[],
): ErrorObject[] {
  let kept = [...errors];
  for (const junctor of errors.filter(({ keyword }) =>
    JUNCTORS.includes(keyword),
  )) {
    const below = (error: ErrorObject) =>
      error.schemaPath.startsWith(`${junctor.schemaPath}/`) &&
      error.instancePath.startsWith(junctor.instancePath);
    const alternatives = new Map<string, ErrorObject[]>();
    for (const error of kept.filter(below)) {
      const [index] = error.schemaPath
        .slice(junctor.schemaPath.length + 1)
        .split('/');
      alternatives.set(index, [...(alternatives.get(index) ?? []), error]);
    }
    const [nearest = []] = [...alternatives.values()].sort(
      (a, b) => a.length - b.length,
    );
    const passing = (junctor.params as { passingSchemas?: unknown })
      .passingSchemas;
    kept = kept.filter(
      error => !below(error) || (!passing && nearest.includes(error)),
    );
  }
  return kept;
}
