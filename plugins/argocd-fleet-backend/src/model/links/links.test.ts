import type { ArgoSource } from 'backstage-plugin-argocd-fleet-common';
import { applicationSetResourceRef } from 'backstage-plugin-argocd-fleet-node';
import { entityLinks, unmatchedHint, type LinkHub } from './entityLinks';
import { createLinkableSets } from './linkableSets';
import { readLinkRequest } from './linkRequest';
import { requestTerms } from './linkTerms';
import { DEFAULT_LINK_WAYS, type LinkWays } from './linkWays';
import { nearMatches } from './nearMatches';
import type { ApplicationFacts } from './setFacts';

interface SetOnHub {
  readonly labels?: Record<string, string>;
  readonly sources?: readonly ArgoSource[];
  /** By name. */
  readonly applications?: Record<string, Partial<ApplicationFacts>>;
}

function hubWith(
  name: string,
  sets: Record<string, SetOnHub>,
  options: { readonly listed?: boolean; readonly instances?: string[] } = {},
): LinkHub {
  const index = createLinkableSets();
  const named = new Map<
    string,
    ReturnType<LinkHub['applicationsNamed']>[number][]
  >();
  for (const [
    key,
    { labels = {}, sources = [], applications = {} },
  ] of Object.entries(sets)) {
    const [namespace, set] = key.split('/');
    const ref = { namespace, name: set };
    const facts = Object.entries(applications).map(([application, given]) => {
      const made = { namespace, project: 'default', labels: {}, ...given };
      named.set(application, [
        ...(named.get(application) ?? []),
        { applicationSet: ref, facts: made },
      ]);
      return made;
    });
    index.set(key, {
      ref,
      labels,
      sources,
      applications: facts,
      entityRef: applicationSetResourceRef({ hub: name, ...ref }),
    });
  }
  return {
    name,
    instances: options.instances ?? [],
    listed: options.listed ?? true,
    sets: index,
    applicationsNamed: application => named.get(application) ?? [],
  };
}

const component = (
  annotations: Record<string, string>,
  spec: { dependsOn?: unknown } = {},
) => ({ kind: 'Component', metadata: { annotations }, spec });

const EVERYONE = () => true;

function linksOf(
  entity: Parameters<typeof readLinkRequest>[0],
  hubs: readonly LinkHub[],
  ways: Partial<LinkWays> = {},
) {
  return entityLinks(
    readLinkRequest(entity),
    hubs,
    { ...DEFAULT_LINK_WAYS, ...ways },
    EVERYONE,
  );
}

const shown = (...request: Parameters<typeof linksOf>) =>
  linksOf(...request).links.map(
    ({ ref, state }) =>
      `${ref.hub}:${ref.namespace}/${ref.name}${state === 'found' ? '' : ` ${state}`}`,
  );

describe('our own annotation', () => {
  const hubs = [
    hubWith('eu', { 'gitops/guestbook': {} }),
    hubWith('us', { 'gitops/guestbook': {}, 'gitops/web': {} }),
    hubWith('ap', {}, { listed: false }),
  ];
  it.each<[string, string[]]>([
    ['gitops/guestbook', ['eu:gitops/guestbook', 'us:gitops/guestbook']],
    ['us:gitops/guestbook', ['us:gitops/guestbook']],
    [
      ' gitops/web , eu:gitops/guestbook,, us:gitops/web ',
      ['us:gitops/web', 'eu:gitops/guestbook'],
    ],
    ['eu:gitops/none', ['eu:gitops/none missing']],
    ['zz:gitops/web', ['zz:gitops/web hubUnknown']],
    ['ap:gitops/web', ['ap:gitops/web hubUnavailable']],
    ['gitops/none', ['ap:gitops/none hubUnavailable']],
    ['Gitops/web', []],
    ['gitops/web/x', []],
    ['../web', []],
    ['gitops/__proto__', []],
  ])('%j', (annotation, expected) => {
    expect(
      shown(component({ 'argocd-fleet/applicationset': annotation }), hubs),
    ).toEqual(expected);
  });

  it('names one that is missing on the default hub, once all hubs have been read', () => {
    expect(
      shown(
        component({ 'argocd-fleet/applicationset': 'gitops/none' }),
        hubs.slice(0, 2),
      ),
    ).toEqual(['eu:gitops/none missing']);
  });

  it.each<[string, RegExp]>([
    ['guestbook, gitops/web', /cannot be read at “guestbook”/],
    [' ', /is empty/],
  ])('with a problem: %j', (annotation, problem) => {
    expect(
      linksOf(component({ 'argocd-fleet/applicationset': annotation }), hubs)
        .problem,
    ).toMatch(problem);
  });
});

