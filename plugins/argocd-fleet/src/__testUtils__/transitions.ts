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

/** Transitions `last` to `first`, the latest first; alternating between Healthy and Degraded. */
export function transitions(last: number, first: number): Transition[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const sequence = last - index;
    const [health, before] =
      sequence % 2 === 1
        ? (['Healthy', 'Degraded'] as const)
        : (['Degraded', 'Healthy'] as const);
    return transition(sequence, {
      health,
      ...(sequence > 1 && { previous: { ...SYNCED, health: before } }),
    });
  });
}
