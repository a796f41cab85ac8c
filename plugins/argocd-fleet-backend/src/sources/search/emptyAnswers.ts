/** So many answers with nothing in them are not believed where something should be: ten minutes by default. */
export const REJECTED_ANSWERS = 60;

/** What to do with an answer: to take it, to ask again about fewer clusters, or to have it for none. */
export type EmptyAnswerDecision = 'take' | 'ask smaller' | 'fail';

/** Judges answers that tell Applications and nothing that is related to them. */
export interface EmptyAnswers {
  /**
   * @param batch - clusters that were asked about
   * @param withoutRelated - those of them about which something should have been told, and was not
   */
  decide(
    batch: readonly string[],
    withoutRelated: readonly string[],
  ): EmptyAnswerDecision;
}

/**
 * Search answers so when it has no time to find out, when its database fails, and when there is nothing: three things that look the
 * same. What takes too long for many clusters does not for a few, so such a batch is asked again in halves, once. What is empty still is
 * a failure, so that what was said before stays. It is none for ever: a fleet may be healthy, and its Applications have no resources.
 */
export function createEmptyAnswers(): EmptyAnswers {
  /** How often in a row, by cluster. */
  const counts = new Map<string, number>();

  return {
    decide(batch, withoutRelated) {
      if (withoutRelated.length === 0) {
        batch.forEach(cluster => counts.delete(cluster));
        return 'take';
      }
      if (batch.length > 1 && !withoutRelated.every(each => counts.has(each))) {
        return 'ask smaller';
      }
      for (const cluster of withoutRelated) {
        counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
      }
      return withoutRelated.every(each => counts.get(each)! > REJECTED_ANSWERS)
        ? 'take'
        : 'fail';
    },
  };
}