describe('a label selector', () => {
  const sets = {
    'gitops/cart-prod': { labels: { app: 'cart', env: 'prod' } },
    'gitops/cart-test': { labels: { app: 'cart', env: 'test' } },
    'gitops/till': { labels: { app: 'till', 'example.com/team': 'pay' } },
    'gitops/plain': {},
  };
  const CART = ['hub:gitops/cart-prod', 'hub:gitops/cart-test'];
  const TILL = ['hub:gitops/till'];
  const PROD = ['hub:gitops/cart-prod'];
  const CASES: [string, string[]][] = [
    ['app=cart', CART],
    ['app==cart', CART],
    [' app = cart ', CART],
    ['app=cart,', CART],
    [',,app=cart,,', CART],
    ['app=cart,env=prod', PROD],
    ['env=prod , app = cart', PROD],
    ['app in (cart)', CART],
    ['app in (cart,till)', [...CART, ...TILL]],
    ['app in ( cart , till , )', [...CART, ...TILL]],
    ['app in(cart)', CART],
    ['app in (cart), env notin (test)', PROD],
    ['app=cart,env!=test', PROD],
    ['app,!env', TILL],
    ['app', [...CART, ...TILL]],
    ['example.com/team=pay', TILL],
    ['example.com/team', TILL],
    ['app=Cart', []],
    ['App=cart', []],
    ['app=car', []],
    ['app=cart*', []],
    ['app=cart;env=prod', []],
    ['app in ()', []],
    ['app in (cart', []],
    ['app in cart', []],
    ['app=cart env=prod', []],
    ['=cart', []],
    ['app=', []],
    ['__proto__', []],
    ['constructor in (x)', []],
    ['app!=cart', []],
    ['!app', []],
    ['', []],
    [',', []],
  ];
  it.each(CASES)('over ApplicationSets: %j', (selector, expected) => {
    expect(
      shown(component({ 'argocd-fleet/selector': selector }), [
        hubWith('hub', sets),
      ]),
    ).toEqual(expected);
  });

  it.each(CASES)('over Applications: %j', (selector, expected) => {
    const deployed = Object.fromEntries(
      Object.entries(sets).map(([key, set]) => [
        key,
        {
          applications: {
            [`${key.split('/')[1]}-a`]: set as Partial<ApplicationFacts>,
          },
        },
      ]),
    );
    expect(
      shown(component({ 'argocd/app-selector': selector }), [
        hubWith('hub', deployed),
      ]),
    ).toEqual(expected);
  });

  it.each<[string, RegExp]>([
    ['!app', /only excludes/],
    ['app=a b', /cannot be read at “app=a b”/],
    [`app=${'a'.repeat(64)}`, /cannot be read/],
    [`app=${'a,'.repeat(2_000)}`, /longer than 2048/],
    ['a,'.repeat(40), /more than 32/],
    ['app=none', /selects no ApplicationSet that you may see/],
  ])('that is wrong says so: %.20j', (selector, problem) => {
    expect(
      linksOf(component({ 'argocd-fleet/selector': selector }), [
        hubWith('hub', sets),
      ]).problem,
    ).toMatch(problem);
  });
});

