import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  RELEASE_ANNOTATION,
  type ApplicationSetList,
  type ChangedEvent,
  type ClusterApplication,
  type ClusterList,
  type EntityFleet,
  type Finding,
  type Inventory,
  type KubernetesObject,
  type PlacementInUse,
  type PlacementOptionsList,
  type TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { parse } from 'yaml';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { pullApplicationSet } from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { headersOf, startDecidedBackend } from './__testUtils__/decidedBackend';
import {
  ALLOW,
  CLUSTER_CASES,
  DENY,
  SET_CASES,
  type ClusterName,
  type SetCase,
  type SetName,
} from './__testUtils__/decisions';
import {
  APPLICATIONS,
  createTenantFleet,
  ENTITIES,
  EXISTING,
  METADATA_OF,
  NAMESPACE_OF,
  recordTransitions,
  resetSets,
} from './__testUtils__/tenantFleet';

const BASE = '/api/argocd-fleet';

/** What a user may see and do, as the tables of the decisions say. */
interface Expected extends Pick<SetCase, 'writes' | 'offers'> {
  readonly sets: readonly SetName[];
  readonly clusters: readonly ClusterName[];
  /** Whether all are allowed without a condition. */
  readonly allSets: boolean;
  readonly allClusters: boolean;
  readonly controllers: boolean;
  readonly hubDetails: boolean;
}

const EVERYTHING: Expected = {
  ...SET_CASES.allow,
  sets: SET_CASES.allow.visible,
  clusters: CLUSTER_CASES['clusters-allow'].visible,
  allSets: true,
  allClusters: true,
  controllers: true,
  hubDetails: true,
};

/** Every decision, by the user of whom it is made. */
const USERS: Readonly<Record<string, Expected>> = {
  ...Object.fromEntries(
    Object.entries(SET_CASES).map(
      ([user, { decision, visible, writes, offers }]) => [
        user,
        {
          ...EVERYTHING,
          sets: visible,
          allSets: decision === ALLOW,
          writes,
          offers,
        },
      ],
    ),
  ),
  ...Object.fromEntries(
    Object.entries(CLUSTER_CASES).map(([user, { visible, decision }]) => [
      user,
      { ...EVERYTHING, clusters: visible, allClusters: decision === ALLOW },
    ]),
  ),
  'no-controllers': { ...EVERYTHING, controllers: false },
  'no-hubs': { ...EVERYTHING, hubDetails: false },
};

function decisionsOf(user: string) {
  const set = SET_CASES[user]?.decision;
  const cluster = CLUSTER_CASES[user]?.decision;
  return {
    ...(set && {
      'argocd-fleet.application-set.read': set,
      'argocd-fleet.application-set.create': set,
      'argocd-fleet.application-set.update': set,
      'argocd-fleet.application-set.delete': set,
    }),
    ...(cluster && { 'argocd-fleet.cluster.read': cluster }),
    ...(user === 'no-controllers' && { 'argocd-fleet.controller.read': DENY }),
    ...(user === 'no-hubs' && { 'argocd-fleet.hub.read': DENY }),
  };
}

let hub: TestHub;
let backend: Awaited<ReturnType<typeof startDecidedBackend>>;

const get = (user: string, path: string) =>
  request(backend.server).get(`${BASE}${path}`).set(headersOf(user));

const put = (user: string, path: string, body: object) =>
  request(backend.server).put(`${BASE}${path}`).set(headersOf(user)).send(body);

const remove = (user: string, path: string) =>
  request(backend.server).delete(`${BASE}${path}`).set(headersOf(user));

/** What comes of a request about `ours` and `theirs`, each with an owner, that only an owner may send. */
const ownStatuses = (
  sets: readonly SetName[],
  allSets: boolean,
  allowed: number,
) =>
  (['ours', 'theirs'] as const).map(name => {
    if (!sets.includes(name)) {
      return 404;
    }
    return name === 'ours' || allSets ? allowed : 403;
  });

beforeAll(async () => {
  hub = await startTestHub();
  await createTenantFleet(hub);
  backend = await startDecidedBackend({
    kubeconfigPath: hub.kubeconfigPath,
    entities: ENTITIES,
    decisionsOf,
  });
  await recordTransitions(hub, backend.knex);
  await waitFor(async () => {
    const { body } = await get('all-of', '/applicationsets');
    return body.hubs[0].state === 'ready' && body.items.length === 1;
  });
});

