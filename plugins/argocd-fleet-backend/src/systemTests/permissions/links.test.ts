import type { Entity } from '@backstage/catalog-model';
import { mockCredentials } from '@backstage/backend-test-utils';
import {
  PULL_LABEL,
  type LinkList,
} from 'backstage-plugin-argocd-fleet-common';
import {
  argocdFleetApplicationSetConditions,
  applicationSetResourceRef,
} from 'backstage-plugin-argocd-fleet-node';
import request from 'supertest';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  headersOf,
  startDecidedBackend,
  type UserDecisions,
} from './__testUtils__/decidedBackend';
import { SET_CASES, setCase, type SetName } from './__testUtils__/decisions';
import {
  createTenantFleet,
  EXISTING,
  NAMESPACE_OF,
} from './__testUtils__/tenantFleet';

const TEAM_B = 'group:default/team-b';

/** Each way, with what an entity needs for it, and the ApplicationSets that it finds for who may see them all. */
const WAYS: Readonly<
  Record<
    string,
    {
      readonly annotations?: Record<string, string>;
      readonly dependsOn?: string[];
      readonly finds: readonly SetName[];
    }
  >
> = {
  annotation: {
    annotations: {
      'argocd-fleet/applicationset':
        'argocd/ours, hub:argocd/theirs, shops/linked',
    },
    finds: EXISTING,
  },
  selector: {
    annotations: { 'argocd-fleet/selector': 'tier in (gold, silver)' },
    finds: ['ours', 'theirs'],
  },
  relation: {
    dependsOn: EXISTING.map(name =>
      applicationSetResourceRef({
        hub: 'hub',
        namespace: NAMESPACE_OF[name],
        name,
      }),
    ),
    finds: EXISTING,
  },
  'app-name': {
    annotations: { 'argocd/app-name': 'ours-blue1, theirs-red1' },
    finds: ['ours', 'theirs'],
  },
  'app-selector': {
    annotations: { 'argocd/app-selector': `${PULL_LABEL},` },
    finds: EXISTING,
  },
  'project-name': {
    annotations: {
      'argocd/project-name': 'default',
      'argocd/app-namespace': 'shops',
    },
    finds: ['linked'],
  },
  repository: {
    annotations: {
      'backstage.io/source-location':
        'url:https://github.com/argoproj/argocd-example-apps/tree/main/guestbook/',
    },
    finds: EXISTING,
  },
};

/** Owned by team-b, which therefore reads what its annotations name, and nothing that is found for it. */
const ENTITIES = Object.entries(WAYS).map(
  ([name, { annotations, dependsOn }]): Entity => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name, namespace: 'default', annotations },
    spec: { type: 'service', owner: TEAM_B, ...(dependsOn && { dependsOn }) },
    relations: [
      { type: 'ownedBy', targetRef: TEAM_B },
      ...(dependsOn ?? []).map(targetRef => ({ type: 'dependsOn', targetRef })),
    ],
  }),
);

const USERS = {
  ...SET_CASES,
  'is-team-b': setCase(
    argocdFleetApplicationSetConditions.isOwner({ claims: [TEAM_B] }),
    // Of `linked`, which records no owner, the annotation says it; `ours` is recorded as that of team-a.
    ['linked', 'theirs'],
  ),
  // The annotation of another team's entity makes nobody else an owner.
  'is-owner': { ...SET_CASES['is-owner'], visible: ['ours'] as const },
  'any-of': { ...SET_CASES['any-of'], visible: ['ours', 'linked'] as const },
  'all-of': { ...SET_CASES['all-of'], visible: [] },
  'not-owner': {
    ...SET_CASES['not-owner'],
    visible: ['theirs', 'linked'] as const,
  },
  'all-of-with-not': { ...SET_CASES['all-of-with-not'], visible: [] },
  'not-any-of': { ...SET_CASES['not-any-of'], visible: [] },
} as const;

