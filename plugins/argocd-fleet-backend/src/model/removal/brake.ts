import { REMOVAL_TIMES } from './removalTimes';

/** Deletions count as long as this, in milliseconds, after they were let go. */
export const WINDOW_MS = 5 * 60_000;
/** A set with fewer works than this loses all of them without the brake: that is everyday work. */
const SMALLEST_SET = 3;

/** A work that is wanted gone and that nobody has ordered to be deleted. */
export interface Wish {
  /** UID of the work. */
  readonly uid: string;
  /** `<namespace>/<name>` of the work. */
  readonly work: string;
  /** `<namespace>/<name>` of its hub Application. */
  readonly application: string;
  /** `<namespace>/<name>` of the ApplicationSet that made its Application; undefined if none did. */
  readonly applicationSet?: string;
  /** Milliseconds since the epoch. */
  readonly wantedAt: number;
  /** `pending` waits for its batch, `held` for a person, `allowed` may be deleted or is; `withheld` is not yet counted. */
  readonly state: 'pending' | 'held' | 'allowed' | 'withheld';
  /** Milliseconds since the epoch at which it was held or allowed. */
  readonly decidedAt?: number;
  /** Nothing might be written when it was first wanted gone: an order of that time counts as none. */
  readonly wasWithheld?: boolean;
  /** What held it: all works of its set, or most works of the hub. */
  readonly heldFor?: 'set' | 'hub';
}

/** Applications that works deliver now. */
export interface WorksLeft {
  /** Whether the Application `<namespace>/<name>` is one of them. */
  has(application: string): boolean;
  /** How many of an ApplicationSet. */
  ofSet(applicationSet: string): number;
  /** How many of the hub. */
  readonly ofHub: number;
  /** The most of the hub within five minutes, as far as it is known. */
  readonly peakOfHub: number;
  /** Whether the Application was delivered at any time of that peak. */
  hadSeen(application: string): boolean;
}

/**
 * Decides about all wishes whose batch is complete: nothing was added to it for a while. A batch that is all works of a
 * set of three or more, or more than half of a hub's works where several sets are involved, is held whole, and so are
 * the wishes that wait still. What was let go within five minutes counts, so that a loss in small steps is noticed too.
 * @param now - milliseconds since the epoch
 * @returns the wishes with a new state
 */
export function brake(
  wishes: Iterable<Wish>,
  left: WorksLeft,
  now: number,
  batchMs: number = REMOVAL_TIMES.batchMs,
): Wish[] {
  const counted = [...wishes].filter(
    ({ state, decidedAt = now }) =>
      state === 'pending' ||
      state === 'held' ||
      (state === 'allowed' && decidedAt > now - WINDOW_MS),
  );
  const sets = groupBySet(counted);
  const peak = Math.max(left.peakOfHub, left.ofHub + lostBefore(counted, left));
  const isMostOfHub = sets.size > 1 && left.ofHub < peak / 2;
  const changed: Wish[] = [];
  let isHeld = false;
  for (const [set, ofSet] of sets) {
    const pending = pendingOf(ofSet);
    const due =
      // Works that no set made are single ones.
      set === undefined
        ? pending.filter(wish => endOfBatch([wish], batchMs) <= now)
        : pending.filter(() => endOfBatch(pending, batchMs) <= now);
    if (due.length > 0) {
      const isWholeSet =
        set !== undefined &&
        lost(ofSet, left) >= SMALLEST_SET &&
        left.ofSet(set) === 0;
      isHeld ||= isMostOfHub;
      const state = isWholeSet || isMostOfHub ? 'held' : 'allowed';
      const heldFor = isWholeSet ? 'set' : 'hub';
      for (const wish of due) {
        changed.push({
          ...wish,
          state,
          decidedAt: now,
          ...(state === 'held' && { heldFor }),
        });
      }
    }
  }
  return isHeld ? holdAll(counted, changed, now) : changed;
}

/** Holds also what waits still: it belongs to the same cause. */
function holdAll(counted: Wish[], changed: Wish[], now: number): Wish[] {
  const uids = new Set(changed.map(({ uid }) => uid));
  const others = pendingOf(counted).filter(({ uid }) => !uids.has(uid));
  return changed.concat(
    others.map(wish => ({
      ...wish,
      state: 'held',
      decidedAt: now,
      heldFor: 'hub',
    })),
  );
}

/**
 * A batch that keeps growing ends with the window at the latest. Of each cluster only the first wish counts: its agent
 * may write any number of works.
 */
function endOfBatch(batch: readonly Wish[], batchMs: number): number {
  const firstOf = new Map<string, number>();
  for (const { work, wantedAt } of batch) {
    const cluster = clusterOf(work);
    firstOf.set(cluster, Math.min(wantedAt, firstOf.get(cluster) ?? Infinity));
  }
  const times = [...firstOf.values()].sort((a, b) => a - b);
  return Math.min((times.at(-1) ?? 0) + batchMs, (times[0] ?? 0) + WINDOW_MS);
}

/**
 * Applications that were lost before the hub was known, as at a restart, without those of the cluster that lost the most:
 * its agent may write any number of works.
 */
function lostBefore(wishes: readonly Wish[], left: WorksLeft): number {
  const byCluster = new Map<string, Wish[]>();
  const unseen = wishes.filter(({ application }) => !left.hadSeen(application));
  for (const wish of unseen) {
    const cluster = clusterOf(wish.work);
    const ofCluster = byCluster.get(cluster);
    if (ofCluster) {
      ofCluster.push(wish);
    } else {
      byCluster.set(cluster, [wish]);
    }
  }
  const counts = Array.from(byCluster.values(), each => lost(each, left));
  return byCluster.size > 1
    ? lost(unseen, left) - Math.max(0, ...counts)
    : lost(unseen, left);
}

function clusterOf(work: string): string {
  return work.slice(0, work.indexOf('/'));
}

/** Applications that are no longer delivered: one that comes and goes is lost once. */
function lost(wishes: readonly Wish[], left: WorksLeft): number {
  return new Set(
    wishes.map(each => each.application).filter(key => !left.has(key)),
  ).size;
}

function pendingOf(wishes: Iterable<Wish>): Wish[] {
  return [...wishes].filter(({ state }) => state === 'pending');
}

function groupBySet(wishes: readonly Wish[]): Map<string | undefined, Wish[]> {
  const sets = new Map<string | undefined, Wish[]>();
  for (const wish of wishes) {
    const ofSet = sets.get(wish.applicationSet);
    if (ofSet) {
      ofSet.push(wish);
    } else {
      sets.set(wish.applicationSet, [wish]);
    }
  }
  return sets;
}
