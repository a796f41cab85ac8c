/** Kubernetes' reasons for rejecting a field, with the words that introduce each. */
const REASON_WORDS = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
} as const;

export type FieldErrorReason = keyof typeof REASON_WORDS;

/** One rejected field, and why. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Path as Kubernetes writes it, for example `spec.predicates[0].weight`. */
  readonly field: string;
  readonly value?: unknown;
  readonly detail?: string;
}

/** Value of an error whose text must not show the value, although texts of its reason do. */
export const OMITTED_VALUE = Symbol('omitted value');

/** Path of an error that concerns no single field. */
export const NO_FIELD = '<nil>';

/** Reasons whose text does not show the value. */
const WITHOUT_VALUE: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
] as const);

/** The text of a field error without its path: `Invalid value: "x": must be …`. */
export function fieldErrorText(error: FieldError): string {
  let text: string = REASON_WORDS[error.reason];
  if (!WITHOUT_VALUE.has(error.reason) && error.value !== OMITTED_VALUE) {
    text += `: ${JSON.stringify(error.value) ?? 'null'}`;
  }
  return error.detail ? `${text}: ${error.detail}` : text;
}

export function fieldRequired(field: string, detail?: string): FieldError {
  return { reason: 'FieldValueRequired', field, detail };
}

export function fieldInvalid(
  field: string,
  value: unknown,
  detail: string,
): FieldError {
  return { reason: 'FieldValueInvalid', field, value, detail };
}

export function fieldForbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, detail };
}

export function fieldDuplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, value };
}

export function fieldNotSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  return {
    reason: 'FieldValueNotSupported',
    field,
    value,
    detail: `supported values: ${supported
      .map(choice => JSON.stringify(choice))
      .join(', ')}`,
  };
}