let hub: TestHub;
let backend: Awaited<ReturnType<typeof startDecidedBackend>>;

const get = (user: string, path: string) =>
  request(backend.server).get(`/api/argocd-fleet${path}`).set(headersOf(user));

const namesOf = (
  items: readonly { readonly ref: { readonly name: string } }[],
) => items.map(({ ref }) => ref.name).sort();

beforeAll(async () => {
  hub = await startTestHub();
  await createTenantFleet(hub);
  backend = await startDecidedBackend({
    kubeconfigPath: hub.kubeconfigPath,
    entities: ENTITIES,
    // A service is no user, and may see everything.
    decisionsOf: (user): UserDecisions =>
      user in USERS
        ? {
            'argocd-fleet.application-set.read':
              USERS[user as keyof typeof USERS].decision,
          }
        : {},
  });
  await waitFor(async () => {
    const [{ body: links }, { body: sets }] = await Promise.all([
      get('allow', '/links'),
      get('is-team-b', '/applicationsets'),
    ]);
    return links.items.length === 3 && sets.items.length === 2;
  });
});

afterAll(async () => {
  await backend?.stop();
  await hub?.stop();
});

describe.each(Object.entries(WAYS))('a link by %s', (way, { finds }) => {
  it.each(Object.entries(USERS))(
    'shows %s what they may see',
    async (user, { visible }) => {
      const expected = finds
        .filter(name => (visible as readonly SetName[]).includes(name))
        .sort();
      const { body } = await get(user, `/entities/component/default/${way}`);
      expect(namesOf(body.applicationSets)).toEqual(expected);
      const found = body.links.filter(
        ({ state }: { state: string }) => state === 'found',
      );
      expect(namesOf(found)).toEqual(expected);
      const hidden = EXISTING.filter(
        name => !(visible as readonly SetName[]).includes(name),
      );
      const known = JSON.stringify({ ...body, links: found });
      expect(hidden.filter(name => known.includes(`"${name}"`))).toEqual([]);

      const { body: list } = await get(user, '/links');
      expect(
        namesOf(
          (list as LinkList).items.filter(({ entities }) =>
            entities.some(({ entityRef }) => entityRef.endsWith(`/${way}`)),
          ),
        ),
      ).toEqual(expected);
    },
  );
});

it('puts those first that name an ApplicationSet themselves', async () => {
  const { body } = await get('allow', '/links');
  const { entities } = (body as LinkList).items.find(
    ({ ref }) => ref.name === 'ours',
  )!;
  expect(
    entities.map(({ entityRef, way, owner }) => [entityRef, way, owner]),
  ).toEqual([
    ['component:default/annotation', 'annotation', TEAM_B],
    ['component:default/selector', 'selector', TEAM_B],
    ['component:default/relation', 'relation', TEAM_B],
    ['component:default/app-name', 'argocdAnnotation', TEAM_B],
    ['component:default/app-selector', 'argocdAnnotation', TEAM_B],
    ['component:default/repository', 'repository', TEAM_B],
  ]);
});

it('tells services which entities are linked, and users only by the catalog', async () => {
  const linkedTo = (body: {
    applicationSets: { ref: { name: string }; linkedEntities?: string[] }[];
  }) =>
    body.applicationSets.map(({ ref, linkedEntities = [] }) => [
      ref.name,
      linkedEntities.length,
    ]);
  const { body } = await get('allow', '/inventory');
  expect(linkedTo(body).sort()).toEqual([
    ['linked', 0],
    ['ours', 0],
    ['theirs', 0],
  ]);
  const { body: full } = await request(backend.server)
    .get('/api/argocd-fleet/inventory')
    .set({
      Authorization: mockCredentials.service.header({
        onBehalfOf: mockCredentials.service('plugin:catalog'),
        targetPluginId: 'argocd-fleet',
      }),
    });
  expect(linkedTo(full).sort()).toEqual([
    ['linked', 5],
    ['ours', 6],
    ['theirs', 6],
  ]);
});
