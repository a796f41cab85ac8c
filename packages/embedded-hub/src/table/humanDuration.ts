const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The largest unit, and the next smaller one unless it is zero: `5m30s`, `2d4h`, `3y`. */
function twoUnits(
  seconds: number,
  unit: number,
  suffix: string,
  smaller: number,
  smallerSuffix: string,
): string {
  const rest = Math.floor((seconds % unit) / smaller);
  const whole = `${Math.floor(seconds / unit)}${suffix}`;
  return rest === 0 ? whole : `${whole}${rest}${smallerSuffix}`;
}

/** A duration in the form of kubectl's ages. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) {
    return '<invalid>';
  }
  if (seconds < 0) {
    return '0s';
  }
  if (seconds < 2 * MINUTE) {
    return `${seconds}s`;
  }
  if (seconds < 10 * MINUTE) {
    return twoUnits(seconds, MINUTE, 'm', 1, 's');
  }
  if (seconds < 3 * HOUR) {
    return `${Math.floor(seconds / MINUTE)}m`;
  }
  if (seconds < 8 * HOUR) {
    return twoUnits(seconds, HOUR, 'h', MINUTE, 'm');
  }
  if (seconds < 2 * DAY) {
    return `${Math.floor(seconds / HOUR)}h`;
  }
  if (seconds < 8 * DAY) {
    return twoUnits(seconds, DAY, 'd', HOUR, 'h');
  }
  if (seconds < 2 * YEAR) {
    return `${Math.floor(seconds / DAY)}d`;
  }
  if (seconds < 8 * YEAR) {
    return twoUnits(seconds, YEAR, 'y', DAY, 'd');
  }
  return `${Math.floor(seconds / YEAR)}y`;
}

/** Age of a timestamp; `<unknown>` without one. */
export function age(time: unknown, now: Date): string {
  if (typeof time !== 'string') {
    return '<unknown>';
  }
  return humanDuration(now.getTime() - Date.parse(time));
}
