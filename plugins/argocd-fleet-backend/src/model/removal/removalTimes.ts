/** How long decisions about a work wait, in milliseconds. */
export interface RemovalTimes {
  /** Until the work of an Application that is no longer pull-model is frozen. */
  readonly freezeMs: number;
  /** A work waits so long for its Application to be made again by an ApplicationSet that still makes it. */
  readonly successorMs: number;
  /** A deletion that nobody ordered waits so long for others of the same cause. */
  readonly batchMs: number;
}

/** The times of a hub; tests have shorter ones. */
export const REMOVAL_TIMES: RemovalTimes = {
  freezeMs: 60_000,
  successorMs: 5 * 60_000,
  batchMs: 15_000,
};
