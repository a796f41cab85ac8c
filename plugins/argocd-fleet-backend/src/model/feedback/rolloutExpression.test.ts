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

/** What the agent reports about a Rollout, as the hub reads it. */
function reportedState(rollout: object) {
  return parseRollout(
    evaluateMessage(ROLLOUT_EXPRESSION, rollout, false) as string,
  );
}

describe('the reported state of an Argo Rollout', () => {
  it('is the step of a canary, with the weight that its traffic router reports', () => {
    expect(
      reportedState({
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
    'has at step %d (%j) the weight of the last setWeight',
    (currentStepIndex, more, weight) => {
      const status = { currentStepIndex, ...more };
      expect(reportedState({ spec: canary, status })?.weight).toBe(weight);
    },
  );

  it('has no weight before the first step that sets one', () => {
    const spec = { strategy: { canary: { steps: [{ pause: {} }, ...steps] } } };
    expect(
      reportedState({ spec, status: { currentStepIndex: 0 } })?.weight,
    ).toBe(0);
  });

  it('is the phase and the strategy if there are no steps', () => {
    const status = { phase: 'Healthy' };
    const blueGreen = { strategy: { blueGreen: { activeService: 'web' } } };
    expect(reportedState({ spec: blueGreen, status })).toEqual({
      phase: 'Healthy',
      strategy: 'blueGreen',
    });
    expect(
      reportedState({ spec: { strategy: { canary: {} } }, status }),
    ).toEqual({ phase: 'Healthy', strategy: 'canary' });
  });

  it.each([{}, { spec: {}, status: {} }])('is empty for %j', rollout => {
    expect(reportedState(rollout)).toEqual({});
    expect(evaluateRule(PROMOTED_EXPRESSION, rollout)).toBe(false);
  });

  it('has a message of limited length', () => {
    const message = '😀'.repeat(100_000);
    const read = reportedState({ status: { message } });
    expect(read?.message).toBe(`${'😀'.repeat(499)}…`);
  });

  it.each([undefined, '', 'no such key: status', 'argocd-fleet-rollout/2\tx'])(
    'is undefined for the message %j',
    message => expect(parseRollout(message)).toBeUndefined(),
  );

  it('is promoted if the phase is Healthy', () => {
    const phases = ['Healthy', 'Paused', 'Progressing', 'Degraded'];
    expect(
      phases.filter(phase =>
        evaluateRule(PROMOTED_EXPRESSION, { status: { phase } }),
      ),
    ).toEqual(['Healthy']);
  });

  it('takes at most 1,000 bytes of a work for each Rollout', () => {
    const stored = JSON.stringify(ROLLOUT_EXPRESSION);
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(1_000);
  });
});
