import {
  CLUSTER_SET_LABEL,
  type KubernetesObject,
  type ManagedClusterSet,
  type OwnerReference,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import {
  boundSet,
  clusterSet,
  controlledBy,
  decisionStatus,
  GLOBAL_SET,
  managedCluster,
  placement,
  placementDecision,
} from '../__testUtils__/objects';
import { applySeededPlacement, emptyCache } from '../__testUtils__/emptyCache';
import { KubernetesError } from '../kubernetes/client';
import { applicationsOf } from './affectedApplications';
import { authorisationOf, reauthorised } from './authorisations';

const TENANT = 'tenant';
const VICTIM = 'production';

const OWN = {
  ...placement('own', TENANT),
  metadata: { ...placement('own', TENANT).metadata, uid: 'uid-of-own' },
};
const CONTROLLED = controlledBy(OWN);

function decision(
  owners: readonly OwnerReference[],
  label: string | undefined = 'own',
  clusters: readonly string[] = ['one'],
): PlacementDecision {
  const { metadata, ...rest } = placementDecision('own', TENANT);
  return {
    ...rest,
    metadata: {
      ...metadata,
      labels: label
        ? { 'cluster.open-cluster-management.io/placement': label }
        : {},
      ownerReferences: owners,
    },
    status: decisionStatus(clusters),
  };
}

/** A hub on which the tenant may use the clusters of the set `team`: only `one`. */
function hub(decisions: readonly PlacementDecision[], own = OWN) {
  const cache = emptyCache();
  applySeededPlacement(cache);
  for (const [name, set] of [
    ['one', 'team'],
    [VICTIM, 'production'],
  ]) {
    cache.applyWriteResult(
      'clusters',
      managedCluster(name, { [CLUSTER_SET_LABEL]: set }),
    );
  }
  for (const name of ['team', 'production']) {
    cache.applyWriteResult('clusterSets', clusterSet(name));
  }
  cache.applyWriteResult('clusterSetBindings', boundSet('team', TENANT));
  cache.applyWriteResult('placements', own);
  decisions.forEach((each, index) =>
    cache.applyWriteResult('decisions', {
      ...each,
      metadata: { ...each.metadata, name: `decision-${index}` },
    }),
  );
  return cache;
}

/** A later version of an object. */
function changed<T extends KubernetesObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion: '2' } };
}

const verdictOn = (cache: ReturnType<typeof hub>, cluster = 'one') =>
  authorisationOf(cache, TENANT, cluster).verdict;

it('a decision of the placement controller authorises a cluster of a bound set', () => {
  expect(verdictOn(hub([decision([CONTROLLED])]))).toBe('authorised');
  expect(verdictOn(hub([]))).toBe('undecided');
});

it.each<[string, PlacementDecision, string]>([
  ['without owner', decision([]), 'notOwned'],
  [
    'without label and owner',
    { ...decision([], ''), metadata: { ...decision([]).metadata, labels: {} } },
    'unlabelled',
  ],
  [
    'with the label of a Placement that does not exist',
    decision([CONTROLLED], 'gone'),
    'noPlacement',
  ],
  [
    'with the UID of another Placement',
    decision([{ ...CONTROLLED, uid: 'uid-of-another' }]),
    'notOwned',
  ],
  [
    'with an owner that does not control it',
    decision([{ ...CONTROLLED, controller: false }]),
    'notOwned',
  ],
  [
    'with an owner of another API group',
    decision([{ ...CONTROLLED, apiVersion: 'example.com/v1beta1' }]),
    'notOwned',
  ],
  [
    'with an owner of another kind',
    decision([{ ...CONTROLLED, kind: 'PlacementDecision' }]),
    'notOwned',
  ],
])('a tenant’s decision %s authorises nothing', (_, forged, verdict) => {
  const cache = hub([forged]);
  expect(verdictOn(cache)).toBe(verdict);
  expect(authorisationOf(cache, TENANT, 'one').reason).toBeTruthy();
});

it('a tenant’s copy of a genuine decision reaches no cluster of a set that is not bound to its namespace', () => {
  const cache = hub([decision([CONTROLLED], 'own', [VICTIM])]);
  expect(verdictOn(cache, VICTIM)).toBe('notInSet');
  expect(authorisationOf(cache, TENANT, VICTIM).reason).toBe(
    'No ManagedClusterSet that contains the cluster is bound to tenant',
  );
});

it('a tenant’s binding of another set under the name of its own binds nothing', () => {
  const cache = hub([decision([CONTROLLED], 'own', [VICTIM])]);
  expect(verdictOn(cache, 'one')).toBe('undecided');
  cache.applyWriteResult(
    'clusterSetBindings',
    changed({
      ...boundSet('team', TENANT),
      spec: { clusterSet: 'production' },
    }),
  );
  expect(authorisationOf(cache, TENANT, VICTIM).reason).toBe(
    'No ManagedClusterSet that contains the cluster is bound to tenant',
  );
});