afterAll(async () => {
  await backend?.stop();
  await hub?.stop();
});

const setOfApp = (name: string) => name.split('-')[0] as SetName;

/** The ApplicationSets that the event stream of each user named while each of them changed. */
const streamed = new Map<string, readonly string[]>();

/** It is deleted while the streams are open; everything else is like `ours`. */
const LEAVING = { namespace: 'argocd', name: 'leaving' };

const pathOf = (set: SetName) => `hub/${NAMESPACE_OF[set]}/${set}`;

const namesOf = (
  items: readonly { readonly ref: { readonly name: string } }[],
) => items.map(({ ref }) => ref.name).sort();

/** The existing ones among these ApplicationSets; those with an Application on the cluster. */
const existing = (sets: readonly SetName[], cluster?: ClusterName) =>
  EXISTING.filter(
    name =>
      sets.includes(name) &&
      (!cluster ||
        APPLICATIONS.some(([set, on]) => set === name && on === cluster)),
  );

/** Which of these answer with success, asked for one by one. */
async function found<Name extends string>(
  user: string,
  names: readonly Name[],
  path: (name: Name) => string,
): Promise<Name[]> {
  const answers = [];
  for (const name of names) {
    const { status } = await get(user, path(name));
    expect([200, 404]).toContain(status);
    answers.push(...(status === 200 ? [name] : []));
  }
  return answers;
}

/** The Applications in a timeline. */
async function timeline(user: string, path: string): Promise<string[]> {
  const { body } = await get(user, `${path}/transitions`);
  return (body as TransitionPage).items
    .map(({ application }) => application.name)
    .sort();
}

const applicationsOf = (
  sets: readonly SetName[],
  isShown: (set: SetName, cluster: ClusterName) => boolean = () => true,
) =>
  APPLICATIONS.filter(
    ([set, cluster]) => sets.includes(set) && isShown(set, cluster),
  )
    .map(([set, cluster]) => `${set}-${cluster}`)
    .sort();

/** Works of a cluster that are being deleted after their Applications, as findings name them. */
const endingIn = (findings: readonly Finding[] = []) =>
  findings.map(({ evidence }) => evidence).sort();

const endingOn = (sets: readonly SetName[], on: ClusterName) =>
  applicationsOf(sets, (_, cluster) => cluster === on).map(
    name => `${name}-ending`,
  );

const ORDERED_SETS = Object.keys(NAMESPACE_OF) as SetName[];
const CLUSTERS: readonly ClusterName[] = ['blue1', 'red1'];
const setOf = { blue1: 'blue', red1: 'red' } as const;

/** What comes back at a route, reduced to what permissions decide, and what has to. */
interface RouteCase {
  readonly observed: (user: string) => Promise<unknown>;
  readonly expected: (expected: Expected) => unknown;
}

const single = (suffix: string): RouteCase => ({
  observed: user =>
    found(user, EXISTING, name => `/applicationsets/${pathOf(name)}${suffix}`),
  expected: ({ sets }) => existing(sets),
});

const REQUEST = {
  placement: 'everywhere',
  source: { repoURL: 'https://example.com/repo.git', path: 'app' },
  destinationNamespace: 'app',
  component: { name: 'app', owner: 'group:default/team-a' },
};

