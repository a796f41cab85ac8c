import type {
  ApplicationSet,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationSet,
  applicationSetRows,
  clusterApplication,
  FORBIDDEN,
  forbiddenApplication,
  minutesAgo,
} from '../__testUtils__/fixtures';
import {
  filterSets,
  sortSets,
  worstProblemOf,
  type SetState,
} from './listRows';
import { linkedComponents } from './useLinkedComponents';

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
  applications: Parameters<typeof applicationSetRows>[0],
  findings: Finding[] = [],
): ApplicationSet {
  return applicationSet(
    applicationSetRows(applications, {
      ref: { hub: 'hub', namespace: 'argocd', name },
      findings,
    }),
  );
}

const SINCE = minutesAgo(3);

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
  unsynced: set('unsynced', [clusterApplication('a', { sync: 'Unknown' })]),
  progressing: set('progressing', [
    clusterApplication('a', { health: 'Progressing' }),
  ]),
};

describe('sortSets', () => {
  it('sorts by trouble: a broken set, the most clusters in trouble, out of sync, warnings, progressing, the rest', () => {
    expect(
      sortSets(Object.values(SETS), {
        column: 'worst',
        descending: false,
      }).map(({ ref }) => ref.name),
    ).toEqual([
      'broken',
      'failing',
      'stale',
      'unsynced',
      'behind',
      'warned',
      'progressing',
      'fine',
    ]);
  });
});

describe('filterSets', () => {
  it.each<[SetState, string[]]>([
    // Also those whose workloads are healthy, and those whose set is broken.
    ['inTrouble', ['stale', 'failing', 'broken', 'unsynced']],
    ['running', ['behind', 'progressing']],
    ['outOfSync', ['behind', 'failing']],
    ['syncUnknown', ['unsynced']],
    ['stale', ['stale']],
    // A stale cluster's last status is Healthy and Synced.
    ['healthy', ['fine', 'warned']],
  ])('finds sets by state %s', (state, expected) => {
    expect(
      filterSets(Object.values(SETS), { state }, () => []).map(
        ({ ref }) => ref.name,
      ),
    ).toEqual(expected);
  });

  it('finds labels with their keys, and components that link to a set, with their owners', () => {
    const sets = [
      { ...SETS.fine, labels: { tier: 'front' } },
      { ...SETS.failing, labels: { tier: 'back' } },
    ];
    const linked = (entityRef: string, owner: string) => ({
      entityRef,
      owner,
      way: 'repository' as const,
      via: 'its repository',
    });
    const componentsOf = linkedComponents({
      items: [
        {
          ref: SETS.fine.ref,
          entities: [linked('component:default/web', 'group:default/team-web')],
        },
        {
          ref: { ...SETS.failing.ref, hub: 'other' },
          entities: [linked('component:default/elsewhere', 'team-x')],
        },
        {
          ref: SETS.failing.ref,
          entities: [
            linked('component:default/shop', 'team-shop'),
            linked('api:default/shop', 'team-y'),
          ],
        },
      ],
    });
    const found = (text: string) =>
      filterSets(sets, { text }, componentsOf).map(({ ref }) => ref.name);
    expect(found('tier=back')).toEqual(['failing']);
    expect(found('team-web')).toEqual(['fine']);
    expect(found('component:default/shop')).toEqual(['failing']);
    expect(found('team-x')).toEqual([]);
    expect(found('team-y')).toEqual([]);
  });

  it('finds the code of the problem and a revision that runs', () => {
    const found = (text: string) =>
      filterSets([SETS.fine, SETS.failing], { text }, () => []).map(
        ({ ref }) => ref.name,
      );
    expect(found(FORBIDDEN.code)).toEqual(['failing']);
    expect(found('a1b2c3d')).toEqual(['fine', 'failing']);
  });
});

describe('worstProblemOf', () => {
  it.each<[string, ApplicationSet, ReturnType<typeof worstProblemOf>]>([
    ['nothing', SETS.fine, undefined],
    [
      'a warning about the set',
      SETS.warned,
      {
        severity: 'warning',
        text: NOT_SKIPPED.title,
        code: NOT_SKIPPED.code,
      },
    ],
    [
      'a broken set before its clusters',
      set('both', [forbiddenApplication('a')], [BROKEN]),
      { severity: 'error', text: BROKEN.title, code: BROKEN.code },
    ],
    [
      'a failing cluster before a warning about the set',
      set(
        'both',
        [{ ...forbiddenApplication('a'), since: SINCE }],
        [NOT_SKIPPED],
      ),
      {
        severity: 'error',
        text: `a: ${FORBIDDEN.title}`,
        code: FORBIDDEN.code,
        since: SINCE,
      },
    ],
    [
      'a warning where no cluster is in trouble',
      set('behind', [
        clusterApplication('a', { finding: NOT_SKIPPED, since: SINCE }),
      ]),
      {
        severity: 'warning',
        text: `a: ${NOT_SKIPPED.title}`,
        code: NOT_SKIPPED.code,
        since: SINCE,
      },
    ],
    [
      'an Application without a cluster, without its name',
      set('lost', [
        clusterApplication('', { finding: FORBIDDEN, since: SINCE }),
      ]),
      {
        severity: 'error',
        text: FORBIDDEN.title,
        code: FORBIDDEN.code,
        since: SINCE,
      },
    ],
  ])('returns %s', (_what, from, expected) => {
    expect(worstProblemOf(from)).toEqual(expected);
  });
});
