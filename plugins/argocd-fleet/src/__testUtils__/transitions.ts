import type {
  RecordedState,
  Transition,
} from 'backstage-plugin-argocd-fleet-common';
import { COMMIT } from './fixtures';

const MINUTE = 60_000;
const NOW = Date.now();

const SYNCED: RecordedState = {
  health: 'Healthy',
  sync: 'Synced',
  phase: 'Succeeded',
  revision: COMMIT,
};

/**
 * A transition to the given state, healthy and synced by default; without `previous`.
 */
export function transition(
  sequence: number,
  overrides: Partial<Transition> = {},
): Transition {
  const at = new Date(NOW - (1_000 - sequence) * MINUTE).toISOString();
  return {
    application: {
      namespace: 'openshift-gitops',
      name: 'cluster1-guestbook-app',
    },
    applicationSet: 'guestbook-allclusters-app-set',
    cluster: 'cluster1',
    sequence,
    at,
    recordedAt: at,
    ...SYNCED,
    ...overrides,
  };
}

/** Transitions `last` to `first`, the latest first; each to another revision. */
export function transitions(last: number, first: number): Transition[] {
  const revisionOf = (sequence: number) => String(sequence).padStart(40, '0');
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const sequence = last - index;
    return transition(sequence, {
      revision: revisionOf(sequence),
      ...(sequence > 1 && {
        previous: { ...SYNCED, revision: revisionOf(sequence - 1) },
      }),
    });
  });
}

/** Transitions `last` to `first`, the latest first and a minute apart; each to the next of these states. */
export function flapping(
  last: number,
  first: number,
  states: readonly Partial<Transition>[],
): Transition[] {
  const stateAt = (sequence: number) => ({
    ...SYNCED,
    ...states[sequence % states.length],
  });
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const sequence = last - index;
    return transition(sequence, {
      ...stateAt(sequence),
      ...(sequence > 1 && { previous: stateAt(sequence - 1) }),
    });
  });
}
