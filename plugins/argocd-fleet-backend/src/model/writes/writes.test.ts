import {
  COMPONENT_ANNOTATIONS,
  type PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';
import {
  isInRepositories,
  matchesName,
  repositoryProblem,
} from 'backstage-plugin-argocd-fleet-common';
import { placementOwner } from './owners';
import {
  applicationSetRefusal,
  grantFor,
  placementRefusal,
  selectedPlacementRefusal,
  withinGrant,
  type WriteGrant,
} from './writeGrants';

const GRANT: WriteGrant = {
  key: 'argocdFleet.hubs[0].writes[0]',
  namespaces: ['team-a'],
  projects: ['team-a', 'shared-*'],
  repositories: ['https://github.com/acme', 'ssh://git@github.com/acme'],
  destinationNamespaces: ['team-a-*'],
  clusterSets: ['dev', 'test'],
  clusterLabels: { environment: 'dev' },
};
const HUB = { argocdNamespace: 'openshift-gitops' };

describe('a repository is allowed', () => {
  it.each([
    ['https://github.com/acme', 'https://github.com/acme/app.git'],
    ['https://github.com/acme/', 'https://github.com/acme/app/'],
    ['https://github.com/acme/app', 'https://github.com/acme/app.git'],
    ['https://github.com/acme/app.git', 'https://github.com/acme/app'],
    ['https://GitHub.com/acme', 'HTTPS://github.COM/acme/app'],
    ['https://github.com', 'https://github.com:443/acme/app'],
    ['https://git.example.com:8443/a', 'https://git.example.com:8443/a/b'],
    ['ssh://git@github.com/acme', 'git@github.com:acme/app.git'],
    ['git@github.com:acme', 'ssh://git@github.com:22/acme/app.git'],
    ['oci://registry.example.com/charts', 'oci://registry.example.com/charts'],
  ])('by %s: %s', (allowed, address) => {
    expect(isInRepositories([allowed], address)).toBe(true);
  });
});

describe('a tenant with https://github.com/acme cannot deploy', () => {
  it.each([
    ['from a longer name', 'https://github.com/acme-evil/app'],
    ['from a longer name with a dot', 'https://github.com/acme.evil/app'],
    ['from the same name in capitals', 'https://github.com/ACME/app'],
    ['over dot segments', 'https://github.com/acme/../evil/app'],
    ['over a dot segment', 'https://github.com/./acme/app'],
    ['over an encoded dot segment', 'https://github.com/acme/%2e%2e/evil'],
    ['over an encoded slash', 'https://github.com/acme%2fapp'],
    ['over an encoded letter', 'https://github.com/%61cme/app'],
    ['over a double slash', 'https://github.com//acme/app'],
    ['over a backslash', 'https://github.com\\acme/app'],
    ['over a backslash behind the host', 'https://evil.com\\@github.com/acme'],
    ['from a host behind a user name', 'https://github.com@evil.com/acme/app'],
    ['from a host behind a password', 'https://github.com:x@evil.com/acme/a'],
    ['with a user name', 'https://user@github.com/acme/app'],
    ['with an empty user name', 'https://@github.com/acme/app'],
    ['from a longer host', 'https://github.com.evil.com/acme/app'],
    ['from a host with a dot at its end', 'https://github.com./acme/app'],
    ['from another port', 'https://github.com:8443/acme/app'],
    ['over another scheme', 'http://github.com/acme/app'],
    ['over SSH', 'ssh://git@github.com/acme/app'],
    ['over the SSH of scp', 'git@github.com:acme/app'],
    ['with a query', 'https://github.com/acme/app?x=/../../evil'],
    ['with a fragment', 'https://github.com/acme/app#evil'],
    ['with a space in front', ' https://github.com/acme/app'],
    ['with a tab in it', 'https://github.com/ac\tme/app'],
    ['with a line feed at its end', 'https://github.com/acme/app\n'],
    ['from a host in other letters', 'https://gіthub.com/acme/app'],
    ['from a template', 'https://github.com/acme/{{name}}'],
    ['from a template for the host', 'https://{{name}}/acme/app'],
    ['without a scheme', 'github.com/acme/app'],
    ['without slashes', 'https:github.com/acme/app'],
    ['with three slashes', 'https:///github.com/acme/app'],
    ['from a file', 'file:///github.com/acme/app'],
    ['through a helper of Git', 'ext::sh -c id'],
    ['from the group itself', 'https://github.com'],
  ])('%s: %s', (_, address) => {
    expect(isInRepositories(['https://github.com/acme'], address)).toBe(false);
  });

  it('with a message that repeats a password', () => {
    const refusal = applicationSetRefusal(GRANT, HUB, {
      project: 'team-a',
      source: { repoURL: 'https://user:very-secret@github.com/acme/app' },
      destinationNamespace: 'team-a-web',
    });
    expect(refusal).toMatch(/^source\.repoURL: .*has a user name/);
    expect(refusal).not.toContain('very-secret');
  });
});

it.each([
  ['ssh://git:secret@github.com/a', /password/],
  ['https://github.com/a//b', /empty or dot segment/],
  ['svn://example.com/a', /scheme svn/],
  [`https://github.com/${'a'.repeat(3_000)}`, /longer than/],
])('says what is wrong with %s', (address, problem) => {
  expect(repositoryProblem(address)).toMatch(problem);
});

describe('an ApplicationSet', () => {
  const body = {
    project: 'team-a',
    source: { repoURL: 'https://github.com/acme/app' },
    destinationNamespace: 'team-a-web',
  };

  it('is allowed by a grant', () => {
    expect(applicationSetRefusal(GRANT, HUB, body)).toBeUndefined();
    expect(
      applicationSetRefusal(GRANT, HUB, { ...body, project: 'shared-web' }),
    ).toBeUndefined();
  });

  it.each([
    [{ project: 'team-b' }, /^project: .*writes\[0\]\.projects allows team-a/],
    [{ project: 'default' }, /^project: the AppProject default is not allowed/],
    [
      { source: { repoURL: 'https://github.com/evil/app' } },
      /^source\.repoURL: https:\/\/github\.com\/evil\/app is not allowed; argocdFleet\.hubs\[0\]\.writes\[0\]\.repositories allows/,
    ],
    [
      { destinationNamespace: 'team-b-web' },
      /^destinationNamespace: .*destinationNamespaces allows team-a-\*/,
    ],
    [{ destinationNamespace: 'kube-system' }, /never/],
  ])('is refused with %j', (change, expected) => {
    expect(applicationSetRefusal(GRANT, HUB, { ...body, ...change })).toMatch(
      expected,
    );
  });

  it.each(['kube-system', 'kube-public', 'openshift', 'openshift-config'])(
    'never goes into %s, whatever the grant says',
    destinationNamespace => {
      for (const allowed of ['*', destinationNamespace]) {
        expect(
          applicationSetRefusal(
            { ...GRANT, destinationNamespaces: [allowed] },
            HUB,
            { ...body, destinationNamespace },
          ),
        ).toMatch(/^destinationNamespace/);
      }
    },
  );

  it.each(['argocd', 'openshift-gitops'])(
    "goes into Argo CD's own namespace %s only where it is named in full",
    argocdNamespace => {
      const into = (allowed: string) =>
        applicationSetRefusal(
          { ...GRANT, destinationNamespaces: [allowed] },
          { argocdNamespace },
          { ...body, destinationNamespace: argocdNamespace },
        );
      expect(into('*')).toMatch(/^destinationNamespace/);
      expect(into(`${argocdNamespace.slice(0, 3)}*`)).toMatch(/^dest/);
      expect(into(argocdNamespace)).toBeUndefined();
    },
  );
});

describe('a Placement', () => {
  it('never selects more than the grant covers', () => {
    expect(withinGrant(GRANT, { matchLabels: { a: 'b' } })).toEqual({
      clusterSets: ['dev', 'test'],
      matchLabels: { a: 'b', environment: 'dev' },
    });
    expect(
      withinGrant(
        { ...GRANT, clusterSets: undefined, clusterLabels: {} },
        { numberOfClusters: 2 },
      ),
    ).toEqual({ numberOfClusters: 2 });
  });

  it.each<[PlacementSelection, RegExp]>([
    [{ clusterSets: ['dev', 'production'] }, /^clusterSets: .*set production/],
    [
      { matchLabels: { environment: 'production' } },
      /^matchLabels: environment=production is not allowed/,
    ],
  ])('is refused with %j', (selection, expected) => {
    expect(placementRefusal(GRANT, selection)).toMatch(expected);
  });

  it.each<PlacementSelection>([
    { clusterSets: ['dev'], matchLabels: { environment: 'dev' } },
    {},
  ])('is allowed with %j', selection => {
    expect(placementRefusal(GRANT, selection)).toBeUndefined();
  });

  function placement(spec: object) {
    return {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: { name: 'all', namespace: 'team-a' },
      spec,
    };
  }
  const dev = {
    requiredClusterSelector: {
      labelSelector: { matchLabels: { environment: 'dev', more: 'x' } },
    },
  };

  it('of somebody else may be used where it selects no more', () => {
    expect(
      selectedPlacementRefusal(
        GRANT,
        placement({ clusterSets: ['dev'], predicates: [dev] }),
      ),
    ).toBeUndefined();
  });

  it.each<[string, object]>([
    ['from every bound set', { predicates: [dev] }],
    ['from another set', { clusterSets: ['prod'], predicates: [dev] }],
    ['whatever labels they have', { clusterSets: ['dev'] }],
    [
      'by one of two predicates',
      { clusterSets: ['dev'], predicates: [dev, {}] },
    ],
  ])('that selects clusters %s is not used', (_, spec) => {
    expect(selectedPlacementRefusal(GRANT, placement(spec))).toMatch(
      /^placement: the Placement all selects/,
    );
  });
});

it('knows no grant for a namespace that only begins like an allowed one', () => {
  const writes = { key: 'argocdFleet.hubs[0].writes', grants: [GRANT], ...HUB };
  expect(grantFor(writes, 'hub', 'team-a')).toBe(GRANT);
  expect(grantFor(writes, 'hub', 'team-a-evil')).toBe(
    'The portal may not write in the namespace team-a-evil of the hub "hub": argocdFleet.hubs[0].writes[].namespaces allows team-a',
  );
  expect(grantFor({ ...writes, grants: [] }, 'hub', 'team-a')).toMatch(
    /may write nowhere there until argocdFleet\.hubs\[0\]\.writes allows it$/,
  );
  expect(grantFor({ ...writes, refusal: 'off' }, 'hub', 'team-a')).toBe('off');
});

it('takes a star only at the end of a name', () => {
  expect(matchesName(['team-*'], 'team-a')).toBe(true);
  expect(matchesName(['team-a'], 'team-ab')).toBe(false);
  expect(matchesName(['*'], 'anything')).toBe(true);
});

describe('the owner of a Placement without one', () => {
  const object = (owner?: string, ours = true) => ({
    apiVersion: 'v1',
    kind: 'Any',
    metadata: {
      name: 'x',
      ...(ours && {
        labels: { 'app.kubernetes.io/managed-by': 'argocd-fleet' },
      }),
      ...(owner && { annotations: { [COMPONENT_ANNOTATIONS.owner]: owner } }),
    },
  });

  it.each([
    ['nobody where nothing uses it', [], undefined],
    ['that of its user', [object('team-a')], 'group:default/team-a'],
    [
      'that of all users',
      [object('team-a'), object('Group:default/Team-A')],
      'group:default/team-a',
    ],
    ['nobody where two use it', [object('a'), object('b')], undefined],
    ['nobody where one has none', [object('a'), object()], undefined],
    [
      'nobody where somebody else made its user',
      [object('a', false)],
      undefined,
    ],
  ])('is %s', (_, users, expected) => {
    expect(placementOwner(object(), () => users)).toBe(expected);
  });

  it('is nobody where what is recorded cannot be read', () => {
    expect(
      placementOwner(object('group:'), () => [object('a')]),
    ).toBeUndefined();
  });
});
