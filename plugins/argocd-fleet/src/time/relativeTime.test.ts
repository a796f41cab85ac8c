import { DateTime } from 'luxon';
import { ageOf } from './relativeTime';

const NOW = DateTime.fromISO('2026-11-21T12:00:00Z');

describe('ageOf', () => {
  it.each([
    [0, 'seconds', 0],
    [59, 'seconds', 59],
    [60, 'minutes', 1],
    [3_599, 'minutes', 59],
    [3_600, 'hours', 1],
    [86_399, 'hours', 23],
    [86_400 * 3, 'days', 3],
    [-30, 'seconds', 0],
  ])('of %d seconds is in %s: %d', (seconds, unit, count) => {
    expect(ageOf(NOW.minus({ seconds }), NOW)).toEqual({ unit, count });
  });
});
