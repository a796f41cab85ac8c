import type { RolloutState } from 'backstage-plugin-argocd-fleet-common';
import { parseWholeNumber } from '../json';
import { ELLIPSIS } from './digestExpression';

/** Condition of an observed Rollout that is true when it is through; its message is what {@link parseRollout} reads. */
export const ROLLOUT_CONDITION = 'RolloutPromoted';

/** First field of a Rollout's message that this version reads. */
const ROLLOUT_MARK = 'argocd-fleet-rollout/1';

/** The most characters of what Argo Rollouts says. */
const MESSAGE_LENGTH = 500;

/** A canary with more steps tells its weight only where Argo Rollouts reports it: CEL cannot count up to a number. */
const MOST_STEPS = 40;

/** CEL text that is true for a Rollout that is healthy at its newest revision. */
export const PROMOTED_EXPRESSION =
  'object.?status.?phase.orValue("") == "Healthy"';

const STEPS = 'object.?spec.?strategy.?canary.?steps.orValue([])';
const STEP = 'object.?status.?currentStepIndex';
const WEIGHT = 'object.?status.?canary.?weights.?canary.?weight';
const PLACES = Array.from({ length: MOST_STEPS }, (_, index) => index);

/**
 * The weight that the last `setWeight` up to the present step has set, as Argo Rollouts works it out; all behind the last step, none
 * where it was aborted.
 */
const WEIGHT_BY_STEPS =
  `${STEPS}.size() == 0 || ${STEPS}.size() > ${MOST_STEPS} || !${STEP}.hasValue() ? "" : ` +
  `object.?status.?abort.orValue(false) ? "0" : ` +
  `${STEP}.value() >= ${STEPS}.size() ? "100" : ` +
  `[["0"] + [${PLACES}].filter(n, n < ${STEPS}.size() && n <= ${STEP}.value() && ${STEPS}[n].?setWeight.hasValue())` +
  `.map(n, string(${STEPS}[n].setWeight))].map(w, w[w.size() - 1])[0]`;

/** CEL text that makes one line of tab-separated fields of a Rollout (variable `object`). */
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

/** Reads what {@link ROLLOUT_EXPRESSION} made; undefined for anything else. */
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
    ...wholeNumber('step', step),
    ...wholeNumber('steps', steps),
    ...wholeNumber('weight', weight),
    ...(text && { message: text }),
  };
}

function wholeNumber<K extends string>(
  key: K,
  text: string | undefined,
): { [P in K]?: number } {
  const number = parseWholeNumber(text);
  return number === undefined
    ? {}
    : ({ [key]: number } as { [P in K]?: number });
}