describe('annotations of other Argo CD plugins', () => {
  const hubs = [
    hubWith(
      'eu',
      {
        'gitops/cart': {
          applications: {
            'a-cart': { project: 'shop', labels: { app: 'cart' } },
            'b-cart': { project: 'shop', labels: { app: 'cart' } },
          },
        },
        'teams/cart': {
          applications: { 'a-cart': { labels: { app: 'cart' } } },
        },
        'gitops/till': { applications: { 'a-till': { project: 'shop' } } },
      },
      { instances: ['main'] },
    ),
    hubWith('us', { 'gitops/cart': { applications: { 'c-cart': {} } } }),
  ];
  const EU = 'eu:gitops/cart';
  it.each<[Record<string, string>, string[]]>([
    [{ 'app-name': 'b-cart' }, [EU]],
    [{ 'app-name': ' b-cart , ' }, [EU]],
    [{ 'app-name': 'b-cart, a-till' }, [EU, 'eu:gitops/till']],
    [{ 'app-name': 'a-cart' }, [EU, 'eu:teams/cart']],
    [{ 'app-name': 'a-cart', 'app-namespace': 'teams' }, ['eu:teams/cart']],
    [{ 'app-name': 'a-cart', 'project-name': 'shop' }, [EU]],
    [
      { 'app-name': 'a-cart', 'app-selector': 'app=cart' },
      [EU, 'eu:teams/cart'],
    ],
    [{ 'app-name': 'c-cart' }, ['us:gitops/cart']],
    [{ 'app-name': 'c-cart', 'instance-name': 'us' }, ['us:gitops/cart']],
    [{ 'app-name': 'c-cart', 'instance-name': 'main' }, []],
    [{ 'app-name': 'b-cart', 'instance-name': 'main' }, [EU]],
    [{ 'app-name': 'b-cart', 'instance-name': 'other, main' }, [EU]],
    [{ 'app-name': 'b-cart', 'instance-name': 'Main' }, []],
    [{ 'project-name': 'shop' }, [EU, 'eu:gitops/till']],
    [{ 'project-name': 'shop', 'app-selector': 'app=cart' }, [EU]],
    [{ 'project-name': 'shop', 'app-namespace': 'teams' }, []],
    [{ 'app-namespace': 'gitops' }, []],
    [{ 'instance-name': 'eu' }, []],
    [{ 'app-name': 'cart' }, []],
    [{ 'app-name': 'b-car' }, []],
    [{ 'app-name': 'B-cart' }, []],
    [{ 'app-name': 'gitops/b-cart' }, []],
    [{ 'app-name': '*' }, []],
    [{ 'app-name': '__proto__' }, []],
    [{ 'app-name': '' }, []],
    [{ 'app-name': 'b-cart', 'app-namespace': '../teams' }, []],
    [{ 'app-name': 'b-cart', 'project-name': 'shop,default' }, []],
    [{ 'app-selector': '' }, []],
  ])('%j', (annotations, expected) => {
    const written = Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [
        `argocd/${key}`,
        value,
      ]),
    );
    expect(shown(component(written), hubs)).toEqual(expected);
    expect(
      shown(component(written), hubs, { argocdAnnotations: false }),
    ).toEqual([]);
  });

  it.each<[Record<string, string>, RegExp | undefined]>([
    [{}, undefined],
    [{ 'argocd/app-name': 'x' }, /argocd\/app-name matches no Application/],
    [
      { 'argocd/app-name': 'x', 'argocd/instance-name': 'z' },
      /names z, which is no hub/,
    ],
    [{ 'argocd/app-selector': '!x' }, /argocd\/app-selector only excludes/],
    [{ 'argocd/app-name': 'x/y' }, /have to be names/],
  ])('that link nothing say why: %j', (annotations, expected) => {
    const request = readLinkRequest(component(annotations));
    const hint = unmatchedHint(request, hubs, DEFAULT_LINK_WAYS);
    expect(hint ?? '').toMatch(expected ?? /^$/);
  });
});

const GIT = 'https://git.example.com/acme/shop';
/** A source location, then the repository and path of an ApplicationSet. */
type RepositoryCase = [string, string, string | undefined];