const ROUTES: Readonly<Record<string, RouteCase>> = {
  'get /applicationsets': {
    observed: async user => {
      const { body } = await get(user, '/applicationsets');
      return namesOf((body as ApplicationSetList).items);
    },
    expected: ({ sets }) => existing(sets),
  },
  'get /applicationsets/{hub}/{namespace}/{name}': single(''),
  'get /applicationsets/{hub}/{namespace}/{name}/rows': single('/rows'),
  'get /applicationsets/{hub}/{namespace}/{name}/transitions': {
    observed: async user => {
      const shown = [];
      for (const set of ORDERED_SETS) {
        shown.push(
          ...(await timeline(user, `/applicationsets/${pathOf(set)}`)),
        );
      }
      return shown.sort();
    },
    expected: ({ sets }) => applicationsOf(sets, set => set !== 'alone'),
  },
  'put /applicationsets/{hub}/{namespace}/{name}': {
    observed: async user => {
      const statuses = [];
      for (const name of ['ours', 'theirs', `new-${user}`]) {
        const answer = await put(
          user,
          `/applicationsets/hub/argocd/${name}`,
          REQUEST,
        );
        statuses.push(answer.status);
      }
      if (statuses[2] === 200) {
        await hub.admin.delete('applicationSets', {
          namespace: 'argocd',
          name: `new-${user}`,
        });
      }
      await resetSets(hub);
      return statuses;
    },
    expected: ({ writes }) => writes.slice(0, 3),
  },
  'post /applicationsets/{hub}/{namespace}/{name}/promotions': {
    observed: async user => {
      const statuses = [];
      for (const name of ['ours', 'theirs'] as const) {
        const { status } = await request(backend.server)
          .post(`${BASE}/applicationsets/${pathOf(name)}/promotions`)
          .set(headersOf(user))
          .send({ from: { hub: 'hub', namespace: 'shops', name: 'linked' } });
        statuses.push(status);
      }
      return statuses;
    },
    expected: ({ sets, allSets }) =>
      (['ours', 'theirs'] as const).map(name => {
        if (!sets.includes(name) || !sets.includes('linked')) {
          return 404;
        }
        // Allowed, the request is refused because both deploy the same folder.
        return name === 'ours' || allSets ? 400 : 403;
      }),
  },
  'post /applicationsets/{hub}/{namespace}/{name}/placement': {
    observed: async user => {
      const statuses = [];
      for (const name of ['ours', 'theirs'] as const) {
        const { status } = await request(backend.server)
          .post(`${BASE}/applicationsets/${pathOf(name)}/placement`)
          .set(headersOf(user))
          .send({ numberOfClusters: 1 });
        statuses.push(status);
      }
      return statuses;
    },
    expected: ({ sets, allSets }) => ownStatuses(sets, allSets, 409),
  },
  'post /applicationsets/{hub}/{namespace}/{name}/manifests': {
    observed: async user => {
      const statuses = [];
      for (const name of ['ours', 'theirs', `new-${user}`]) {
        const { status } = await request(backend.server)
          .post(`${BASE}/applicationsets/hub/argocd/${name}/manifests`)
          .set(headersOf(user))
          .send({
            applicationSet: { ...REQUEST, placement: `new-${user}` },
            placement: { owner: 'group:default/team-a' },
          });
        statuses.push(status);
      }
      return statuses;
    },
    // What may be written is the portal's, and stays so.
    expected: ({ writes }) =>
      writes
        .slice(0, 3)
        .map((status, index) => (status === 200 && index < 2 ? 409 : status)),
  },
  'put /applicationsets/{hub}/{namespace}/{name}/release': {
    observed: async user => {
      const statuses = [];
      for (const name of ['ours', 'theirs'] as const) {
        const path = `/applicationsets/${pathOf(name)}/release`;
        statuses.push((await put(user, path, { release: 'remove' })).status);
        await hub.admin.patch(
          'applicationSets',
          { namespace: NAMESPACE_OF[name], name },
          { metadata: { annotations: { [RELEASE_ANNOTATION]: null } } },
        );
      }
      return statuses;
    },
    expected: ({ sets, allSets }) => ownStatuses(sets, allSets, 200),
  },
  'delete /applicationsets/{hub}/{namespace}/{name}/release': {
    observed: async user => [
      (await remove(user, `/applicationsets/${pathOf('ours')}/release`)).status,
      (await remove(user, `/applicationsets/${pathOf('theirs')}/release`))
        .status,
    ],
    expected: ({ sets, allSets }) => ownStatuses(sets, allSets, 200),
  },
  'get /applicationsets/{hub}/{namespace}/{name}/placement': {
    observed: async user => {
      const shown = [];
      for (const name of ['ours', 'theirs'] as const) {
        const { status, body } = await get(
          user,
          `/applicationsets/${pathOf(name)}/placement?allClusters=true`,
        );
        // Those that match are clusters that the user sees, and those that the ApplicationSet is on.
        shown.push(
          status === 200
            ? (body as PlacementInUse).change!.preview.clusters
            : status,
        );
      }
      return shown;
    },
    expected: ({ sets, clusters }) =>
      (['ours', 'theirs'] as const).map(name =>
        sets.includes(name)
          ? CLUSTERS.filter(
              cluster =>
                clusters.includes(cluster) ||
                APPLICATIONS.some(
                  ([set, on]) => set === name && on === cluster,
                ),
            )
          : 404,
      ),
  },
  'delete /applicationsets/{hub}/{namespace}/{name}': {
    observed: async user => [
      (await remove(user, `/applicationsets/${pathOf('ours')}`)).status,
      (await remove(user, `/applicationsets/${pathOf('theirs')}`)).status,
    ],
    // Allowed, the request is refused because nothing is ordered.
    expected: ({ sets, allSets }) => ownStatuses(sets, allSets, 409),
  },
  'delete /placements/{hub}/{namespace}/{name}': {
    observed: async user => {
      const statuses = [];
      for (const name of ['ours', 'theirs'] as const) {
        const placement = { namespace: NAMESPACE_OF[name], name };
        await hub.admin.create('placements', {
          apiVersion: 'cluster.open-cluster-management.io/v1beta1',
          kind: 'Placement',
          metadata: { ...placement, ...METADATA_OF[name] },
          spec: {},
        } as KubernetesObject);
        const { status } = await remove(user, `/placements/${pathOf(name)}`);
        if (status !== 200) {
          await hub.admin.delete('placements', placement);
        }
        statuses.push(status);
      }
      return statuses;
    },
    expected: ({ sets, allSets }) => ownStatuses(sets, allSets, 200),
  },
  'put /gitopsclusters/{hub}/{namespace}/{name}': {
    observed: async user =>
      (await put(user, `/gitopsclusters/hub/argocd/x`, { placement: 'none' }))
        .status,
    // Allowed, it is refused because there is no such Placement.
    expected: ({ allSets }) => (allSets ? 400 : 403),
  },
  'put /placements/{hub}/{namespace}/{name}': {
    observed: async user => {
      const path = `/placements/hub/argocd/new-${user}`;
      const { owner } = REQUEST.component;
      return (await put(user, path, { owner })).status;
    },
    expected: ({ writes }) => writes[3],
  },
  'get /applications/{hub}/{namespace}/{name}': {
    observed: async user => {
      const path = (name: string) =>
        `/applications/hub/${NAMESPACE_OF[setOfApp(name)]}/${name}`;
      const names = await found(user, applicationsOf(ORDERED_SETS), path);
      const shown = [];
      for (const name of names) {
        const { body } = await get(user, path(name));
        const { clusterFindings } = body as ClusterApplication;
        shown.push([name, endingIn(clusterFindings)]);
      }
      return shown;
    },
    expected: ({ sets, clusters }) =>
      applicationsOf(sets, set => set !== 'gone' && set !== 'alone').map(
        name => {
          const cluster = name.split('-')[1] as ClusterName;
          return [
            name,
            clusters.includes(cluster) ? endingOn(sets, cluster) : [],
          ];
        },
      ),
  },
  'get /applications/{hub}/{namespace}/{name}/transitions': {
    observed: async user => {
      const shown = [];
      for (const name of applicationsOf(ORDERED_SETS)) {
        const namespace = NAMESPACE_OF[setOfApp(name)];
        shown.push(
          ...(await timeline(user, `/applications/hub/${namespace}/${name}`)),
        );
      }
      return shown;
    },
    expected: ({ sets }) => applicationsOf(sets),
  },
  'get /clusters/{hub}/{name}/transitions': {
    observed: async user => [
      await timeline(user, '/clusters/hub/blue1'),
      await timeline(user, '/clusters/hub/red1'),
    ],
    expected: ({ sets, clusters }) =>
      CLUSTERS.map(name =>
        clusters.includes(name)
          ? applicationsOf(sets, (_, cluster) => cluster === name)
          : [],
      ),
  },
  'get /clusters': {
    observed: async user => {
      const { body } = await get(user, '/clusters');
      return (body as ClusterList).items.map(
        ({ name, applicationSets, findings }) => [
          name,
          applicationSets.map(set => set.name).sort(),
          endingIn(findings),
        ],
      );
    },
    expected: ({ sets, clusters }) =>
      clusters.map(name => [name, existing(sets, name), endingOn(sets, name)]),
  },
  'get /inventory': {
    observed: async user => {
      const { body } = await get(user, '/inventory');
      const { body: second } = await get(
        user,
        `/inventory?since=${encodeURIComponent(body.next)}`,
      );
      const { clusters, applicationSets } = body as Inventory;
      return {
        clusters: clusters.map(cluster => [
          cluster.name,
          cluster.applicationSets.map(({ name }) => name).sort(),
        ]),
        applicationSets: namesOf(applicationSets),
        fullAgain: second.full,
      };
    },
    expected: ({ sets, clusters, allSets, allClusters }) => ({
      clusters: clusters.map(name => [name, existing(sets, name)]),
      applicationSets: existing(sets),
      fullAgain: !allSets || !allClusters,
    }),
  },
  'get /placement-options': {
    observed: async user => {
      const { body } = await get(user, '/placement-options');
      const { items } = body as PlacementOptionsList;
      const { namespaces, clusterSets, labels } = items.find(
        item => item.hub === 'hub',
      )!;
      return {
        namespaces: namespaces
          .map(item => [item.name, item.clusterSets, item.applicationSets])
          .sort(),
        clusterSets: clusterSets.map(({ name, clusters }) => [name, clusters]),
        envs: labels
          .filter(({ key }) => key === 'env')
          .flatMap(({ values }) => values.map(({ value }) => value)),
      };
    },
    expected: ({ sets, clusters, allClusters, offers }) => {
      const bound = (names: readonly ClusterName[]) =>
        names.filter(name => clusters.includes(name)).map(name => setOf[name]);
      return {
        namespaces: [
          ['argocd', bound(['blue1', 'red1'])] as const,
          ['shops', bound(['red1'])] as const,
        ]
          .filter(
            ([name, clusterSets]) =>
              offers.includes(name) && clusterSets.length > 0,
          )
          .map(([name, clusterSets]) => [
            name,
            clusterSets,
            existing(sets).filter(set => NAMESPACE_OF[set] === name).length,
          ]),
        clusterSets: [
          ...clusters.map(name => [setOf[name], 1]),
          ...(allClusters ? [['unused', 0]] : []),
        ],
        envs: [
          ...(clusters.includes('red1') ? ['prod'] : []),
          ...(clusters.includes('blue1') ? ['test'] : []),
        ],
      };
    },
  },
  'get /placement-previews/{hub}/{namespace}': {
    observed: async user => {
      const { body } = await get(user, '/placement-previews/hub/argocd');
      const { clusters, matching, selected, clusterSets } = body;
      return { clusters, matching, selected, clusterSets };
    },
    expected: ({ clusters }) => ({
      clusters,
      matching: clusters.length,
      selected: clusters.length,
      clusterSets: clusters.map(name => setOf[name]),
    }),
  },
  'get /entities/{kind}/{namespace}/{name}': {
    observed: async user => {
      const path = '/entities/component/default/everything';
      const { body } = await get(user, path);
      const { applicationSets, links } = body as EntityFleet;
      return [
        namesOf(applicationSets),
        namesOf(links.filter(({ state }) => state === 'found')),
        namesOf(links.filter(({ state }) => state === 'missing')),
      ];
    },
    expected: ({ sets }) => [
      existing(sets),
      existing(sets),
      ['none', ...EXISTING.filter(name => !sets.includes(name))].sort(),
    ],
  },
  'get /links': {
    observed: async user => namesOf((await get(user, '/links')).body.items),
    // The entity “everything” links to all of them.
    expected: ({ sets }) => existing(sets),
  },
  'get /controllers': {
    observed: async user => {
      const { status, body } = await get(user, '/controllers');
      return [status, body.items?.length ?? body.error.message];
    },
    expected: ({ controllers }) =>
      controllers
        ? [200, 10]
        : [
            403,
            'You lack the permission argocd-fleet.controller.read. An administrator of this portal can grant it in the permission policy.',
          ],
  },
  'get /events': {
    observed: async user => streamed.get(user),
    // One that is gone is named to who saw it.
    expected: ({ sets }) =>
      [
        ...existing(sets),
        ...(sets.includes('ours') ? [LEAVING.name] : []),
      ].sort(),
  },
};

