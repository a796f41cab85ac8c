import { fingerprint, type RecordedState } from './applicationRecord';

/** How many changes become transitions. */
export interface HistoryLimits {
  /** Of one Application in a minute of the clock; milestones count, but do not wait for room. */
  readonly perMinute: number;
  /** Of all Applications of a hub in a minute of the clock, likewise. */
  readonly perMinuteOfHub: number;
  /** Of one Application in a minute, once half of the hub's minute is used: the rest is for the others. */
  readonly perMinuteInBurst: number;
  /** Milestones of one Application in a day (UTC); what would be one beyond that is a transition like others. */
  readonly milestonesPerDay: number;
  /** The newest transitions of one Application that are kept; of the older ones, only milestones are. */
  readonly kept: number;
}

/**
 * What a hostile or broken cluster can make the database keep, and no more than a fleet needs: see "History is bounded
 * by Application" in docs/decisions.md.
 */
export const HISTORY_LIMITS: HistoryLimits = {
  perMinute: 20,
  perMinuteOfHub: 20_000,
  perMinuteInBurst: 2,
  milestonesPerDay: 300,
  kept: 20_000,
};

/** Revisions of an Application that are remembered: a roll-back or two between the newest ones are no new revisions. */
const REMEMBERED_REVISIONS = 8;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Milliseconds after which a state that did not become a transition is tried again: by then, it is another minute. */
export const RECORD_AGAIN_MS = MINUTE_MS;

/** Number of transitions in one minute. */
export interface MinuteCount {
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly count: number;
}

/** What was recorded of an Application lately. */
export interface HistoryPace extends MinuteCount {
  /** Days since the epoch. */
  readonly day: number;
  /** Milestones on that day. */
  readonly milestones: number;
  /** The revisions that were recorded last, the latest first: a fingerprint, and which {@link Milestone}s it had. */
  readonly revisions: readonly (readonly [revision: number, had: number])[];
}

/** Bits: what a revision has once only, besides its first transition. */
const Milestone = {
  healthy: 1,
  /** Healthy says nothing about a revision that is not synced yet. */
  healthyAndSynced: 2,
  failed: 4,
} as const;

/** Whether a state becomes a transition. */
export type Admission =
  | { readonly isRecorded: false }
  | {
      readonly isRecorded: true;
      /** The first of its revision, its first Healthy, or its first failure. */
      readonly isMilestone: boolean;
      readonly pace: HistoryPace;
    };

/** Decides which states of the Applications of a hub become transitions, one after the other. */
export interface HistoryGate {
  /**
   * @param pace - of the Application; undefined before its first transition
   * @param now - milliseconds since the epoch
   */
  admit(
    state: RecordedState,
    pace: HistoryPace | undefined,
    now: number,
  ): Admission;
  /** How many the hub had in its last minute; undefined before its first transition. */
  readonly hubMinute: MinuteCount | undefined;
}

/**
 * Each transition counts, and has to fit into the minute of its Application and of the hub, unless it is a milestone.
 * What is not recorded changes no count, so that a milestone that found no room is still one when its state comes again.
 */
export function createHistoryGate(
  hubBefore: MinuteCount | undefined,
  limits: HistoryLimits,
): HistoryGate {
  let hub = hubBefore;

  function fits(inMinute: number, inMinuteOfHub: number): boolean {
    const room =
      inMinuteOfHub < limits.perMinuteOfHub / 2
        ? limits.perMinute
        : limits.perMinuteInBurst;
    return inMinute < room && inMinuteOfHub < limits.perMinuteOfHub;
  }

  return {
    get hubMinute() {
      return hub;
    },
    admit(state, before, now) {
      const minute = Math.floor(now / MINUTE_MS);
      const day = Math.floor(now / DAY_MS);
      const inMinute = countIn(before, minute);
      const inMinuteOfHub = countIn(hub, minute);
      const milestones = before?.day === day ? before.milestones : 0;
      const { isFirst, revisions } = withState(before?.revisions ?? [], state);
      const isMilestone = isFirst && milestones < limits.milestonesPerDay;
      if (!isMilestone && !fits(inMinute, inMinuteOfHub)) {
        return { isRecorded: false };
      }
      hub = { minute, count: inMinuteOfHub + 1 };
      return {
        isRecorded: true,
        isMilestone,
        pace: {
          ...{ minute, count: inMinute + 1 },
          ...{ day, milestones: milestones + (isMilestone ? 1 : 0) },
          revisions,
        },
      };
    },
  };
}

function countIn(counted: MinuteCount | undefined, minute: number): number {
  return counted?.minute === minute ? counted.count : 0;
}

/** The revisions after this state, and whether it is the first of its kind on its revision. */
function withState(
  revisions: HistoryPace['revisions'],
  state: RecordedState,
): { readonly isFirst: boolean; readonly revisions: HistoryPace['revisions'] } {
  const own = fingerprint(JSON.stringify([state.revision, state.revisions]));
  const known = revisions.find(([revision]) => revision === own);
  const had = known?.[1] ?? 0;
  const has = had | milestonesOf(state);
  return {
    isFirst: !known || has !== had,
    revisions: [
      [own, has] as const,
      ...revisions.filter(([revision]) => revision !== own),
    ].slice(0, REMEMBERED_REVISIONS),
  };
}

function milestonesOf({ health, sync, phase, error }: RecordedState): number {
  const isHealthy = health === 'Healthy';
  const hasFailed =
    health === 'Degraded' ||
    phase === 'Failed' ||
    phase === 'Error' ||
    error !== undefined;
  return (
    (isHealthy ? Milestone.healthy : 0) |
    (isHealthy && sync === 'Synced' ? Milestone.healthyAndSynced : 0) |
    (hasFailed ? Milestone.failed : 0)
  );
}
