import type { LateAnswer, StoredRound } from '../database';

/**
 * An answer is shown with its age once it was missing in so many rounds in a row. Showing the age changes every row of
 * the cluster, and after a short failure the source is queried again within seconds.
 */
const LATE_AFTER_ROUNDS = 3;

/** Coverage of a round: which clusters it answered, and which earlier answers are kept. */
export interface RoundOutcome {
  readonly startedAt: string;
  /** Clusters that the answer covers only in part or not at all. */
  readonly incomplete: ReadonlySet<string>;
  /** Clusters with at least one answer. */
  readonly answered: ReadonlySet<string>;
  /** Applications without an answer, and their clusters; their earlier answers are kept. */
  readonly kept: readonly (readonly [application: string, cluster: string])[];
}

/**
 * Returns what is late after a round. A cluster without any answer is late as a whole; in a cluster with answers, only
 * the missing Applications are. One entry for each Application would rewrite the whole fleet with every round of a
 * source that is down.
 */
export function updateLateAnswers(
  last: StoredRound,
  { startedAt, incomplete, answered, kept }: RoundOutcome,
): Record<string, LateAnswer> {
  const missedAgain = (before: LateAnswer | undefined): LateAnswer => ({
    since: before?.since ?? last.startedAt ?? startedAt,
    missed: (before?.missed ?? 0) + 1,
  });
  const late: Record<string, LateAnswer> = {};
  for (const cluster of incomplete) {
    late[cluster] = answered.has(cluster)
      ? { since: startedAt, missed: 0 }
      : missedAgain(last.late[cluster]);
  }
  for (const [application, cluster] of kept) {
    const before = last.late[application];
    if (before || answered.has(cluster)) {
      late[application] = missedAgain(before ?? last.late[cluster]);
    }
  }
  return late;
}

/** When an Application was last answered; undefined while its answer is not late enough to show that. */
export function lateSince(
  { late }: StoredRound,
  application: string,
  cluster: string,
): string | undefined {
  return shownAge(late[application] ?? late[cluster]);
}

/** Names of clusters and keys of Applications whose shown age differs between two rounds. */
export function stalenessChanged(
  { late: a }: StoredRound,
  { late: b }: StoredRound,
): ReadonlySet<string> {
  return new Set(
    [...Object.keys(a), ...Object.keys(b)].filter(
      key => shownAge(a[key]) !== shownAge(b[key]),
    ),
  );
}

function shownAge(late: LateAnswer | undefined): string | undefined {
  return late && late.missed >= LATE_AFTER_ROUNDS ? late.since : undefined;
}
