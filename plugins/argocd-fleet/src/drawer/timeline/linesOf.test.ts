import type { Transition } from 'backstage-plugin-argocd-fleet-common';
import { flapping, transition } from '../../__testUtils__/transitions';
import { isFlapping, linesOf } from './linesOf';

const HEALTHY = { health: 'Healthy' } as const;
const PROGRESSING = { health: 'Progressing' } as const;
const DEGRADED = { health: 'Degraded' } as const;
const SUSPENDED = { health: 'Suspended' } as const;
const MISSING = { health: 'Missing' } as const;

/** Each line as the numbers of its transitions. */
const numbersOf = (transitions: readonly Transition[]) =>
  linesOf(transitions).map(line =>
    isFlapping(line)
      ? line.transitions.map(({ sequence }) => sequence)
      : line.sequence,
  );

/** The only line, which is of several transitions. */
function only(transitions: readonly Transition[]) {
  const [line, ...others] = linesOf(transitions);
  if (others.length > 0 || !isFlapping(line)) {
    throw new Error(`Not one flapping line, but ${others.length + 1} lines`);
  }
  return line;
}

/** The latest first and a minute apart: an Application was in these states, one after the other. */
const history = (...states: Partial<Transition>[]) =>
  // The transition with number 1 is to the second of its states.
  flapping(states.length, 1, [states.at(-1)!, ...states.slice(0, -1)]);

describe('the lines of a timeline', () => {
  it('are none, one or two where there are as many transitions', () => {
    expect(numbersOf([])).toEqual([]);
    expect(numbersOf([transition(1)])).toEqual([1]);
    expect(numbersOf([transition(2, DEGRADED), transition(1)])).toEqual([2, 1]);
  });

  it('are one where two states take turns four times, and three where they do it three times', () => {
    expect(numbersOf(history(HEALTHY, DEGRADED, HEALTHY))).toEqual([3, 2, 1]);
    expect(numbersOf(history(HEALTHY, DEGRADED, HEALTHY, DEGRADED))).toEqual([
      [4, 3, 2, 1],
    ]);
  });

  it('are one where three states come again, and several where one does not', () => {
    const crash = [HEALTHY, PROGRESSING, DEGRADED];
    expect(numbersOf(history(...crash, ...crash, ...crash))).toEqual([
      [9, 8, 7, 6, 5, 4, 3, 2, 1],
    ]);
    expect(numbersOf(history(...crash, HEALTHY))).toEqual([4, 3, 2, 1]);
  });

  it('are several where four states take turns', () => {
    const all = [HEALTHY, PROGRESSING, DEGRADED, SUSPENDED];
    expect(numbersOf(history(...all, ...all))).toHaveLength(8);
  });

  it('begin and end with what belongs to no flapping', () => {
    expect(
      numbersOf(
        history(
          ...[MISSING, PROGRESSING],
          ...[HEALTHY, DEGRADED, HEALTHY, DEGRADED, HEALTHY],
          ...[{ ...HEALTHY, revision: 'new' }],
        ),
      ),
    ).toEqual([8, [7, 6, 5, 4, 3], 2, 1]);
  });

  it('leave out the state that was before flapping, and is again after it', () => {
    const flaps = [SUSPENDED, DEGRADED, SUSPENDED, DEGRADED];
    const changes = [HEALTHY, ...flaps, ...flaps, HEALTHY];
    expect(numbersOf(history(...changes))).toEqual([
      ...[10, [9, 8, 7, 6, 5, 4, 3, 2], 1],
    ]);
  });

  it('are several where each change has another revision', () => {
    const rollOut = ['a', 'b', 'c'].flatMap(revision => [
      { ...PROGRESSING, revision },
      { ...HEALTHY, revision },
    ]);
    expect(numbersOf(history(...rollOut))).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('are several where more than an hour is between the changes', () => {
    const at = (hour: number) => ({
      at: `2026-11-22T${String(hour).padStart(2, '0')}:00:00Z`,
    });
    const apart = (hours: number) =>
      flapping(6, 1, [HEALTHY, DEGRADED]).map(each => ({
        ...each,
        ...at(each.sequence * hours),
      }));
    expect(numbersOf(apart(1))).toEqual([[6, 5, 4, 3, 2, 1]]);
    expect(numbersOf(apart(2))).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('are several where the text of the error changed three times only', () => {
    const states = ['1', '2', '3'].map(error => ({ error }));
    expect(numbersOf(history(...states))).toEqual([3, 2, 1]);
  });

  it('do not depend on the text of the error', () => {
    const states = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0
        ? HEALTHY
        : { ...DEGRADED, error: `failed after ${index} attempts` },
    );
    expect(numbersOf(history(...states))).toEqual([[6, 5, 4, 3, 2, 1]]);
  });
});

describe('a line of flapping', () => {
  it('names the states in the order in which they came first', () => {
    const { field, states } = only(
      history(SUSPENDED, DEGRADED, SUSPENDED, DEGRADED, SUSPENDED),
    );
    expect(field).toBe('health');
    expect(states.map(({ health }) => health)).toEqual([
      'Suspended',
      'Degraded',
    ]);
  });

  it.each<[string, Partial<Transition>, Partial<Transition>]>([
    ['reporting', {}, { stale: true, error: 'silent' }],
    ['health', HEALTHY, { ...DEGRADED, sync: 'OutOfSync', error: 'x' }],
    ['sync', { sync: 'Synced' }, { sync: 'OutOfSync', phase: 'Running' }],
    ['phase', { phase: 'Running' }, { phase: 'Failed', error: 'x' }],
    ['revision', { revision: 'a' }, { revision: 'b' }],
    ['revision', { revisions: ['a', '1'] }, { revisions: ['a', '2'] }],
    ['error', {}, { error: 'x' }],
  ])('is about %s where the states differ in that', (field, one, other) => {
    const line = only(history(one, other, one, other));
    expect(line.field).toBe(field);
    expect(line.states).toHaveLength(2);
  });

  it('has two states where a third differs only in what is less important', () => {
    const running = { ...PROGRESSING, phase: 'Running' } as const;
    const round = [HEALTHY, running, PROGRESSING];
    const { states } = only(history(...round, ...round));
    expect(states.map(({ health }) => health)).toEqual([
      'Healthy',
      'Progressing',
    ]);
  });

  it('has one state where only the text of its error changes', () => {
    const { field, states } = only(
      history({ error: '1' }, { error: '2' }, { error: '3' }, { error: '4' }),
    );
    expect([field, states.length]).toEqual(['error', 1]);
  });
});
