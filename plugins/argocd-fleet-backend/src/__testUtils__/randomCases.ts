/** Whether this is `npm run test:long`, which runs every case; `npm test` runs a small fixed number of them. */
export const IN_LONG_RUN = process.env.ARGOCD_FLEET_TESTS === 'long';

/** Seed of the random tests; set ARGOCD_FLEET_SEED to repeat an earlier run. */
export const SEED = Number(
  process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000,
);

/** How many cases or repetitions a test has in this run. */
export function numberOfCases({
  test,
  long,
}: {
  /** In `npm test`. */
  readonly test: number;
  /** In `npm run test:long`. */
  readonly long: number;
}): number {
  return IN_LONG_RUN ? long : test;
}
