import { DateTime } from 'luxon';

export type TimeUnit = 'seconds' | 'minutes' | 'hours' | 'days';

/** An age in its largest whole unit; a time in the future counts as now, because clocks differ. */
export function ageOf(
  since: DateTime,
  now: DateTime,
): { readonly unit: TimeUnit; readonly count: number } {
  const seconds = Math.max(0, Math.floor(now.diff(since).as('seconds')));
  if (seconds < 60) {
    return { unit: 'seconds', count: seconds };
  }
  if (seconds < 3_600) {
    return { unit: 'minutes', count: Math.floor(seconds / 60) };
  }
  if (seconds < 86_400) {
    return { unit: 'hours', count: Math.floor(seconds / 3_600) };
  }
  return { unit: 'days', count: Math.floor(seconds / 86_400) };
}
