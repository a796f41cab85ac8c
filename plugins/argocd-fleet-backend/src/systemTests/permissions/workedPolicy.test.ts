import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  coreServices,
  createServiceFactory,
  type BackendFeature,
  type HttpAuthService,
} from '@backstage/backend-plugin-api';
import { permissionsServiceFactory } from '@backstage/backend-defaults/permissions';
import {
  mockCredentials,
  type TestBackend,
} from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { permissionRules } from '@backstage/plugin-catalog-backend/alpha';
import { createConditionAuthorizer } from '@backstage/plugin-permission-node';
import permissionBackend from '@backstage/plugin-permission-backend';
import request from 'supertest';
import { ModuleKind, transpileModule } from 'typescript';
import { startFleetBackend } from '../../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';
import { headersOf, WRITTEN } from './__testUtils__/decidedBackend';
import { createTenantFleet, ENTITIES } from './__testUtils__/tenantFleet';

const ROOT = join(__dirname, '../../../../..');
const BASE = '/api/argocd-fleet';
const TEAMS: Readonly<Record<string, string>> = {
  paula: 'group:default/platform',
  anna: 'group:default/team-a',
  berta: 'group:default/team-b',
};

const SET = {
  placement: 'everywhere',
  source: { repoURL: 'https://example.com/repo.git', path: 'app' },
  destinationNamespace: 'app',
};

/** The first program of the page. */
function documentedPolicy(): string {
  const page = readFileSync(join(ROOT, 'docs/permissions.md'), 'utf8');
  return /```ts\n(.*?)```/s.exec(page)![1];
}

function moduleOf(program: string): BackendFeature {
  const { outputText } = transpileModule(program, {
    compilerOptions: { module: ModuleKind.CommonJS, esModuleInterop: true },
  });
  const made = { exports: {} as { default?: BackendFeature } };
  // eslint-disable-next-line no-new-func -- the program is the policy of docs/permissions.md, as this repository has it
  new Function('require', 'module', 'exports', outputText)(
    require,
    made,
    made.exports,
  );
  return made.exports.default!;
}

/** As the real service, and unlike the mock, it knows that a plugin asks the permission backend, not the user. */
const httpAuth = createServiceFactory({
  service: coreServices.httpAuth,
  deps: { auth: coreServices.auth, plugin: coreServices.pluginMetadata },
  factory: ({ auth, plugin }) =>
    ({
      async credentials(from: { headers: { authorization?: string } }) {
        const [, token = ''] = from.headers.authorization?.split(' ') ?? [];
        const credentials = await auth.authenticate(token);
        return plugin.getId() === 'permission' &&
          auth.isPrincipal(credentials, 'user')
          ? mockCredentials.user(credentials.principal.userEntityRef, {
              actor: { subject: 'plugin:argocd-fleet' },
            })
          : credentials;
      },
      issueUserCookie: async () => ({ expiresAt: new Date() }),
    }) as unknown as HttpAuthService,
});

it('is the policy of the example portal', () => {
  const path = 'packages/backend/src/permissionPolicy.ts';
  expect(documentedPolicy()).toBe(readFileSync(join(ROOT, path), 'utf8'));
});

