/**
 * So many empty answers in a row are rejected where related items are expected: ten minutes with the default schedule.
 */
export const REJECTED_ANSWERS = 60;

/** What to do with an answer: accept it, search again for half of the clusters, or treat it as failed. */
export type EmptyAnswerDecision = 'accept' | 'split' | 'fail';

/** Decides about answers that have Applications but no related items. */
export interface EmptyAnswers {
  /**
   * @param batch - clusters of the search
   * @param withoutRelated - those of them whose Applications should have related items, and have none
   */
  decide(
    batch: readonly string[],
    withoutRelated: readonly string[],
  ): EmptyAnswerDecision;
}

/**
 * Search returns no related items when it times out, when its database fails and when there are none: the three cases
 * look the same. A query that times out for many clusters may succeed for few, so such a batch is split once. An answer
 * that is still empty counts as failed, so that earlier answers are kept. After REJECTED_ANSWERS it is accepted:
 * healthy Applications may have no resources.
 */
export function createEmptyAnswers(): EmptyAnswers {
  /** Empty answers in a row, by cluster. */
  const counts = new Map<string, number>();

  return {
    decide(batch, withoutRelated) {
      if (withoutRelated.length === 0) {
        batch.forEach(cluster => counts.delete(cluster));
        return 'accept';
      }
      if (batch.length > 1 && !withoutRelated.every(each => counts.has(each))) {
        return 'split';
      }
      for (const cluster of withoutRelated) {
        counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
      }
      return withoutRelated.every(each => counts.get(each)! > REJECTED_ANSWERS)
        ? 'accept'
        : 'fail';
    },
  };
}
