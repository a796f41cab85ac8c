import type { RolloutState } from 'backstage-plugin-argocd-fleet-common';
import { parseWholeNumber } from '../json';
import { named, truncated, withoutSeparators } from './digestExpression';

/** Condition of an observed Rollout, true once it is promoted; {@link parseRollout} reads its message. */
export const ROLLOUT_CONDITION = 'RolloutPromoted';

/** First field of the messages that this version reads. */
const ROLLOUT_MARK = 'argocd-fleet-rollout/1';

/** Limit for the message of Argo Rollouts, in characters. */
const MESSAGE_LENGTH = 500;

/** A canary with more steps has a weight only if Argo Rollouts reports it: CEL has no numeric ranges. */
const MAX_STEPS = 40;

/** CEL text that is true for a Rollout that is healthy at its newest revision. */
export const PROMOTED_EXPRESSION =
  "object.?status.?phase.orValue('')=='Healthy'";

const STEP_INDEXES = Array.from({ length: MAX_STEPS }, (_, index) => index);

/**
 * The weight of the last `setWeight` up to the current step, as Argo Rollouts calculates it: 100 behind the last step,
 * 0 for an aborted Rollout.
 */
const WEIGHT_BY_STEPS =
  `n==0||n>${MAX_STEPS}||!i.hasValue()?'':s.?abort.orValue(false)?'0':i.value()>=n?'100':` +
  `[['0']+[${STEP_INDEXES}].filter(k,k<n&&k<=i.value()&&c[k].?setWeight.hasValue())` +
  `.map(k,string(c[k].setWeight))].map(w,w[w.size()-1])[0]`;

/** CEL text that writes a Rollout (variable `object`) as one line of tab-separated fields. */
export const ROLLOUT_EXPRESSION = named(
  {
    s: 'object.?status',
    y: 'object.?spec.?strategy',
    c: 'y.?canary.?steps.orValue([])',
    n: 'c.size()',
    i: 's.?currentStepIndex',
    w: 's.?canary.?weights.?canary.?weight',
  },
  `[${[
    `'${ROLLOUT_MARK}'`,
    "s.?phase.orValue('')",
    "y.?canary.hasValue()?'canary':y.?blueGreen.hasValue()?'blueGreen':''",
    "i.hasValue()?string(i.value()):''",
    "n>0?string(n):''",
    `w.hasValue()?string(w.value()):${WEIGHT_BY_STEPS}`,
    withoutSeparators(truncated('s.?message', MESSAGE_LENGTH)),
  ]}].join('\\t')`,
);

/** Parses the output of {@link ROLLOUT_EXPRESSION}; undefined for other text. */
export function parseRollout(
  message: string | undefined,
): Omit<RolloutState, 'namespace' | 'name'> | undefined {
  const [mark, phase, strategy, step, steps, weight, text] = (
    message ?? ''
  ).split('\t');
  if (mark !== ROLLOUT_MARK) {
    return undefined;
  }
  return {
    ...(phase && { phase }),
    ...((strategy === 'canary' || strategy === 'blueGreen') && { strategy }),
    ...numberField('step', step),
    ...numberField('steps', steps),
    ...numberField('weight', weight),
    ...(text && { message: text }),
  };
}

function numberField<K extends string>(
  key: K,
  text: string | undefined,
): { [P in K]?: number } {
  const number = parseWholeNumber(text);
  return number === undefined
    ? {}
    : ({ [key]: number } as { [P in K]?: number });
}