describe('under the policy of the documentation', () => {
  let hub: TestHub;
  let backend: TestBackend;

  beforeAll(async () => {
    hub = await startTestHub();
    await createTenantFleet(hub);
    backend = await startFleetBackend({
      argocdFleet: {
        hubs: [
          {
            name: 'hub',
            kubeconfig: { path: hub.kubeconfigPath },
            ...WRITTEN,
            writes: [
              {
                ...WRITTEN.writes[0],
                namespaces: ['argocd'],
                owners: ['team-a', 'platform'],
              },
              {
                ...WRITTEN.writes[0],
                namespaces: ['shops'],
                owners: ['team-b'],
              },
            ],
          },
          { name: 'broken', kubeconfig: { path: '/secret/kubeconfig' } },
        ],
      },
      config: { permission: { enabled: true } },
      entities: ENTITIES,
      features: [
        httpAuth,
        permissionsServiceFactory,
        createServiceFactory({
          service: coreServices.userInfo,
          deps: {},
          factory: () => ({
            async getUserInfo({ principal }) {
              const { userEntityRef } = principal as { userEntityRef: string };
              const team = TEAMS[userEntityRef.split('/')[1]];
              return {
                userEntityRef,
                ownershipEntityRefs: [userEntityRef, team],
              };
            },
          }),
        }),
        permissionBackend,
        moduleOf(documentedPolicy()),
      ],
    });
    await waitFor(async () => (await seen('paula')).length === 3);
  });

  afterAll(async () => {
    await backend?.stop();
    await hub?.stop();
  });

  const get = (user: string, path: string) =>
    request(backend.server).get(`${BASE}${path}`).set(headersOf(user));

  const put = (user: string, name: string, owner: string, change = {}) =>
    request(backend.server)
      .put(`${BASE}/applicationsets/hub/argocd/${name}`)
      .set(headersOf(user))
      .send({ ...SET, component: { name, owner }, ...change });

  async function seen(user: string): Promise<string[]> {
    const { body } = await get(user, '/applicationsets').expect(200);
    return body.items.map(({ ref }: { ref: { name: string } }) => ref.name);
  }

  it.each([
    ['anna', ['ours']],
    ['berta', ['theirs']],
    ['paula', ['ours', 'theirs', 'linked']],
  ])('%s sees %j', async (user, expected) => {
    expect(await seen(user)).toEqual(expected);
  });

  it('developers see the clusters, and neither controllers nor file paths of hubs', async () => {
    const clusters = await get('anna', '/clusters');
    expect(clusters.body.items).toHaveLength(2);
    expect(clusters.text).not.toContain('/secret');
    expect((await get('anna', '/controllers')).status).toBe(403);
    expect((await get('paula', '/controllers')).text).toContain('/secret');
  });

  it('a developer creates and changes what her team owns', async () => {
    const [created, changed] = [
      await put('anna', 'shop', 'team-a'),
      await put('anna', 'shop', 'team-a', { automated: false }),
    ];
    expect([created.body.result, changed.body.result]).toEqual([
      'created',
      'updated',
    ]);
    await waitFor(async () => (await seen('anna')).includes('shop'));
    expect(await seen('berta')).not.toContain('shop');
  });

  it('berta does not get what team-a owns', async () => {
    const before = await hub.admin.get('applicationSets', {
      namespace: 'argocd',
      name: 'ours',
    });
    for (const owner of ['team-a', 'team-b']) {
      const { status, text } = await put('berta', 'ours', owner);
      expect([403, 409]).toContain(status);
      expect(text).not.toContain('gold');
    }
    expect(
      await hub.admin.get('applicationSets', {
        namespace: 'argocd',
        name: 'ours',
      }),
    ).toEqual(before);
  });

  it('berta gives nothing to team-a, and nothing to nobody', async () => {
    expect((await put('berta', 'gift', 'team-a')).status).toBe(403);
    const { status, text } = await request(backend.server)
      .put(`${BASE}/applicationsets/hub/argocd/gift`)
      .set(headersOf('berta'))
      .send(SET);
    expect(status).toBe(400);
    expect(text).toContain('owner: is missing');
  });

  it('berta creates nothing of her own in a namespace of team-a', async () => {
    const { status, text } = await put('berta', 'intruder', 'team-b');
    expect(status).toBe(403);
    expect(text).toContain(
      'argocdFleet.hubs[0].writes[0].owners allows group:default/team-a',
    );
    expect(
      await hub.admin.get('applicationSets', {
        namespace: 'argocd',
        name: 'intruder',
      }),
    ).toBeUndefined();
  });

  it.each([
    ['paula', ['ours', 'theirs', 'cluster', 'component', 'repository']],
    ['anna', ['ours', 'component', 'repository']],
    ['berta', ['theirs', 'component', 'repository']],
  ])('%s sees in the catalog %j', async (user, expected) => {
    const entity = (name: string, team: string, type: string): Entity => ({
      apiVersion: 'backstage.io/v1alpha1',
      kind: type === 'service' ? 'Component' : 'Resource',
      metadata: { name, namespace: 'default' },
      spec: { type, owner: team },
      relations: [{ type: 'ownedBy', targetRef: `group:default/${team}` }],
    });
    const { body } = await request(backend.server)
      .post('/api/permission/authorize')
      .set(headersOf(user))
      .send({
        items: [
          {
            id: '1',
            permission: {
              type: 'resource',
              name: 'catalog.entity.read',
              attributes: { action: 'read' },
              resourceType: 'catalog-entity',
            },
          },
        ],
      })
      .expect(200);
    const [decision] = body.items;
    const allows = createConditionAuthorizer(Object.values(permissionRules));
    expect(
      [
        entity('ours', 'team-a', 'argocd-applicationset'),
        entity('theirs', 'team-b', 'argocd-applicationset'),
        entity('cluster', 'platform', 'kubernetes-cluster'),
        entity('component', 'team-c', 'service'),
        entity('repository', 'team-c', 'repository'),
      ]
        .filter(each => allows(decision, each))
        .map(({ metadata }) => metadata.name),
    ).toEqual(expected);
  });
});