/** Opens a stream for each user, changes everything, and ends the streams with their backend: nothing is in flight then. */
async function collectEvents() {
  const { kubeconfigPath, admin } = hub;
  const made = pullApplicationSet(LEAVING.name);
  await admin.create('applicationSets', {
    ...made,
    metadata: { ...made.metadata, ...LEAVING, ...METADATA_OF.ours },
  });
  const own = await startDecidedBackend({
    kubeconfigPath,
    entities: ENTITIES,
    decisionsOf,
  });
  await waitFor(async () => {
    const { body } = await request(own.server)
      .get(`${BASE}/applicationsets`)
      .set(headersOf('all-of'));
    // With what the catalog tells: `linked` has its owner from there.
    return body.items.length === 1;
  });
  const responses = await Promise.all(
    Object.keys(USERS).map(async user => {
      const response = await fetch(
        `http://127.0.0.1:${own.server.port()}${BASE}/events`,
        { headers: headersOf(user) },
      );
      return [user, response] as const;
    }),
  );
  const seen = new Set<string>();
  const reference = await fetch(
    `http://127.0.0.1:${own.server.port()}${BASE}/events`,
    {
      headers: headersOf('reference'),
    },
  );
  const reading = (async () => {
    for await (const chunk of reference.body!) {
      setsIn(Buffer.from(chunk).toString()).forEach(name => seen.add(name));
    }
  })();
  for (const name of EXISTING) {
    await hub.admin.patch(
      'applicationSets',
      { namespace: NAMESPACE_OF[name], name },
      { metadata: { annotations: { touched: 'yes' } } },
    );
  }
  await hub.admin.delete('applicationSets', LEAVING);
  await waitFor(() =>
    [...EXISTING, LEAVING.name].every(name => seen.has(name)),
  );
  const texts = responses.map(
    async ([user, response]) => [user, await response.text()] as const,
  );
  await own.stop();
  await reading;
  for (const [user, text] of await Promise.all(texts)) {
    streamed.set(user, [...new Set(setsIn(text))].sort());
  }
}

