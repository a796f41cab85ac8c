import type { Finding, HubState } from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationSetFacts } from 'backstage-plugin-argocd-fleet-node';
import type { Decision } from './access';
import type { FleetFacts } from './fleetFacts';
import { createVisibility } from './visibility';

const decided = (all: boolean) => ({
  all,
  allows: () => true,
  mightAllow: () => true,
});

const finding = (code: string): Finding => ({
  code,
  severity: 'warning',
  title: code,
  message: '3 clusters',
});

const STATE: HubState = {
  name: 'hub',
  state: 'ready',
  unread: [],
  findings: [finding('AFC-403'), finding('AFC-433'), finding('MY-1')],
};

const FACTS: FleetFacts = {
  applicationSet: ref => ({ ref }),
  formerApplicationSet: ref => ({ ref }),
  cluster: (hub, name) => ({ hub, name }),
};

/** What a caller sees whose decisions allow everything, each with or without a condition. */
function visibilityOf(sets: boolean, clusters: boolean, hubs: boolean) {
  return createVisibility(
    {
      sets: decided(sets),
      clusters: decided(clusters),
      hubs: decided(hubs),
    },
    FACTS,
  );
}

const codesOf = (findings: readonly Finding[] = []) =>
  findings.map(({ code }) => code);

it.each([
  [true, ['AFC-441']],
  [false, []],
])(
  'shows findings that count ApplicationSets of everybody to who sees all: %s',
  (sets, expected) => {
    const { findings } = visibilityOf(sets, true, true).applicationSetList({
      items: [],
      hubs: [],
      findings: [finding('AFC-441')],
    });
    expect(codesOf(findings)).toEqual(expected);
  },
);

it.each([
  [true, true, ['AFC-403', 'AFC-433', 'MY-1']],
  [false, true, ['AFC-403']],
  [true, false, []],
])(
  'shows findings of a hub to who sees all clusters (%s) and hubs in full (%s)',
  (clusters, hubs, expected) => {
    const [state] = visibilityOf(true, clusters, hubs).hubStates([STATE]);
    expect(codesOf(state.findings)).toEqual(expected);
  },
);

it.each([
  [true, ['AFC-406', 'AFC-224', 'AFC-225', 'AFC-421', 'AFC-435']],
  [false, ['AFC-224']],
])(
  'shows findings of a hub that name Applications to who sees all ApplicationSets: %s',
  (sets, expected) => {
    const findings = [
      'AFC-406',
      'AFC-224',
      'AFC-225',
      'AFC-421',
      'AFC-435',
    ].map(finding);
    const [state] = visibilityOf(sets, true, true).hubStates([
      { ...STATE, findings },
    ]);
    expect(codesOf(state.findings)).toEqual(expected);
  },
);

describe('findings of a cluster', () => {
  const CLUSTER = { hub: 'hub', name: 'one' };
  const about = (object?: Finding['object']): Finding => ({
    ...finding('AFC-127'),
    object,
  });
  const FINDINGS = [
    about({ kind: 'ApplicationSet', namespace: 'argocd', name: 'mine' }),
    about({ kind: 'ApplicationSet', namespace: 'argocd', name: 'theirs' }),
    about({ kind: 'Application', namespace: 'argocd', name: 'mine' }),
    about({ kind: 'ManifestWork', namespace: 'one', name: 'mine' }),
    about(),
  ];
  const seenBy = (sets: Decision<ApplicationSetFacts>, clusters = true) =>
    createVisibility(
      {
        sets,
        clusters: { ...decided(false), allows: () => clusters },
        hubs: decided(true),
      },
      FACTS,
    ).clusterFindings(CLUSTER, FINDINGS);

  it('are shown to who may see what they are about', () => {
    const mine = {
      ...decided(false),
      allows: ({ ref }: ApplicationSetFacts) => ref.name === 'mine',
    };
    expect(seenBy(mine)).toEqual(FINDINGS.slice(0, 1));
    expect(seenBy(decided(true))).toEqual(FINDINGS);
  });

  it('about the cluster itself are shown to whoever sees the cluster', () => {
    const fault = about({ kind: 'ManagedCluster', name: 'one' });
    const seen = (clusters: boolean) =>
      createVisibility(
        {
          sets: decided(false),
          clusters: { ...decided(false), allows: () => clusters },
          hubs: decided(false),
        },
        FACTS,
      ).clusterFindings(CLUSTER, [fault]);
    expect(seen(true)).toEqual([fault]);
    expect(seen(false)).toEqual([]);
  });

  it('are about no ApplicationSet where no set made the Application', () => {
    const namespace = {
      ...decided(false),
      allows: ({ ref }: ApplicationSetFacts) =>
        ref.namespace === 'argocd' && ref.name === '',
    };
    expect(seenBy(namespace)).toEqual(FINDINGS.slice(2, 3));
  });

  it('are not shown to who may not see the cluster', () => {
    expect(seenBy(decided(true), false)).toEqual([]);
  });
});

it.each<[HubState, RegExp | undefined]>([
  [STATE, undefined],
  [{ ...STATE, unread: ['placements'] }, /not everything is shown/],
  [{ ...STATE, state: 'unreachable', message: '10.1.2.3' }, /does not answer/],
  [{ ...STATE, state: 'starting', message: 'counting' }, /counting/],
])('says in general how a hub is, to everybody: %j', (state, expected) => {
  const [{ message }] = visibilityOf(true, true, false).hubStates([state]);
  expect(message ?? '').toMatch(expected ?? /^$/);
  expect(message ?? '').not.toContain('10.1.2.3');
});
