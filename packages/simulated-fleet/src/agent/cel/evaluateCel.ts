import { toUSVString } from 'node:util';

import { Environment, EvaluationError, ParseError } from '@marcbachmann/cel-js';

import { errorMessage } from '../../runtime/errorMessage';
import { isJsonObject } from '../../kubernetes/json';
import { inCodePoints, withAgentFunctions } from './stringsExtension';

/** An expression does not compile or cannot be evaluated; the message is similar to cel-go's. */
export class CelError extends Error {}

type Compiled = (context: Record<string, unknown>) => unknown;

// The agent evaluates every expression that fits into a ManifestWork. The
// library's lower limits protect servers from untrusted input.
const LIMITS = {
  maxAstNodes: 1_000_000,
  maxDepth: 1_000,
  maxListElements: 100_000,
  maxMapEntries: 100_000,
  maxCallArguments: 1_000,
};

const ruleEnvironment = withAgentFunctions(
  new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  }).registerVariable('object', 'dyn'),
);
const messageEnvironment = withAgentFunctions(
  new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  })
    .registerVariable('object', 'dyn')
    .registerVariable('result', 'bool'),
);

const rules = new Map<string, Compiled>();
const messages = new Map<string, Compiled>();

/**
 * Evaluates one of a condition rule's `celExpressions`.
 *
 * @throws CelError
 */
export function evaluateRule(expression: string, object: unknown): unknown {
  return run(compiled(rules, ruleEnvironment, expression), {
    object: celValue(object),
  });
}

/**
 * Evaluates a condition rule's `messageExpression`; the variable `result` is the rule's result.
 *
 * @throws CelError
 */
export function evaluateMessage(
  expression: string,
  object: unknown,
  result: boolean,
): unknown {
  return run(compiled(messages, messageEnvironment, expression), {
    object: celValue(object),
    result,
  });
}

function compiled(
  cache: Map<string, Compiled>,
  environment: Environment,
  expression: string,
): Compiled {
  const known = cache.get(expression);
  if (known) {
    return known;
  }
  rejectBindings(expression);
  try {
    const parsed = environment.parse(inCodePoints(expression));
    const check = parsed.check();
    if (!check.valid) {
      throw check.error ?? new Error('does not type-check');
    }
    cache.set(expression, parsed as Compiled);
    return parsed as Compiled;
  } catch (error) {
    throw new CelError(
      `ERROR: <input>:${errorPosition(error, expression)}: ${summary(error)}`,
    );
  }
}

/** Rejects `cel.bind`, which the library has and the agent's environment does not. */
function rejectBindings(expression: string) {
  const code = expression.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""');
  if (/\bcel\s*\.\s*bind\s*\(/.test(code)) {
    throw new CelError(
      "ERROR: <input>:1:1: undeclared reference to 'cel' (in container '')",
    );
  }
}

function run(program: Compiled, context: Record<string, unknown>): unknown {
  try {
    return program(context);
  } catch (error) {
    throw new CelError(summary(error));
  }
}

function summary(error: unknown): string {
  const text =
    error instanceof EvaluationError || error instanceof ParseError
      ? error.summary
      : errorMessage(error).split('\n')[0];
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function errorPosition(error: unknown, expression: string): string {
  const start =
    isJsonObject(error) && isJsonObject(error.range) ? error.range.start : 0;
  const before = expression
    .slice(0, typeof start === 'number' ? start : 0)
    .split('\n');
  return `${before.length}:${before[before.length - 1].length + 1}`;
}

/** Converts JSON to CEL values: whole numbers become ints, and invalid Unicode becomes U+FFFD. */
function celValue(value: unknown): unknown {
  if (typeof value === 'string') {
    return toUSVString(value);
  }
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map(celValue);
  }
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, nested]) => nested !== undefined)
        .map(([key, nested]) => [key, celValue(nested)]),
    );
  }
  return value;
}
