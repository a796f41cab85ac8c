import type { RolloutState } from 'backstage-plugin-argocd-fleet-common';
import { parseWholeNumber } from '../json';
import { ELLIPSIS } from './digestExpression';

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
  'object.?status.?phase.orValue("") == "Healthy"';

const STEPS = 'object.?spec.?strategy.?canary.?steps.orValue([])';
const STEP = 'object.?status.?currentStepIndex';
const WEIGHT = 'object.?status.?canary.?weights.?canary.?weight';
const STEP_INDEXES = Array.from({ length: MAX_STEPS }, (_, index) => index);

/**
 * The weight of the last `setWeight` up to the current step, as Argo Rollouts calculates it: 100 behind the last step,
 * 0 for an aborted Rollout.
 */
const WEIGHT_BY_STEPS =
  `${STEPS}.size() == 0 || ${STEPS}.size() > ${MAX_STEPS} || !${STEP}.hasValue() ? "" : ` +
  `object.?status.?abort.orValue(false) ? "0" : ` +
  `${STEP}.value() >= ${STEPS}.size() ? "100" : ` +
  `[["0"] + [${STEP_INDEXES}].filter(n, n < ${STEPS}.size() && n <= ${STEP}.value() && ${STEPS}[n].?setWeight.hasValue())` +
  `.map(n, string(${STEPS}[n].setWeight))].map(w, w[w.size() - 1])[0]`;

/** CEL text that writes a Rollout (variable `object`) as one line of tab-separated fields. */
export const ROLLOUT_EXPRESSION = `[${[
  JSON.stringify(ROLLOUT_MARK),
  'object.?status.?phase.orValue("")',
  'object.?spec.?strategy.?canary.hasValue() ? "canary" : object.?spec.?strategy.?blueGreen.hasValue() ? "blueGreen" : ""',
  `${STEP}.hasValue() ? string(${STEP}.value()) : ""`,
  `${STEPS}.size() > 0 ? string(${STEPS}.size()) : ""`,
  `${WEIGHT}.hasValue() ? string(${WEIGHT}.value()) : ${WEIGHT_BY_STEPS}`,
  `[object.?status.?message.orValue("")].map(m, m.size() > ${MESSAGE_LENGTH} ? m.substring(0, ${
    MESSAGE_LENGTH - 1
  }) + ${ELLIPSIS} : m)[0].replace("\\t", " ").replace("\\n", " ")`,
].join(', ')}].join("\\t")`;

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