function setsIn(stream: string): string[] {
  return stream
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .flatMap(line => {
      const event: ChangedEvent = JSON.parse(line.slice('data: '.length));
      return event.applicationSets.map(({ name }) => name);
    });
}

it('has a case for every route of the document', () => {
  const document = parse(
    readFileSync(join(__dirname, '../../schema/openapi.yaml'), 'utf8'),
  ) as { readonly paths: Readonly<Record<string, object>> };
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter(key => key !== 'parameters')
      .map(method => `${method} ${path}`),
  );
  expect(Object.keys(ROUTES).sort()).toEqual(routes.sort());
});

/** The first backend has what the tests wrote, and no more. */
const settled = () =>
  waitFor(async () => {
    const { body } = await get('allow', '/applicationsets');
    const names = namesOf((body as ApplicationSetList).items);
    return names.join() === EXISTING.join();
  });

describe.each(
  Object.entries(ROUTES).map(([route, routeCase]) => ({ route, ...routeCase })),
)('$route', ({ route, observed, expected }) => {
  beforeAll(async () => {
    await settled();
    if (route === 'get /events') {
      await collectEvents();
    }
  });

  it.each(Object.entries(USERS))(
    'answers %s with what is decided',
    async (user, decided) => {
      expect(await observed(user)).toEqual(expected(decided));
    },
  );
});