describe('the repository of a component', () => {
  const isLinked = (
    [location, repoURL, path]: RepositoryCase,
    repository: LinkWays['repository'],
    source: Partial<ArgoSource> = {},
  ) =>
    shown(
      component({ 'backstage.io/source-location': location }),
      [
        hubWith('hub', {
          'gitops/set': { sources: [{ repoURL, path, ...source }] },
        }),
      ],
      { repository },
    ).length === 1;

  it.each<RepositoryCase>([
    // GitHub
    [
      'url:https://github.com/acme/shop/tree/main/cart/',
      'https://github.com/acme/shop',
      'cart',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart/',
      'https://github.com/acme/shop.git',
      'cart',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart/',
      'https://github.com/acme/shop.git/',
      'cart/',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart/',
      'git@github.com:acme/shop.git',
      './cart',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart/',
      'ssh://git@github.com/acme/shop',
      'cart/prod',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart/',
      'ssh://git@ssh.github.com:443/acme/shop',
      'cart',
    ],
    [
      'url:https://github.com/Acme/Shop/tree/main/cart/',
      'https://GitHub.com/acme/shop',
      'cart',
    ],
    [
      'url:https://github.com/acme/shop/blob/main/cart/catalog-info.yaml',
      'https://github.com/acme/shop',
      'cart',
    ],
    [
      'url:https://github.com/acme/shop/tree/refs/heads/main/cart',
      'https://github.com/acme/shop',
      'cart',
    ],
    [
      'url:https://github.com/acme/tree/tree/main/cart',
      'https://github.com/acme/tree',
      'cart',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/',
      'https://github.com/acme/shop',
      '.',
    ],
    [
      'url:https://github.com/acme/shop',
      'https://token@github.com/acme/shop',
      '',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/my%20cart',
      'https://github.com/acme/shop',
      'my cart',
    ],
    // GitLab
    [
      'url:https://git.example.com/a/b/c/-/tree/main/cart',
      'https://git.example.com/a/b/c.git',
      'cart',
    ],
    [
      'url:https://git.example.com/a/b/c/-/blob/main/cart/x.yaml',
      'git@git.example.com:a/b/c.git',
      'cart',
    ],
    [
      'url:https://gitlab.com/Acme/Shop/-/tree/main/cart',
      'git@altssh.gitlab.com:acme/shop',
      'cart',
    ],
    // Bitbucket
    [
      'url:https://bitbucket.org/acme/shop/src/main/cart/',
      'git@bitbucket.org:acme/shop.git',
      'cart',
    ],
    [
      'url:https://bitbucket.org/acme/shop/src/branch/cart/',
      'https://me@bitbucket.org/acme/shop.git',
      'cart',
    ],
    [
      'url:https://bb.example.com/projects/ACME/repos/shop/browse/cart?at=refs/heads/main',
      'https://bb.example.com/scm/acme/shop.git',
      'cart',
    ],
    [
      'url:https://bb.example.com/projects/ACME/repos/shop/browse/cart',
      'ssh://git@bb.example.com:7999/acme/shop.git',
      'cart',
    ],
    [
      'url:https://bb.example.com/users/ann/repos/shop/browse',
      'https://bb.example.com/scm/~ann/shop.git',
      '',
    ],
    // Azure DevOps
    [
      'url:https://dev.azure.com/acme/web/_git/shop?path=/cart&version=GBmain',
      'https://acme@dev.azure.com/acme/web/_git/shop',
      'cart',
    ],
    [
      'url:https://dev.azure.com/acme/web/_git/shop?path=%2Fcart',
      'git@ssh.dev.azure.com:v3/acme/web/shop',
      'cart',
    ],
    [
      'url:https://acme.visualstudio.com/DefaultCollection/web/_git/shop?path=/cart',
      'https://dev.azure.com/acme/web/_git/shop',
      'cart',
    ],
    [
      'url:https://acme.visualstudio.com/web/_git/DefaultCollection?path=/cart',
      'https://dev.azure.com/acme/web/_git/DefaultCollection',
      'cart',
    ],
    [
      'url:https://dev.azure.com/acme/_git/shop?path=/cart',
      'acme@vs-ssh.visualstudio.com:v3/acme/shop/shop',
      'cart',
    ],
    // Gitea, and plain Git
    [
      'url:https://git.example.com/acme/shop/src/branch/main/cart',
      'https://git.example.com/acme/shop.git',
      'cart',
    ],
    [
      'url:https://git.example.com/acme/shop/src/tag/v1/cart',
      'ssh://git@git.example.com:2222/acme/shop.git',
      'cart',
    ],
    [
      'url:https://git.example.com:443/acme/shop',
      'https://git.example.com/acme/shop',
      '.',
    ],
    [
      'url:https://git.example.com:8443/acme/shop',
      'https://git.example.com:8443/acme/shop',
      '.',
    ],
    [
      'url:ssh://git@git.example.com/srv/shop.git',
      'git@git.example.com:/srv/shop.git',
      '.',
    ],
    [
      'url:git@git.example.com:acme/shop.git',
      'https://git.example.com/acme/shop',
      '',
    ],
    [
      'url:https://GIT.example.com/acme/shop',
      'http://user:password@git.example.com./acme/shop',
      '.',
    ],
    [
      'url:https://git.example.com/~ann/shop',
      'https://git.example.com/~ann/shop.git',
      '.',
    ],
    // OCI
    [
      'url:oci://registry.example.com/acme/shop',
      'oci://Registry.example.com/acme/shop',
      '.',
    ],
  ])('%s is %s at %s', (...row) => {
    expect(isLinked(row, 'path')).toBe(true);
    expect(isLinked(row, 'any')).toBe(true);
    expect(isLinked(row, 'off')).toBe(false);
  });

  it.each<RepositoryCase>([
    [
      'url:https://github.com/acme/shop/tree/main/cart',
      'https://github.com/acme/shop',
      'till',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart',
      'https://github.com/acme/shop',
      'cart2',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart',
      'https://github.com/acme/shop',
      'Cart',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart',
      'https://github.com/acme/shop',
      'x/cart',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart/prod',
      'https://github.com/acme/shop',
      'cart',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/cart',
      'https://github.com/acme/shop',
      'cart/../till',
    ],
    [
      'url:https://github.com/acme/shop/tree/main/',
      'https://github.com/acme/shop',
      'cart',
    ],
    [
      'url:https://github.com/acme/shop',
      'https://github.com/acme/shop',
      'cart',
    ],
  ])('%s has %s at %s elsewhere', (...row) => {
    expect(isLinked(row, 'path')).toBe(false);
    expect(isLinked(row, 'any')).toBe(true);
  });

  it.each<RepositoryCase>([
    ['url:https://github.com/acme/shop', 'https://github.com/acme/shop2', '.'],
    ['url:https://github.com/acme/shop', 'https://github.com/acme', '.'],
    [
      'url:https://github.com/acme/shop',
      'https://github.com.evil.example/acme/shop',
      '.',
    ],
    [
      'url:https://github.com/acme/shop',
      'https://evil.example/github.com/acme/shop',
      '.',
    ],
    [
      'url:https://github.com/acme/shop',
      'https://github.com@evil.example/acme/shop',
      '.',
    ],
    [
      'url:https://github.com/acme/shop',
      'https://evil.example#@github.com/acme/shop',
      '.',
    ],
    [
      'url:https://github.com/acme/shop',
      'https://evil.example?@github.com/acme/shop',
      '.',
    ],
    [
      'url:https://github.com/acme/shop',
      'https://evil.example\\@github.com/acme/shop',
      '.',
    ],
    [
      'url:https://github.com/acme/shop',
      'https://github.com/acme/../acme/shop',
      '.',
    ],
    ['url:https://github.com/acme/shop', 'https://github.com/acme%2Fshop', '.'],
    [
      'url:https://github.com/acme/shop',
      'https://github.com/acme/shop%00',
      '.',
    ],
    ['url:https://github.com/acme/shop', 'https://github.com/acme/%zz', '.'],
    ['url:https://github.com/acme/shop', 'https://github.com/acme//shop', '.'],
    ['url:https://github.com/acme/shop', ' https://github.com/acme/shop', '.'],
    ['url:https://github.com/acme/shop', 'oci://github.com/acme/shop', '.'],
    ['url:https://github.com/acme/shop', 'file:///github.com/acme/shop', '.'],
    ['url:https://github.com/acme/shop', '/acme/shop', '.'],
    ['url:https://github.com/acme/shop', '', '.'],
    ['url:https://github.com/acme/shop', '{{url}}', '.'],
    ['url:constructor://x/acme', 'constructor://x/acme', '.'],
    ['url:https://github.com/acme/shop', 'https://gіthub.com/acme/shop', '.'],
    [`url:${GIT}`, 'https://git.example.com:8443/acme/shop', '.'],
    [`url:${GIT}`, 'https://git.example.com/Acme/shop', '.'],
    [`url:${GIT}`, 'https://git.example.com/scm/acme/shop', '.'],
    [`url:${GIT}`, 'https://git2.example.com/acme/shop', '.'],
    [
      'url:ssh://git@git.example.com:7999/acme/shop',
      'ssh://git@git.example.com/acme/shop',
      '.',
    ],
    [
      'url:https://git.example.com/acme/_git/shop',
      'https://git.example.com/acme/shop/shop',
      '.',
    ],
    [
      'url:https://dev.azure.com/acme/web/_git/shop',
      'https://dev.azure.com/acme/app/_git/shop',
      '.',
    ],
    [
      'file:/srv/acme/shop/catalog-info.yaml',
      'https://git.example.com/srv/acme/shop',
      '.',
    ],
    ['dir:../shop', GIT, '.'],
    [GIT, GIT, '.'],
    ['url:', GIT, '.'],
    ['', '', ''],
    [`url:${GIT}${'/x'.repeat(2_000)}`, GIT, '.'],
  ])('%.80s is not %s at %s', (...row) => {
    expect(isLinked(row, 'any')).toBe(false);
    expect(isLinked(row, 'path')).toBe(false);
  });

  it.each<[string, boolean, Partial<ArgoSource>]>([
    [
      'a chart in a registry',
      true,
      { repoURL: 'registry.example.com/acme', chart: 'shop', path: '' },
    ],
    [
      'a chart in a registry with its scheme',
      true,
      { repoURL: 'oci://registry.example.com/acme/', chart: 'shop', path: '' },
    ],
    [
      'another chart',
      false,
      { repoURL: 'registry.example.com/acme', chart: 'till', path: '' },
    ],
    [
      'a Helm repository',
      false,
      {
        repoURL: 'https://registry.example.com/acme/shop',
        chart: 'shop',
        path: '',
      },
    ],
  ])('in a registry: %s', (_, expected, source) => {
    const row: RepositoryCase = [
      'url:oci://registry.example.com/acme/shop',
      '',
      '',
    ];
    expect(isLinked(row, 'path', source)).toBe(expected);
  });

  it('is not meant by a source of values only', () => {
    const row: RepositoryCase = [`url:${GIT}`, GIT, undefined];
    expect(isLinked(row, 'path', { ref: 'values' })).toBe(false);
    expect(isLinked(row, 'any', { ref: 'values' })).toBe(true);
  });

  it('ends a branch with slashes where the ApplicationSet does', () => {
    const row: RepositoryCase = [
      'url:https://github.com/acme/shop/tree/feature/x/cart',
      'https://github.com/acme/shop',
      'cart',
    ];
    expect(isLinked(row, 'path', { targetRevision: 'feature/x' })).toBe(true);
    expect(isLinked(row, 'path', { targetRevision: 'main' })).toBe(false);
  });

  it('links components only', () => {
    const sources = [{ repoURL: GIT, path: '.' }];
    const hubs = [hubWith('hub', { 'gitops/set': { sources } })];
    const annotations = { 'backstage.io/source-location': `url:${GIT}` };
    const links = (kind: string) =>
      shown({ kind, metadata: { annotations } }, hubs).length;
    expect([links('Component'), links('Template')]).toEqual([1, 0]);
  });
});