it('a tenant’s binding of a set that does not exist binds nothing', () => {
  const cache = hub([decision([CONTROLLED], 'own', [VICTIM])]);
  cache.applyWriteResult('clusterSetBindings', boundSet('none', TENANT));
  expect(verdictOn(cache, VICTIM)).toBe('notInSet');
});

it('a binding of another namespace authorises nothing in the tenant’s', () => {
  const cache = hub([decision([CONTROLLED], 'own', [VICTIM])]);
  cache.applyWriteResult('clusterSetBindings', boundSet('production', 'other'));
  expect(verdictOn(cache, VICTIM)).toBe('notInSet');
});

it('a Placement that is limited to some sets authorises no others, though they are bound', () => {
  const limited = { ...OWN, spec: { clusterSets: ['production'] } };
  const cache = hub([decision([CONTROLLED])], limited);
  expect(verdictOn(cache)).toBe('notInSet');
  expect(authorisationOf(cache, TENANT, 'one').reason).toContain(
    'the Placement is limited to production',
  );
});

it('a set that selects by labels, such as global, contains the clusters that have them', () => {
  const cache = hub([decision([CONTROLLED], 'own', [VICTIM, 'one'])]);
  cache.applyWriteResult('clusterSetBindings', boundSet('global', TENANT));
  expect(verdictOn(cache, VICTIM)).toBe('authorised');
  const regional: ManagedClusterSet = {
    ...GLOBAL_SET,
    spec: {
      clusterSelector: {
        selectorType: 'LabelSelector',
        labelSelector: { matchLabels: { region: 'eu' } },
      },
    },
  };
  cache.applyWriteResult('clusterSets', changed(regional));
  expect(verdictOn(cache, VICTIM)).toBe('notInSet');
  // It is still in the set `team`.
  expect(verdictOn(cache, 'one')).toBe('authorised');
});

it('a genuine decision counts beside a forged one, and one of a recreated Placement does not', () => {
  const forged = decision([]);
  expect(verdictOn(hub([forged, decision([CONTROLLED]), forged]))).toBe(
    'authorised',
  );
  const recreated = { ...OWN, metadata: { ...OWN.metadata, uid: 'later' } };
  expect(verdictOn(hub([decision([CONTROLLED])], recreated))).toBe('notOwned');
});

describe('where a resource is not known', () => {
  it.each(['placements', 'clusterSets', 'clusterSetBindings'] as const)(
    'without %s, a decision that may count is unverified, and one that cannot is refused',
    unknown => {
      const isKnown = (name: string) => name !== unknown;
      expect(verdictOn({ ...hub([decision([CONTROLLED])]), isKnown })).toBe(
        'unverified',
      );
      expect(verdictOn({ ...hub([decision([])]), isKnown })).toBe('notOwned');
      expect(verdictOn({ ...hub([]), isKnown })).toBe('undecided');
    },
  );

  it.each([
    ['is being listed', undefined, true],
    ['could not be listed yet', 'unavailable', true],
    ['may not be read', 'forbidden', undefined],
    ['is not served', 'notServed', undefined],
  ] as const)('while one %s, that is pending: %p, %p', (_, kind, isPending) => {
    const cache = hub([decision([CONTROLLED])]);
    const failure = kind && new KubernetesError(kind, 'it failed');
    const states = () => ({
      ...cache.states(),
      clusterSets: { ...cache.states().clusterSets, failure },
    });
    const isKnown = (name: string) => name !== 'clusterSets';
    expect(
      authorisationOf({ ...cache, isKnown, states }, TENANT, 'one').isPending,
    ).toBe(isPending);
  });
});

it('a cluster is reauthorised once, however many decisions name it', () => {
  const named = Array.from({ length: 3 }, () => decision([CONTROLLED]));
  const cache = hub(named);
  const selections = [{ namespace: TENANT, cluster: 'one' }];
  expect(
    reauthorised(
      { resource: 'placements', key: `${TENANT}/own`, after: OWN },
      cache,
    ),
  ).toEqual(selections);
  const bound = { ...boundSet('team', TENANT) };
  expect(
    reauthorised(
      { resource: 'clusterSetBindings', key: `${TENANT}/team`, after: bound },
      cache,
    ),
  ).toEqual(selections);
});

it('the Applications of a cluster are read once, however often it is selected', () => {
  const { applications, ...cache } = hub([]);
  const by = jest.fn(applications.by);
  const selection = { namespace: TENANT, cluster: 'one' };
  const other = { namespace: 'other', cluster: 'one' };
  applicationsOf([selection, other, selection], 'cluster', {
    ...cache,
    applications: { ...applications, by },
  });
  expect(by.mock.calls.filter(([index]) => index === 'cluster')).toEqual([
    ['cluster', 'one'],
  ]);
});
