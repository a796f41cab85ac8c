import { KubeObject } from '../kubernetes/objects';
import { ConditionRule } from '../kubernetes/workTypes';
import { evaluateConditionRules } from './conditionRules';

const APPLICATION: KubeObject & { status: object } = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'app', namespace: 'ns' },
  status: {
    health: { status: 'Healthy' },
    sync: { status: 'Synced' },
    operationState: { retryCount: 2, message: 'line one\nline\ttwo' },
    resources: [
      {
        version: 'v1',
        kind: 'Service',
        name: 'ui',
        health: { status: 'Healthy' },
      },
      { group: 'apps', version: 'v1', kind: 'Deployment', name: 'ui' },
    ],
  },
};

const rule = (overrides: Partial<ConditionRule>): ConditionRule => ({
  type: 'CEL',
  condition: 'ApplicationReady',
  celExpressions: ['true'],
  ...overrides,
});

const evaluate = (overrides: Partial<ConditionRule>) =>
  evaluateConditionRules(APPLICATION, [rule(overrides)], 7)[0];

describe('condition rules', () => {
  it.each([
    [
      'object.status.health.status == "Healthy" && object.status.sync.status == "Synced"',
      'True',
    ],
    ['object.?status.?health.?status.orValue("") == "Degraded"', 'False'],
    ['has(object.status.missing)', 'False'],
    ['object.status.resources.all(r, has(r.kind))', 'True'],
    ['object.status.operationState.retryCount == 2', 'True'],
    ['hasConditions(object.status)', 'False'],
  ])('evaluates %s to %s', (expression, status) => {
    expect(evaluate({ celExpressions: [expression] })).toEqual({
      type: 'ApplicationReady',
      status,
      reason: 'ConditionRuleEvaluated',
      message:
        status === 'True'
          ? 'Manifest is ApplicationReady'
          : 'Manifest is not ApplicationReady',
      observedGeneration: 7,
    });
  });

  it.each([
    ['result ? "yes" : "no"', 'yes'],
    ['string(object.status.operationState.retryCount)', '2'],
    ['string(object.?status.?absent.orValue(0))', '0'],
    [
      'object.status.operationState.message.replace("\\n", " ").replace("\\t", " ")',
      'line one line two',
    ],
    [
      'object.?status.?resources.orValue([]).map(r, [r.?group.orValue(""), r.kind, r.name, r.?health.?status.orValue("")].join("\\t")).join("\\n")',
      '\tService\tui\tHealthy\napps\tDeployment\tui\t',
    ],
    ['["a", "b"].join(",").substring(0, 1)', 'a'],
    // A character of two UTF-16 units counts once, and a call in a string literal is not replaced.
    ['"😀b".substring(0, 1) + "😀b".substring(1)', '😀b'],
    ['string("😀a😀a".lastIndexOf("a")) + string("😀a".indexOf("a"))', '31'],
    ['".substring(0)" + \'"\'', '.substring(0)"'],
    ['"aaa".replace("a", "b", 2)', 'bba'],
    [
      '"abc".charAt(1) + "abc".reverse() + "%d%%".format([size("héllo")])',
      'bcba5%',
    ],
    [
      'object.status.resources.filter(r, r.?health.?status.orValue("") != "Healthy").size() == 1 ? "one" : "many"',
      'one',
    ],
  ])('evaluates the message expression %s', (messageExpression, message) => {
    expect(evaluate({ messageExpression }).message).toBe(message);
  });

  it.each([
    ['object.status.missing == 1', 'no such key: missing'],
    ['object.status.', 'ERROR: <input>:1:'],
    ['unknownVariable', 'unknown variable: unknownVariable'],
    ['"text"', 'expected bool result, got string'],
    ['cel.bind(a, true, a)', "undeclared reference to 'cel'"],
  ])('reports that %s fails', (expression, message) => {
    expect(evaluate({ celExpressions: [expression] })).toMatchObject({
      status: 'False',
      reason: 'ConditionRuleExpressionError',
      message: expect.stringContaining(message),
    });
  });

  it('keeps the status if only the message expression fails, as the real agent does', () => {
    expect(evaluate({ messageExpression: 'object.no.such' })).toMatchObject({
      status: 'True',
      reason: 'ConditionRuleEvaluated',
      message: expect.stringContaining('no such key'),
    });
  });

  it('rejects an unknown rule type', () => {
    expect(evaluate({ type: 'Lua' })).toMatchObject({
      status: 'Unknown',
      reason: 'ConditionRuleInvalid',
    });
  });
});