describe('several ways', () => {
  const hubs = [
    hubWith('hub', {
      'gitops/named': { labels: { app: 'a' } },
      'gitops/related': {},
      'gitops/peer': { applications: { 'x-peer': {} } },
      'gitops/repository': { sources: [{ repoURL: GIT, path: '.' }] },
    }),
  ];
  const all = {
    'argocd-fleet/applicationset': 'gitops/named',
    'argocd-fleet/selector': 'app=a',
    'argocd/app-name': 'x-peer',
    'backstage.io/source-location': `url:${GIT}`,
  };
  const dependsOn = ['resource:hub.gitops.related'];

  it('count in this order, and an explicit one counts alone', () => {
    const annotations: Record<string, string> = { ...all };
    const found: (string | undefined)[][] = [];
    const note = (spec: { dependsOn?: unknown }) =>
      found.push(
        linksOf(component(annotations, spec), hubs).links.flatMap(
          ({ ref, way, via }) => [ref.name, way, via],
        ),
      );
    note({ dependsOn });
    delete annotations['argocd-fleet/applicationset'];
    note({ dependsOn });
    delete annotations['argocd-fleet/selector'];
    note({ dependsOn });
    note({});
    delete annotations['argocd/app-name'];
    note({});
    expect(found).toEqual([
      ['named', 'annotation', 'annotation argocd-fleet/applicationset'],
      ['named', 'selector', 'annotation argocd-fleet/selector'],
      ['related', 'relation', 'the relation dependsOn'],
      ['peer', 'argocdAnnotation', 'annotation argocd/app-name'],
      ['repository', 'repository', 'its repository'],
    ]);
  });

  it('are not tried where a wrong annotation is there', () => {
    expect(
      shown(
        component({ ...all, 'argocd-fleet/applicationset': 'gitops/nam' }),
        hubs,
      ),
    ).toEqual(['hub:gitops/nam missing', 'hub:gitops/named']);
    expect(
      shown(
        component({
          'argocd-fleet/selector': '!',
          'argocd/app-name': 'x-peer',
        }),
        hubs,
      ),
    ).toEqual([]);
  });

  it.each<[unknown, string[]]>([
    [['resource:default/hub.gitops.related'], ['hub:gitops/related']],
    [['Resource:Default/hub.gitops.related'], ['hub:gitops/related']],
    [['component:default/hub.gitops.related'], []],
    [['resource:other/hub.gitops.related'], []],
    [['hub.gitops.related'], []],
    [[{ a: 1 }, null], []],
    ['resource:hub.gitops.related', []],
    [{ length: 1 }, []],
  ])('a relation is read from dependsOn: %j', (given, expected) => {
    expect(shown(component({}, { dependsOn: given }), hubs)).toEqual(expected);
    expect(
      shown(component({}, { dependsOn: given }), hubs, { relation: false }),
    ).toEqual([]);
  });

  it('find at most a hundred, and say so', () => {
    const many = hubWith(
      'hub',
      Object.fromEntries(
        Array.from({ length: 120 }, (_, index) => [
          `gitops/s${index}`,
          { labels: { app: 'a' } },
        ]),
      ),
    );
    const { links, problem } = linksOf(
      component({ 'argocd-fleet/selector': 'app=a' }),
      [many],
    );
    expect(links).toHaveLength(100);
    expect(problem).toMatch(/^More than 100 ApplicationSets are found/);
  });

  it('find only what the reader may see', () => {
    for (const annotation of Object.entries(all)) {
      const request = readLinkRequest(
        component(Object.fromEntries([annotation])),
      );
      const { links } = entityLinks(
        request,
        hubs,
        DEFAULT_LINK_WAYS,
        () => false,
      );
      expect(links.filter(({ state }) => state === 'found')).toEqual([]);
    }
  });
});

