import type {
  RecordedState,
  Transition,
} from 'backstage-plugin-argocd-fleet-common';
import { DateTime } from 'luxon';
import { revisionsOf } from './changesOf';
import { reportingOf } from './reporting';

/** Transitions between few states, again and again, in one line. */
export interface Flapping {
  /** The latest first; four or more. */
  readonly transitions: readonly [Transition, ...Transition[]];
  /** In what the states differ; where they differ in several fields, in the most important one. */
  readonly field: FlappingField;
  /** One state for each value of that field, in the order in which the Application had them first. */
  readonly states: readonly RecordedState[];
}

/** What a line of a timeline shows. */
export type TimelineLine = Transition | Flapping;

export type FlappingField = (typeof FIELDS)[number];

/** The most important one first: of a cluster that is silent, the rest is what it said last. */
const FIELDS = [
  'reporting',
  'health',
  'sync',
  'phase',
  'revision',
  'error',
] as const;

/** Fewer are no flapping: an Application is broken, and mended, and so once more. */
const FEWEST = 4;
/** More are a history that has to be read one by one. */
const MOST_STATES = 3;
/** A state that does not come again among so many transitions is no part of it: it was so before, or after it. */
const LONGEST_ABSENCE = 6;
/** What happens more rarely is no flapping: hours between two transitions. */
const LONGEST_GAP = 1;

/**
 * The lines of a timeline: consecutive transitions between the same two or three states, each of which comes again, are
 * one line; all others have a line of their own. Texts of errors do not matter, since most of them name a time or a
 * number of attempts.
 * @param transitions - of one Application, the latest first
 */
export function linesOf(transitions: readonly Transition[]): TimelineLine[] {
  const keys = transitions.map(stateKey);
  const lines: TimelineLine[] = [];
  for (let start = 0; start < transitions.length;) {
    const length = flappingLength(transitions, keys, start);
    const [first, ...others] = transitions.slice(start, start + length);
    lines.push(others.length > 0 ? flappingOf([first, ...others]) : first);
    start += length;
  }
  return lines;
}

/** Whether a line is of several transitions. */
export function isFlapping(line: TimelineLine): line is Flapping {
  return 'transitions' in line;
}

/** How many transitions from there on are one line. */
function flappingLength(
  transitions: readonly Transition[],
  keys: readonly string[],
  start: number,
): number {
  /** How often each state came, and where it came last. */
  const seen = new Map<
    string,
    { readonly times: number; readonly at: number }
  >();
  let length = 1;
  for (let at = start; at < transitions.length; at += 1) {
    const key = keys[at];
    const isApart =
      at > start &&
      hoursBetween(transitions[at], transitions[at - 1]) > LONGEST_GAP;
    if (
      isApart ||
      (!seen.has(key) && seen.size === MOST_STATES) ||
      [...seen.values()].some(state => at - state.at > LONGEST_ABSENCE)
    ) {
      break;
    }
    seen.set(key, { times: (seen.get(key)?.times ?? 0) + 1, at });
    const count = at - start + 1;
    // Where the last ones are of a state that does not come again, they are no part of it.
    if (count >= FEWEST && [...seen.values()].every(({ times }) => times > 1)) {
      length = count;
    }
  }
  return length;
}

function flappingOf(transitions: Flapping['transitions']): Flapping {
  const oldestFirst = transitions.toReversed();
  const valuesOf = (field: FlappingField) =>
    new Map(oldestFirst.map(each => [fieldKey(each, field), each]));
  const field =
    FIELDS.find(each => valuesOf(each).size > 1) ??
    // Only the text of the error changes.
    'error';
  return { transitions, field, states: [...valuesOf(field).values()] };
}

function hoursBetween(earlier: Transition, later: Transition): number {
  return DateTime.fromISO(later.at)
    .diff(DateTime.fromISO(earlier.at))
    .as('hours');
}

function stateKey(state: RecordedState): string {
  return JSON.stringify(FIELDS.map(field => fieldKey(state, field)));
}

function fieldKey(state: RecordedState, field: FlappingField): string {
  switch (field) {
    case 'reporting':
      return reportingOf(state);
    case 'revision':
      return JSON.stringify(revisionsOf(state));
    case 'error':
      return String(state.error !== undefined);
    default:
      return state[field] ?? '';
  }
}
