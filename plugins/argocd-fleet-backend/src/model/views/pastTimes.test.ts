import type { Condition } from 'backstage-plugin-argocd-fleet-common';
import { clusterState } from '../delivery';
import { reportedWork } from '../__testUtils__/works';
import { readFeedback, type ApplicationState } from '../feedback';
import { pastCluster, pastState } from './pastTimes';

const NOW = Date.parse('2026-11-21T11:00:00Z');
const NOW_TEXT = '2026-11-21T11:00:00.000Z';
const PAST = '2026-11-21T10:59:59Z';

/** Times as a cluster's clock may be wrong, or its agent may lie. */
const FUTURE = ['2026-11-21T11:00:01Z', '2099-01-01T00:00:00Z'];

function condition(lastTransitionTime: string): Condition {
  return { type: 'Applied', status: 'True', lastTransitionTime };
}

/** A state in which everything happened at one time. */
function stateAt(time: string): ApplicationState {
  return {
    ...readFeedback(reportedWork({ feedback: { healthStatus: 'Degraded' } })),
    since: time,
    failingSince: time,
    statusAt: time,
    operationStartedAt: time,
    applied: condition(time),
    available: condition(time),
    deletion: { since: time, finalizers: [] },
    hydration: { startedAt: time, equalsSpec: true },
    history: [{ id: 1, deployedAt: time, revisions: ['1234567'] }],
  };
}

describe('a time in the future that a cluster reports', () => {
  it.each(FUTURE)(
    'counts as now at most, in conditions and wherever else a state has one (%s)',
    time => {
      expect(pastState(stateAt(time), NOW)).toEqual(stateAt(NOW_TEXT));
    },
  );

  it.each([
    'since',
    'failingSince',
    'statusAt',
    'operationStartedAt',
    'applied',
    'available',
    'deletion',
    'hydration',
    'history',
  ] as const)('is enough in one place (%s), and changes no other', place => {
    const state = { ...stateAt(PAST), [place]: stateAt(FUTURE[1])[place] };
    expect(pastState(state, NOW)).toEqual({
      ...stateAt(PAST),
      [place]: stateAt(NOW_TEXT)[place],
    });
  });

  it.each(FUTURE)(
    'counts as now at most in the condition of its ManagedCluster (%s)',
    lastTransitionTime => {
      const cluster = clusterState('one', {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: { name: 'one' },
        status: {
          conditions: [
            {
              type: 'ManagedClusterConditionAvailable',
              status: 'Unknown',
              lastTransitionTime,
            },
          ],
        },
      });
      expect(cluster.staleSince).toBe(lastTransitionTime);
      expect(pastCluster(cluster, NOW).staleSince).toBe(NOW_TEXT);
    },
  );

  it('is none where it is past or now, and the same objects stay', () => {
    for (const time of [PAST, NOW_TEXT]) {
      const state = stateAt(time);
      expect(pastState(state, NOW)).toBe(state);
      const cluster = {
        ...clusterState('one', undefined),
        staleSince: time,
      };
      expect(pastCluster(cluster, NOW)).toBe(cluster);
    }
  });
});
