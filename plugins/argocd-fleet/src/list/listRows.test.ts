import type {
  ApplicationSet,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationSet,
  applicationSetDetail,
  clusterApplication,
  forbiddenApplication,
  minutesAgo,
} from '../__testUtils__/fixtures';
import { sortSets, worstProblemOf } from './listRows';

const NOT_SKIPPED: Finding = {
  code: 'AFC-107',
  severity: 'warning',
  title: 'The hub’s Argo CD is not kept off',
  message: 'Its status flips.',
};
const BROKEN: Finding = {
  code: 'AFC-301',
  severity: 'error',
  title: 'The ApplicationSet cannot generate its Applications',
  message: 'Argo CD reports an error.',
};

function set(
  name: string,
  applications: Parameters<typeof applicationSetDetail>[0],
  findings: Finding[] = [],
): ApplicationSet {
  return applicationSet(
    applicationSetDetail(applications, {
      ref: { hub: 'hub', namespace: 'argocd', name },
      findings,
    }),
  );
}

const MANY = ['a', 'b', 'c', 'd', 'e'];

const SETS = {
  fine: set('fine', [clusterApplication('a')]),
  warned: set('warned', [clusterApplication('a')], [NOT_SKIPPED]),
  behind: set(
    'behind',
    MANY.map(name => clusterApplication(name, { sync: 'OutOfSync' })),
  ),
  stale: set('stale', [
    clusterApplication('a', { staleSince: minutesAgo(60) }),
  ]),
  failing: set(
    'failing',
    MANY.map(name => forbiddenApplication(name)),
  ),
  broken: set('broken', [], [BROKEN]),
  progressing: set('progressing', [
    clusterApplication('a', { health: 'Progressing' }),
  ]),
};

describe('sortSets', () => {
  it('sorts by severity: errors, warnings, progressing, the rest', () => {
    expect(
      sortSets(Object.values(SETS), {
        column: 'worst',
        descending: false,
      }).map(({ ref }) => ref.name),
    ).toEqual([
      'broken',
      'failing',
      'stale',
      'behind',
      'warned',
      'progressing',
      'fine',
    ]);
  });
});

describe('worstProblemOf', () => {
  it.each<[string, ApplicationSet, ReturnType<typeof worstProblemOf>]>([
    ['nothing', SETS.fine, undefined],
    [
      'a warning about the set',
      SETS.warned,
      { severity: 'warning', text: NOT_SKIPPED.title },
    ],
    [
      'a broken set before its clusters',
      set('both', [forbiddenApplication('a')], [BROKEN]),
      { severity: 'error', text: BROKEN.title },
    ],
    [
      'a failing cluster before a warning about the set',
      set('both', [forbiddenApplication('a')], [NOT_SKIPPED]),
      {
        severity: 'error',
        text: expect.stringMatching(/^a: .*is forbidden/),
      },
    ],
    [
      'an Application without a cluster, without its name',
      set('lost', [clusterApplication('', { error: 'no such cluster' })]),
      { severity: 'error', text: 'no such cluster' },
    ],
  ])('returns %s', (_what, from, expected) => {
    expect(worstProblemOf(from)).toEqual(expected);
  });
});