describe('what an entity without link may mean', () => {
  const hubs = [
    hubWith('hub', {
      'gitops/cart-app-set': {},
      'gitops/cart-eu': {},
      'gitops/guestbook': {},
      'gitops/other': { sources: [{ repoURL: GIT, path: 'x' }] },
      'gitops/nothing': { applications: { 'c1-x': { project: 'p' } } },
    }),
  ];
  const near = (
    name: string,
    annotations: Record<string, string> = {},
    isVisible: (ref: { name: string }) => boolean = EVERYONE,
  ) =>
    nearMatches(
      name,
      readLinkRequest(component(annotations)),
      hubs,
      isVisible,
    ).map(({ ref, why }) => `${ref.name} ${why}`);

  it.each<[string, Record<string, string>, string[]]>([
    ['cart', {}, ['cart-app-set name', 'cart-eu name']],
    ['Cart_EU', {}, ['cart-eu name', 'cart-app-set name']],
    ['guestbok', {}, ['guestbook name']],
    [
      'visitors',
      { 'argocd-fleet/applicationset': 'gitops/guestbok' },
      ['guestbook name'],
    ],
    ['visitors', { 'argocd/app-name': 'guestbook' }, ['guestbook name']],
    [
      'visitors',
      { 'backstage.io/source-location': `url:${GIT}` },
      ['other repository'],
    ],
    [
      'visitors',
      { 'argocd/app-name': 'c1-x', 'argocd/instance-name': 'main' },
      ['nothing application'],
    ],
    ['visitors', {}, []],
    ['app-set', {}, []],
    ['car', {}, []],
    ['', {}, []],
  ])('%s %j', (name, annotations, expected) => {
    expect(near(name, annotations)).toEqual(expected);
  });

  it('is never what the reader may not see', () => {
    expect(near('cart', {}, ({ name }) => name !== 'cart-eu')).toEqual([
      'cart-app-set name',
    ]);
  });
});

