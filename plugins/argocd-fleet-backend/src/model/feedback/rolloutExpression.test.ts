import { evaluateMessage, evaluateRule } from 'simulated-fleet';
import {
  parseRollout,
  PROMOTED_EXPRESSION,
  ROLLOUT_EXPRESSION,
} from './rolloutExpression';

const steps = [
  { setWeight: 20 },
  { pause: {} },
  { setWeight: 60 },
  { pause: { duration: '5m' } },
];
const canary = { strategy: { canary: { steps } } };

/** What comes home of a Rollout. */
function broughtHome(rollout: object) {
  return parseRollout(
    evaluateMessage(ROLLOUT_EXPRESSION, rollout, false) as string,
  );
}

describe('what comes home of an Argo Rollout', () => {
  it('is where a canary is, with the weight that its traffic router reports', () => {
    expect(
      broughtHome({
        spec: canary,
        status: {
          phase: 'Paused',
          message: 'CanaryPauseStep\twith\ntabs',
          currentStepIndex: 1,
          canary: { weights: { canary: { weight: 25 } } },
        },
      }),
    ).toEqual({
      phase: 'Paused',
      strategy: 'canary',
      step: 1,
      steps: 4,
      weight: 25,
      message: 'CanaryPauseStep with tabs',
    });
  });

  it.each([
    [0, {}, 20],
    [1, {}, 20],
    [2, {}, 60],
    [3, {}, 60],
    [4, {}, 100],
    [0, { abort: true }, 0],
  ])(
    'has at step %d (%j) the weight that the steps have set',
    (currentStepIndex, more, weight) => {
      const status = { currentStepIndex, ...more };
      expect(broughtHome({ spec: canary, status })?.weight).toBe(weight);
    },
  );

  it('has no weight before the first step that sets one', () => {
    const spec = { strategy: { canary: { steps: [{ pause: {} }, ...steps] } } };
    expect(broughtHome({ spec, status: { currentStepIndex: 0 } })?.weight).toBe(
      0,
    );
  });

  it('is its phase only where there are no steps', () => {
    const status = { phase: 'Healthy' };
    const blueGreen = { strategy: { blueGreen: { activeService: 'web' } } };
    expect(broughtHome({ spec: blueGreen, status })).toEqual({
      phase: 'Healthy',
      strategy: 'blueGreen',
    });
    expect(broughtHome({ spec: { strategy: { canary: {} } }, status })).toEqual(
      { phase: 'Healthy', strategy: 'canary' },
    );
  });

  it.each([{}, { spec: {}, status: {} }])('is nothing of %j', rollout => {
    expect(broughtHome(rollout)).toEqual({});
    expect(evaluateRule(PROMOTED_EXPRESSION, rollout)).toBe(false);
  });

  it('is bounded', () => {
    const message = '😀'.repeat(100_000);
    const read = broughtHome({ status: { message } });
    expect(read?.message).toBe(`${'😀'.repeat(499)}…`);
  });

  it.each([undefined, '', 'no such key: status', 'argocd-fleet-rollout/2\tx'])(
    'is never read from %j',
    message => expect(parseRollout(message)).toBeUndefined(),
  );

  it('is promoted when Argo Rollouts says that it is healthy', () => {
    const phases = ['Healthy', 'Paused', 'Progressing', 'Degraded'];
    expect(
      phases.filter(phase =>
        evaluateRule(PROMOTED_EXPRESSION, { status: { phase } }),
      ),
    ).toEqual(['Healthy']);
  });
});
