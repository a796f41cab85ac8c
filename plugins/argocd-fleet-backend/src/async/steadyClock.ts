/**
 * Milliseconds since the epoch by a clock that no correction of the system's moves: what waits for a time neither ends at
 * once nor waits for days.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
