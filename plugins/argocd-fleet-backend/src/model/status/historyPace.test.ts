import type { RecordedState } from './applicationRecord';
import {
  createHistoryGate,
  HISTORY_LIMITS,
  type HistoryLimits,
  type HistoryPace,
  type MinuteCount,
} from './historyPace';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

const state = (fields: Partial<RecordedState> = {}): RecordedState => ({
  ...{ health: 'Progressing', sync: 'OutOfSync', revision: 'a' },
  ...fields,
});

/** The history of a hub, kept as the database keeps it: by Application, from batch to batch. */
function startHistory(limits: Partial<HistoryLimits> = {}) {
  const paces = new Map<string, HistoryPace>();
  let hubMinute: MinuteCount | undefined;
  return {
    /** What becomes of a state: a milestone, another transition, or nothing. */
    change(now: number, fields: Partial<RecordedState> = {}, name = 'shop') {
      const all = { ...HISTORY_LIMITS, ...limits };
      const gate = createHistoryGate(hubMinute, all);
      const admission = gate.admit(state(fields), paces.get(name), now);
      ({ hubMinute } = gate);
      if (!admission.isRecorded) {
        return 'omitted';
      }
      paces.set(name, JSON.parse(JSON.stringify(admission.pace)));
      return admission.isMilestone ? 'milestone' : 'recorded';
    },
  };
}

const count = (results: readonly string[], of: string) =>
  results.filter(result => result === of).length;

/** Results of changes that come one after the other. */
const repeat = <T>(times: number, change: (index: number) => T) =>
  Array.from({ length: times }, (_, index) => change(index));

describe('the history of an Application', () => {
  it('has 20 transitions a minute, however many changes there are', () => {
    const { change } = startHistory();
    const perMinute = repeat(3, minute =>
      repeat(60_000, ms => change(NOON + minute * MINUTE + ms)),
    );
    expect(
      perMinute.map(results => [
        count(results, 'milestone'),
        count(results, 'recorded'),
      ]),
    ).toEqual([
      // The first of its revision is one of the 20.
      [1, 19],
      [0, 20],
      [0, 20],
    ]);
  });

  it.each<[string, Partial<RecordedState>]>([
    ['the first transition of a revision', { revision: 'b' }],
    [
      'that of a revision of another source',
      { revisions: JSON.stringify(['a', '2']) },
    ],
    ['the first Healthy of a revision', { health: 'Healthy' }],
    ['the first degradation of a revision', { health: 'Degraded' }],
    ['its first failed sync', { phase: 'Failed' }],
    ['its first sync that ended with an error', { phase: 'Error' }],
    ['its first error', { error: 'no such image' }],
  ])('never leaves out %s, and only that', (_, fields) => {
    const { change } = startHistory();
    repeat(1_000, ms => change(NOON + ms));
    expect(change(NOON + SECOND)).toBe('omitted');
    expect(change(NOON + SECOND, fields)).toBe('milestone');
    expect(change(NOON + SECOND)).toBe('omitted');
    expect(change(NOON + SECOND, fields)).toBe('omitted');
  });

  it('has the first Healthy of a revision twice: before it is synced, and then', () => {
    const { change } = startHistory();
    repeat(1_000, ms => change(NOON + ms));
    const healthy = { health: 'Healthy', revision: 'b' };
    const synced = { ...healthy, sync: 'Synced' };
    expect(
      [healthy, healthy, synced, healthy, synced].map(fields =>
        change(NOON + SECOND, fields),
      ),
    ).toEqual(['milestone', 'omitted', 'milestone', 'omitted', 'omitted']);
  });

  it('has no milestone for a revision that was there before', () => {
    const { change } = startHistory();
    const revisions = ['a', 'b', 'a', 'b', 'a'];
    repeat(1_000, ms => change(NOON + ms));
    expect(
      revisions.map(revision => change(NOON + SECOND, { revision })),
    ).toEqual(['omitted', 'milestone', 'omitted', 'omitted', 'omitted']);
  });

  it('has 300 milestones a day, where each change has a revision of its own', () => {
    const { change } = startHistory();
    const invent = (day: number) =>
      repeat(1_000, ms =>
        change(NOON + day * DAY + ms, { revision: `${day} ${ms}` }),
      );
    for (const day of [0, 1]) {
      const results = invent(day);
      expect(count(results, 'milestone')).toBe(300);
      expect(count(results, 'recorded')).toBe(0);
    }
    // Beyond that, a first one is a transition like others, which needs room.
    expect(change(NOON + DAY + MINUTE, { revision: 'new' })).toBe('recorded');
  });

  it('records a milestone as such later, if there was no room for it', () => {
    const { change } = startHistory({ milestonesPerDay: 1, perMinute: 1 });
    change(NOON);
    expect(change(NOON, { revision: 'b' })).toBe('omitted');
    expect(change(NOON + DAY, { revision: 'b' })).toBe('milestone');
    expect(change(NOON + DAY, { revision: 'b' })).toBe('omitted');
  });
});

describe('the history of a hub', () => {
  /** Applications that are no longer at their first transition. */
  function startFleet(size: number, limits: Partial<HistoryLimits>) {
    const history = startHistory(limits);
    const names = repeat(size, index => `app-${index}`);
    names.forEach(name => history.change(NOON - DAY, {}, name));
    return { ...history, names };
  }

  it('has room for 20,000 a minute', () => {
    const { change, names } = startFleet(12_000, {});
    const round = (minute: number) =>
      names.map(name => change(NOON + minute * MINUTE, {}, name));
    expect(count([...round(0), ...round(0)], 'recorded')).toBe(20_000);
    expect(count(round(0), 'recorded')).toBe(0);
    expect(count([...round(1), ...round(1)], 'recorded')).toBe(20_000);
  });

  it('keeps half of its minute for those that change less', () => {
    const { change, names } = startFleet(10, { perMinuteOfHub: 40 });
    const [quiet, ...noisy] = names;
    const results = noisy.flatMap(name =>
      repeat(100, () => change(NOON, {}, name)),
    );
    expect(count(results, 'recorded')).toBeLessThan(40);
    expect(repeat(3, () => change(NOON, {}, quiet))).toEqual([
      ...['recorded', 'recorded', 'omitted'],
    ]);
  });

  it('has the milestones of all its Applications, however many there are', () => {
    const { change, names } = startFleet(1_000, { perMinuteOfHub: 100 });
    const rollOut = (fields: Partial<RecordedState>) =>
      names.map(name => change(NOON, { revision: 'b', ...fields }, name));
    const milestones = [
      rollOut({}),
      rollOut({ health: 'Degraded' }),
      rollOut({ health: 'Healthy', sync: 'Synced' }),
    ];
    expect(milestones.map(results => count(results, 'milestone'))).toEqual([
      ...[1_000, 1_000, 1_000],
    ]);
    expect(count(rollOut({}), 'omitted')).toBe(1_000);
  });
});
