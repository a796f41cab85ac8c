import { Condition, KubeObject, NewCondition } from '../kubernetes/objects';
import { errorMessage } from '../runtime/errorMessage';
import { ConditionRule } from '../kubernetes/workTypes';
import { evaluateMessage, evaluateRule } from './cel/evaluateCel';

const EVALUATED = 'ConditionRuleEvaluated';
const EXPRESSION_ERROR = 'ConditionRuleExpressionError';

const JOB_COMPLETE = `hasConditions(object.status)
  ? object.status.conditions.exists(c, c.type in ["Complete", "Failed"] && c.status == "True")
  : false`;

/** OCM's own rules for `WellKnownConditions`, by apiVersion, kind and condition. */
const WELL_KNOWN: Readonly<Record<string, Partial<ConditionRule>>> = {
  'batch/v1/Job/Complete': {
    celExpressions: [JOB_COMPLETE],
    messageExpression: 'result ? "Job is finished" : "Job is not finished"',
  },
  'v1/Pod/Complete': {
    celExpressions: ['object.status.phase in ["Succeeded", "Failed"]'],
    messageExpression: '"Pod is in phase " + object.status.phase',
  },
};

/** True for the conditions of condition rules. */
export function isFromRule({ reason }: Pick<Condition, 'reason'>): boolean {
  return reason.startsWith('ConditionRule');
}

/** Evaluates a manifest's condition rules; a failing rule yields a condition with the error as its message. */
export function evaluateConditionRules(
  object: KubeObject,
  rules: readonly ConditionRule[],
  generation: number,
): NewCondition[] {
  return rules.flatMap(rule => {
    const { type, condition } = rule;
    if (type === 'WellKnownConditions') {
      const known =
        WELL_KNOWN[`${object.apiVersion}/${object.kind}/${condition}`];
      return known
        ? [
            evaluate(
              object,
              {
                ...rule,
                celExpressions: known.celExpressions,
                messageExpression:
                  rule.messageExpression || known.messageExpression,
              },
              generation,
            ),
          ]
        : [];
    }
    if (type !== 'CEL') {
      return [
        {
          type: condition,
          status: 'Unknown' as const,
          reason: 'ConditionRuleInvalid',
          message: `unrecognized condition rule type ${type}`,
          observedGeneration: generation,
        },
      ];
    }
    return [evaluate(object, rule, generation)];
  });
}

function evaluate(
  object: KubeObject,
  rule: ConditionRule,
  observedGeneration: number,
): NewCondition {
  const base = { type: rule.condition, observedGeneration };
  let passed: boolean;
  try {
    passed = allTrue(object, rule.celExpressions ?? []);
  } catch (error) {
    return {
      ...base,
      status: 'False',
      reason: EXPRESSION_ERROR,
      message: errorMessage(error),
    };
  }
  return {
    ...base,
    status: passed ? 'True' : 'False',
    reason: EVALUATED,
    message: ruleMessage(object, rule, passed),
  };
}

function allTrue(object: KubeObject, expressions: readonly string[]): boolean {
  return expressions.every(expression => {
    const value = evaluateRule(expression, object);
    if (typeof value !== 'boolean') {
      throw new Error(`expected bool result, got ${celType(value)}`);
    }
    return value;
  });
}

function ruleMessage(
  object: KubeObject,
  { condition, message, messageExpression }: ConditionRule,
  passed: boolean,
): string {
  if (messageExpression) {
    try {
      const value = evaluateMessage(messageExpression, object, passed);
      if (typeof value !== 'string') {
        throw new Error(
          `expected message expression to have a string result, got ${celType(
            value,
          )}`,
        );
      }
      if (value !== '') {
        return value;
      }
    } catch (error) {
      // As in the real agent, a failing message expression does not change the
      // rule's status; the error becomes the message.
      return errorMessage(error);
    }
  }
  return message || `Manifest is ${passed ? '' : 'not '}${condition}`;
}

function celType(value: unknown): string {
  return typeof value === 'bigint' ? 'int64' : typeof value;
}
