import fc from 'fast-check';
import { SEED } from '../../__testUtils__/randomCases';
import { brake, WINDOW_MS, type Wish, type WorksLeft } from './brake';
import { REMOVAL_TIMES } from './removalTimes';

const BATCH_MS = REMOVAL_TIMES.batchMs;

const NOW = 1_000_000_000;

/** Wishes of a set, one for each age in milliseconds. */
function wishes(
  applicationSet: string | undefined,
  ages: readonly number[],
  more: Partial<Wish> = {},
): Wish[] {
  return ages.map((age, index) => ({
    uid: `${applicationSet}-${age}-${index}-${more.state ?? ''}`,
    work: `cluster${index}/${applicationSet}`,
    application: `${applicationSet}-${age}-${index}-${more.state ?? ''}`,
    applicationSet,
    wantedAt: NOW - age,
    state: 'pending',
    ...more,
  }));
}

function left(
  ofHub: number,
  ofSet = 0,
  more: Partial<WorksLeft> = {},
): WorksLeft {
  return {
    has: () => false,
    ofHub,
    ofSet: () => ofSet,
    peakOfHub: 0,
    hadSeen: () => false,
    ...more,
  };
}

function states(changed: readonly Wish[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state, heldFor = '' } of changed) {
    const key = `${state}${heldFor && ` for ${heldFor}`}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const OLD = BATCH_MS + 1;

/** A wish at that time of a set that loses its works one by one. */
function lostAt(time: number, index: number): Wish {
  return {
    uid: String(index),
    work: `cluster${index}/app`,
    application: String(index),
    applicationSet: 'a/set',
    wantedAt: NOW + time,
    state: 'pending',
  };
}

/** The state of the last work of a set that loses its works at these times, as the controllers see it every second. */
function lastStateAfter(times: readonly number[]): Wish['state'] | undefined {
  const sorted = [...times].sort((a, b) => a - b);
  const known = new Map<string, Wish>();
  for (let at = 0; at <= WINDOW_MS; at += 1_000) {
    const wanted = sorted.filter(time => time <= at).map(lostAt);
    for (const wish of wanted) {
      known.set(wish.uid, known.get(wish.uid) ?? wish);
    }
    const remaining = sorted.length - wanted.length;
    for (const wish of brake(
      known.values(),
      left(1_000, remaining),
      NOW + at,
    )) {
      known.set(wish.uid, wish);
    }
  }
  return known.get(String(sorted.length - 1))?.state;
}

describe('the brake', () => {
  it.each<[string, Wish[], ReturnType<typeof left>, ReturnType<typeof states>]>(
    [
      [
        'waits for the batch',
        wishes('a/set', [1, 2, BATCH_MS - 1]),
        left(0),
        {},
      ],
      [
        'holds all works of a set of three',
        wishes('a/set', [OLD, OLD, OLD]),
        left(1_000),
        { 'held for set': 3 },
      ],
      [
        'lets a set of two go',
        wishes('a/set', [OLD, OLD]),
        left(1_000),
        { allowed: 2 },
      ],
      [
        'lets a part of a set go',
        wishes('a/set', [OLD, OLD, OLD]),
        left(1_000, 1),
        { allowed: 3 },
      ],
      [
        'waits while the batch grows, so that the end of a slow loss is known before its beginning goes',
        wishes('a/set', [60_000, 30_000, 1_000]),
        left(1_000, 5),
        {},
      ],
      [
        'ends a batch that grows for ever with the window',
        wishes('a/set', [WINDOW_MS, 30_000, 1_000]),
        left(1_000, 5),
        { allowed: 3 },
      ],
      [
        'counts what was let go within five minutes',
        [
          ...wishes('a/set', [60_000, 60_000], {
            state: 'allowed',
            decidedAt: NOW - WINDOW_MS + 1,
          }),
          ...wishes('a/set', [OLD]),
        ],
        left(1_000),
        { 'held for set': 1 },
      ],
      [
        'forgets what was let go before',
        [
          ...wishes('a/set', [WINDOW_MS, WINDOW_MS], {
            state: 'allowed',
            decidedAt: NOW - WINDOW_MS,
          }),
          ...wishes('a/set', [OLD]),
        ],
        left(1_000),
        { allowed: 1 },
      ],
      [
        'counts what is held, however long',
        [
          ...wishes('a/set', [3 * WINDOW_MS, 3 * WINDOW_MS], {
            state: 'held',
            decidedAt: NOW - 2 * WINDOW_MS,
          }),
          ...wishes('a/set', [OLD]),
        ],
        left(1_000),
        { 'held for set': 1 },
      ],
      [
        'holds more than half of a hub where several sets are involved, with what waits still',
        [
          ...wishes('a/set', [OLD, OLD]),
          ...wishes('b/set', [OLD]),
          ...wishes('c/set', [1]),
        ],
        left(3, 1, { hadSeen: () => true, peakOfHub: 7 }),
        { 'held for hub': 4 },
      ],
      [
        'counts an Application that comes and goes once',
        [
          ...wishes('a/set', [60_000, 50_000, 40_000], {
            state: 'allowed',
            decidedAt: NOW - 30_000,
            application: 'a/app',
          }),
          ...wishes('a/set', [OLD], { application: 'a/app' }),
        ],
        left(1_000),
        { allowed: 1 },
      ],
      [
        'holds no hub for one that makes and deletes many Applications, one after the other',
        [
          ...wishes('a/set', Array(50).fill(60_000), {
            state: 'allowed',
            decidedAt: NOW - 30_000,
          }),
          ...wishes('b/set', [OLD]),
        ],
        left(10, 1, { hadSeen: () => true, peakOfHub: 12 }),
        { allowed: 1 },
      ],
      [
        'holds what is left of a hub that lost more than half of what it had',
        [...wishes('a/set', [OLD]), ...wishes('b/set', [OLD])],
        left(10, 1, { hadSeen: () => true, peakOfHub: 21 }),
        { 'held for hub': 2 },
      ],
      [
        'lets half of a hub go',
        [...wishes('a/set', [OLD, OLD]), ...wishes('b/set', [OLD])],
        left(3, 1),
        { allowed: 3 },
      ],
      [
        'lets most of a hub go where only one set is involved, and keeps a part',
        wishes('a/set', [OLD, OLD, OLD]),
        left(1, 1),
        { allowed: 3 },
      ],
      [
        'lets single Applications go, each after its own time',
        wishes(undefined, [OLD, OLD, OLD, 1]),
        left(10),
        { allowed: 3 },
      ],
    ],
  )('%s', (_, given, worksLeft, expected) => {
    expect(states(brake(given, worksLeft, NOW))).toEqual(expected);
  });

  it('holds a set that loses its works one by one within minutes, before it has lost the last three', () => {
    const ages = fc.array(
      fc.integer({ min: 0, max: WINDOW_MS - BATCH_MS - 2 }),
      {
        minLength: 3,
        maxLength: 40,
      },
    );
    const last = fc.check(
      fc.property(ages, times => lastStateAfter(times) === 'held'),
      { seed: SEED, numRuns: 50 },
    );
    expect(fc.defaultReportMessage(last)).toBeUndefined();
  });
});
