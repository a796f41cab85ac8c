import { Environment } from '@marcbachmann/cel-js';
import { isJsonObject } from 'apimachinery';
import {
  FieldError,
  FieldErrorReason,
  fieldInvalid,
  OMITTED_VALUE,
} from '../api/fieldErrors';
import {
  anySchema,
  memberSchema,
  StructuralSchema,
  ValidationRule,
} from './structuralSchema';

interface CompiledRule {
  readonly rule: ValidationRule;
  /** Transition rules compare with the old value, so they run only on updates. */
  readonly usesOldSelf: boolean;
  evaluate(context: { self: unknown; oldSelf: unknown }): unknown;
  message?(context: { self: unknown; oldSelf: unknown }): unknown;
}

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: false,
})
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn');

const rulesByNode = new WeakMap<StructuralSchema, readonly CompiledRule[]>();

/** Converts JSON to CEL values. CEL integers are BigInts; in JSON only the schema tells integers from other numbers. */
function toCel(value: unknown, schema: StructuralSchema | undefined): unknown {
  if (typeof value === 'number') {
    const integer =
      schema?.type === 'integer' || schema?.['x-kubernetes-int-or-string'];
    return integer && Number.isInteger(value) ? BigInt(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map(item => toCel(item, schema?.items));
  }
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        toCel(member, memberSchema(schema, key)),
      ]),
    );
  }
  return value;
}

function compileRule(rule: ValidationRule): CompiledRule {
  return {
    rule,
    usesOldSelf: /\boldSelf\b/.test(rule.rule),
    evaluate: environment.parse(rule.rule),
    message: rule.messageExpression
      ? environment.parse(rule.messageExpression)
      : undefined,
  };
}

function rulesOf(schema: StructuralSchema): readonly CompiledRule[] {
  let rules = rulesByNode.get(schema);
  if (!rules) {
    rules = (schema['x-kubernetes-validations'] ?? []).map(compileRule);
    rulesByNode.set(schema, rules);
  }
  return rules;
}

/**
 * Errors for the rules of a schema, and below it, that cannot be compiled; `path` is that of the schema in its
 * definition.
 */
export function ruleErrors(
  schema: StructuralSchema,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  (schema['x-kubernetes-validations'] ?? []).forEach((rule, index) => {
    try {
      compileRule(rule);
    } catch (error) {
      errors.push(
        fieldInvalid(
          `${path}.x-kubernetes-validations[${index}].rule`,
          rule,
          `compilation failed: ${
            error instanceof Error ? error.message : String(error)
          }`,
        ),
      );
    }
  });
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    errors.push(...ruleErrors(member, `${path}.properties[${name}]`));
  }
  if (schema.items) {
    errors.push(...ruleErrors(schema.items, `${path}.items`));
  }
  if (typeof schema.additionalProperties === 'object') {
    errors.push(
      ...ruleErrors(
        schema.additionalProperties,
        `${path}.additionalProperties`,
      ),
    );
  }
  return errors;
}

function ruleError(
  compiled: CompiledRule,
  context: { self: unknown; oldSelf: unknown },
  value: unknown,
  path: string,
): FieldError | undefined {
  const { rule } = compiled;
  const field = `${path}${rule.fieldPath ?? ''}`;
  try {
    if (compiled.evaluate(context) === true) {
      return undefined;
    }
  } catch (error) {
    return {
      reason: 'FieldValueInvalid',
      field,
      value,
      detail: `rule evaluation error: ${String(error)}`,
    };
  }
  return {
    reason:
      (rule.reason as FieldErrorReason | undefined) ?? 'FieldValueInvalid',
    field,
    value: typeof value === 'object' ? OMITTED_VALUE : value,
    detail: messageOf(compiled, context),
  };
}

function messageOf(
  compiled: CompiledRule,
  context: { self: unknown; oldSelf: unknown },
): string {
  const fallback =
    compiled.rule.message ?? `failed rule: ${compiled.rule.rule}`;
  if (!compiled.message) {
    return fallback;
  }
  try {
    const message = compiled.message(context);
    return typeof message === 'string' && message.trim() ? message : fallback;
  } catch {
    // Kubernetes falls back to the plain message when the expression fails.
    return fallback;
  }
}

/** Whether a schema or any schema below it has rules. @throws when a rule cannot be compiled. */
export const hasRules = anySchema(schema => rulesOf(schema).length > 0);

/** Evaluates the CEL rules of a schema over a value and, on updates, the old value. */
export function celErrors(
  value: unknown,
  old: unknown,
  schema: StructuralSchema,
  path = '',
): FieldError[] {
  if (!hasRules(schema)) {
    return [];
  }
  if (value === undefined || value === null) {
    return [];
  }
  const errors: FieldError[] = [];
  const rules = rulesOf(schema);
  if (rules.length > 0) {
    const context = {
      self: toCel(value, schema),
      oldSelf: toCel(old, schema),
    };
    for (const rule of rules) {
      if (!rule.usesOldSelf || old !== undefined) {
        const error = ruleError(rule, context, value, path);
        if (error) {
          errors.push(error);
        }
      }
    }
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    const keys = schema['x-kubernetes-list-map-keys'];
    value.forEach((item, index) => {
      if (items) {
        const oldItem =
          keys && Array.isArray(old)
            ? old.find(candidate =>
                keys.every(key => candidate?.[key] === item?.[key]),
              )
            : undefined;
        errors.push(...celErrors(item, oldItem, items, `${path}[${index}]`));
      }
    });
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const member = memberSchema(schema, name);
      if (member) {
        errors.push(
          ...celErrors(
            value[name],
            isJsonObject(old) ? old[name] : undefined,
            member,
            path ? `${path}.${name}` : name,
          ),
        );
      }
    }
  }
  return errors;
}