describe('the terms by which changes are noticed', () => {
  const sets = createLinkableSets();
  const facts = {
    ref: { namespace: 'gitops', name: 'set' },
    labels: { app: 'a' },
    entityRef: 'resource:default/hub.gitops.set',
    sources: [{ repoURL: GIT, path: 'cart/prod' }],
    applications: [
      { namespace: 'gitops', project: 'shop', labels: { tier: 'web' } },
    ],
  };
  const changed = new Set(sets.set('gitops/set', facts));

  it.each<[Record<string, string>, string[], LinkWays['repository']]>([
    [{ 'argocd-fleet/applicationset': 'gitops/set' }, [], 'path'],
    [{ 'argocd-fleet/applicationset': 'x:gitops/set' }, [], 'path'],
    [{ 'argocd-fleet/selector': '!b,app in (c,a)' }, [], 'path'],
    [{ 'argocd-fleet/selector': 'app' }, [], 'path'],
    [{}, ['resource:hub.gitops.set'], 'path'],
    [{ 'argocd/app-selector': 'tier=web' }, [], 'path'],
    [{ 'argocd/project-name': 'shop' }, [], 'path'],
    [
      { 'backstage.io/source-location': `url:${GIT}/tree/main/cart` },
      [],
      'path',
    ],
    [
      { 'backstage.io/source-location': `url:${GIT}/tree/a/b/cart` },
      [],
      'path',
    ],
    [{ 'backstage.io/source-location': `url:${GIT}` }, [], 'any'],
  ])('of %j %j', (annotations, dependsOn, repository) => {
    const terms = requestTerms(
      readLinkRequest(component(annotations, { dependsOn })),
      { repository },
    );
    expect(terms.some(term => changed.has(term))).toBe(true);
  });

  it.each([
    ['deep', 'a/'.repeat(200)],
    ['long', 'a/'.repeat(100_000)],
  ])('tenant → memory: a %s path has few', (_, path) => {
    const all = createLinkableSets().set('gitops/set', {
      ...facts,
      sources: [{ repoURL: GIT, path }],
    });
    expect(all.length).toBeLessThan(50);
    expect(all.join('').length).toBeLessThan(10_000);
  });

  it('are none where nothing changed, and those of before and after where it did', () => {
    expect(sets.set('gitops/set', { ...facts, labels: { app: 'a' } })).toEqual(
      [],
    );
    const terms = sets.set('gitops/set', { ...facts, labels: { app: 'b' } });
    expect(terms).toEqual(expect.arrayContaining(['l app=a', 'l app=b']));
    expect(sets.delete('gitops/set')).toContain('l app=b');
    expect(sets.delete('gitops/set')).toEqual([]);
    expect([...sets.all(), ...sets.namespaces()]).toEqual([]);
  });
});