describe('what one may not see', () => {
  it.each([
    '/applicationsets/hub/argocd/NAME',
    '/applicationsets/hub/argocd/NAME/rows',
    '/applicationsets/hub/argocd/NAME/transitions',
    '/applications/hub/argocd/NAME-red1',
    '/applications/hub/argocd/NAME-red1/transitions',
  ])('is answered at %s as what does not exist', async path => {
    for (const user of ['deny', 'is-owner', 'not-label']) {
      const [hidden, missing] = await Promise.all(
        [user === 'not-label' ? 'ours' : 'theirs', 'none'].map(async name => {
          const { status, text } = await get(user, path.replace('NAME', name));
          return { status, text: text.replaceAll(name, 'NAME') };
        }),
      );
      expect(hidden).toEqual(missing);
    }
  });

  it('is in no finding of a cluster on which one sees something else', async () => {
    for (const path of ['/clusters', '/applications/hub/argocd/ours-red1']) {
      const { text } = await get('is-owner', path);
      expect(text).toContain('ours-red1-ending');
      expect(text).toContain('linked-red1-ending');
      expect(text).not.toMatch(/theirs|gone-|alone/);
    }
  });

  it('is answered at the timeline of a cluster as what does not exist', async () => {
    const answers = await Promise.all(
      ['blue1', 'none'].map(name =>
        get('clusters-deny', `/clusters/hub/${name}/transitions`),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array(2).fill([200, { items: [] }]),
    );
  });

  it('is no file path of a hub, wherever one asks', async () => {
    const body = { ...REQUEST, component: undefined };
    const ask = async (user: string) => [
      ...(await Promise.all(
        [
          '/applicationsets',
          '/applicationsets/hub/argocd/ours',
          '/applicationsets/broken/argocd/ours',
          '/applicationsets/broken/argocd/ours/rows',
          '/applications/broken/argocd/ours',
          '/clusters',
          '/inventory',
          '/placement-options',
          '/placement-previews/broken/argocd',
          '/entities/component/default/everything',
          '/controllers',
        ].map(async path => (await get(user, path)).text),
      )),
      (await put(user, '/placements/broken/argocd/p', {})).text,
      (await put(user, '/applicationsets/broken/argocd/s', body)).text,
    ];
    const hidden = await ask('no-hubs');
    expect(hidden.filter(text => text.includes('/secret'))).toEqual([]);
    // Whoever may see it does, so that there is something to hide.
    const shown = await ask('allow');
    expect(shown.filter(text => text.includes('/secret')).length).toBe(11);
  });
});

describe('what an ApplicationSet of the same name did that was deleted', () => {
  const ERROR = 'a secret of another team';
  const TIMELINES = [
    '/applicationsets/hub/argocd/ours',
    '/applications/hub/argocd/ours-red1',
    '/clusters/hub/red1',
  ];

  beforeAll(async () => {
    const { knex } = backend;
    const transition = await knex('fleet_transitions')
      .where({ application_set: 'ours', cluster: 'red1' })
      .first();
    // Recorded late: its Application was still being deleted when the name was taken.
    await knex('fleet_transitions').insert({
      ...transition,
      id: undefined,
      ...{ sequence: 2, error: ERROR, application_set_uid: 'former' },
    });
  });

  afterAll(() =>
    backend.knex('fleet_transitions').where({ error: ERROR }).delete(),
  );

  it.each([
    ['is-owner', 0],
    ['has-label', 0],
    ['not-owner', 0],
    // By name, it is seen as one that is gone.
    ['not-namespace', 1],
    ['allow', 1],
  ])('is shown to %s %d times in each timeline', async (user, times) => {
    for (const path of TIMELINES) {
      const { body } = await get(user, `${path}/transitions`);
      const errors = (body as TransitionPage).items.map(({ error }) => error);
      expect(errors.filter(error => error === ERROR)).toHaveLength(times);
    }
  });
});

describe('a person of team-b', () => {
  it('does not see the ApplicationSet of team-a by an entity that links to it', async () => {
    // The entity `shop` of team-a links to `theirs`, whose recorded owner is team-b.
    const { status } = await get(
      'is-owner',
      '/applicationsets/hub/argocd/theirs',
    );
    expect(status).toBe(404);
  });
});

it('refuses one stream more than a user may have open, over HTTP', async () => {
  const url = `http://127.0.0.1:${backend.server.port()}${BASE}/events`;
  const stop = new AbortController();
  const answers = [];
  for (let count = 0; count < 11; count += 1) {
    answers.push(
      await fetch(url, { headers: headersOf('busy'), signal: stop.signal }),
    );
  }
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array(10).fill(200),
    429,
  ]);
  expect((await answers[10].json()).error.message).toContain('event streams');
  stop.abort();
});
