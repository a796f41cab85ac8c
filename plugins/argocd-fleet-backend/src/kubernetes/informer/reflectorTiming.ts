/** Times of a reflector in milliseconds, but for `watchSeconds`; tests shorten them. */
export interface ReflectorTiming {
  /**
   * After so many seconds, or up to a quarter more, the API server ends a watch, and the reflector starts the next one
   * at the same resource version. A hub that hangs is noticed when it does not, so this bounds how late that is: see
   * "When a hub hangs" in docs/pull-model.md.
   */
  readonly watchSeconds: number;
  /** A watch is proven by its first event, or by staying open so long. */
  readonly watchProvenMs: number;
  readonly backoffMinMs: number;
  /** Longest wait between attempts while the API server does not answer. */
  readonly backoffMaxMs: number;
  /** Longest wait between full lists while these succeed and watches fail. */
  readonly relistMaxMs: number;
  /** Wait between attempts while the resource is not served or forbidden: an administrator has to act first. */
  readonly absentRetryMs: number;
  /** A list after an expired watch waits up to this long, so that not every replica lists at once. */
  readonly relistJitterMs: number;
}

export const DEFAULT_REFLECTOR_TIMING: ReflectorTiming = {
  watchSeconds: 45,
  watchProvenMs: 2_000,
  backoffMinMs: 200,
  backoffMaxMs: 5_000,
  relistMaxMs: 30_000,
  absentRetryMs: 3_000,
  relistJitterMs: 1_000,
};
