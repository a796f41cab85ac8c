import type { LateAnswer, StoredRound } from '../database';

/**
 * An answer is marked with its age once it was missing so many times in a row: a mark changes every row of the clusters concerned, and a
 * source that stumbles is asked again within seconds.
 */
const LATE_AFTER_ROUNDS = 3;

/** What a round told, and what it left as it was. */
export interface RoundOutcome {
  readonly startedAt: string;
  /** Clusters about which the source could not say everything. */
  readonly incomplete: ReadonlySet<string>;
  /** Clusters of which it said something. */
  readonly answered: ReadonlySet<string>;
  /** Applications, and their clusters, of which it said nothing, and which keep what was said before. */
  readonly kept: readonly (readonly [application: string, cluster: string])[];
}

/**
 * What is late after a round. A cluster about which nothing is said is late as a whole; of one about which something is said, only the
 * Applications that are left out. Named one by one, all of a fleet would be stored anew with every round of a source that is down.
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

/** When something was last said of an Application; undefined where it has not been missing for long. */
export function lateSince(
  { late }: StoredRound,
  application: string,
  cluster: string,
): string | undefined {
  return shownAge(late[application] ?? late[cluster]);
}

/** Names of clusters and keys of Applications whose mark a round may have changed. */
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
