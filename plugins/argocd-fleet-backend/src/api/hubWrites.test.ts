import {
  coreServices,
  createServiceFactory,
  type BackstageCredentials,
  type PermissionsService,
} from '@backstage/backend-plugin-api';
import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import type { TestBackend } from '@backstage/backend-test-utils';
import {
  AuthorizeResult,
  type Permission,
  type PermissionCondition,
  type PermissionCriteria,
  type PolicyDecision,
} from '@backstage/plugin-permission-common';
import type { JsonObject } from '@backstage/types';
import {
  argocdFleetApplicationSetUpdatePermission,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import {
  argocdFleetApplicationSetConditions,
  createArgocdFleetApplicationSetConditionalDecision,
} from 'backstage-plugin-argocd-fleet-node';
import request from 'supertest';
import {
  oneHub,
  startFleetBackend,
  WRITES,
} from '../__testUtils__/fleetBackend';
import { emptyCache } from '../__testUtils__/emptyCache';
import { startTestHub, type TestHub } from '../__testUtils__/hubFixture';
import {
  boundSet,
  clusterSet,
  managedCluster,
  NAMESPACE,
  pullApplication,
} from '../__testUtils__/objects';
import { waitFor } from '../__testUtils__/waitFor';
import type { FleetResource } from '../fleet';
import type { ApiHub } from './apiHub';
import { putPlacement } from './hubWrites';

type Kind = 'applicationsets' | 'placements';

const BASE = '/api/argocd-fleet';
const TEAM_A = 'group:default/team-a';
const TEAM_B = 'group:default/team-b';

/** The groups of the portal's users. `root` may do everything without a condition. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  alice: [TEAM_A],
  bob: [TEAM_B],
  both: [TEAM_A, TEAM_B],
  // Bob's colleague, whom the policy lets read everything.
  reader: [TEAM_B],
  // Members of team B whom the policy restricts by something else than the owner.
  byNamespace: [TEAM_B],
  creator: [TEAM_B],
  root: [],
};

const ALLOW: PolicyDecision = { result: AuthorizeResult.ALLOW };

function when(
  criteria: PermissionCriteria<
    PermissionCondition<'argocd-fleet-application-set'>
  >,
) {
  return createArgocdFleetApplicationSetConditionalDecision(
    argocdFleetApplicationSetUpdatePermission,
    criteria,
  );
}

/** What the policy decides of a permission for a user. */
function decide(permission: string, user: string): PolicyDecision {
  if (
    user === 'root' ||
    !permission.startsWith('argocd-fleet.application-set') ||
    (user === 'reader' && permission.endsWith('.read')) ||
    (user === 'creator' && permission.endsWith('.create'))
  ) {
    return ALLOW;
  }
  return ['byNamespace', 'creator'].includes(user)
    ? when(
        argocdFleetApplicationSetConditions.hasNamespace({
          namespaces: [NAMESPACE],
        }),
      )
    : when(
        argocdFleetApplicationSetConditions.isOwner({
          claims: [...GROUPS[user], `user:default/${user}`],
        }),
      );
}

const userOf = (principal: unknown) =>
  (principal as { readonly userEntityRef: string }).userEntityRef.split('/')[1];

const decideAll = async (
  requests: readonly { readonly permission: Permission }[],
  { credentials }: { readonly credentials: BackstageCredentials },
) =>
  requests.map(({ permission }) =>
    decide(permission.name, userOf(credentials.principal)),
  );

const policy = mockServices.permissions.mock({
  authorize: decideAll,
  authorizeConditional: decideAll,
} as Partial<PermissionsService>).factory;

const groups = createServiceFactory({
  service: coreServices.userInfo,
  deps: {},
  factory: () => ({
    async getUserInfo({ principal }) {
      const { userEntityRef } = principal as unknown as {
        userEntityRef: string;
      };
      return {
        userEntityRef,
        ownershipEntityRefs: [userEntityRef, ...GROUPS[userOf(principal)]],
      };
    },
  }),
});

const GRANT = {
  ...WRITES,
  projects: ['default', 'team-*'],
  destinationNamespaces: ['team-*'],
  clusterSets: ['shops'],
};

/** What the auditor was told of each write. */
const audit: { readonly event: object; outcome?: unknown }[] = [];

const auditor = createServiceFactory({
  service: coreServices.auditor,
  deps: {},
  factory: () => ({
    async createEvent({ request: sent, ...event }) {
      const entry: (typeof audit)[number] = {
        event: { ...event, path: sent?.originalUrl },
      };
      audit.push(entry);
      return {
        async success(outcome) {
          entry.outcome = outcome?.meta;
        },
        async fail({ error }) {
          entry.outcome = error.name;
        },
      };
    },
  }),
});

let testHub: TestHub;

beforeAll(async () => {
  testHub = await startTestHub();
  const { admin } = testHub;
  await testHub.provideNamespaces(NAMESPACE, 'kube-system');
  for (const name of ['shops', 'secret']) {
    await admin.create('clusterSets', clusterSet(name));
    await admin.create('clusterSetBindings', boundSet(name));
  }
  await admin.create('clusters', managedCluster('one'));
});

afterAll(() => testHub?.stop());

async function start(
  hub: JsonObject = { writes: [GRANT] },
  more: JsonObject = {},
): Promise<TestBackend> {
  const backend = await startFleetBackend({
    argocdFleet: oneHub(testHub.kubeconfigPath, more, hub),
    features: [policy, groups, auditor],
  });
  await waitFor(async () => {
    const { body } = await request(backend.server)
      .get(`${BASE}/clusters`)
      .set('Authorization', mockCredentials.user.header('user:default/root'));
    return body.hubs[0].state === 'ready';
  });
  return backend;
}

function applicationSet(placement: string, change: object = {}) {
  return {
    placement,
    source: {
      repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
      path: 'guestbook',
    },
    destinationNamespace: 'team-a-web',
    ...change,
  };
}

/** What the backend sent to the hub besides lists and watches of its cache. */
function requestsOnObjects() {
  return testHub.hub.requests.filter(
    ({ verb, resource = '' }) =>
      ['get', 'create', 'patch'].includes(verb) &&
      ['applicationsets', 'placements'].includes(resource),
  );
}

describe('what the portal writes for its users', () => {
  let backend: TestBackend;
  let next = 0;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend?.stop());

  async function put(
    user: string,
    kind: Kind,
    name: string,
    body: object,
    namespace = NAMESPACE,
    query = '',
  ) {
    const { status, body: answer } = await request(backend.server)
      .put(`${BASE}/${kind}/hub/${namespace}/${name}${query}`)
      .set('Authorization', mockCredentials.user.header(`user:default/${user}`))
      .send(body);
    return {
      status,
      result: answer.result as string | undefined,
      message: answer.error?.message as string | undefined,
    };
  }

  const objectOf = async (kind: Kind, name: string) =>
    testHub.admin.get(
      (kind === 'placements'
        ? 'placements'
        : 'applicationSets') as FleetResource,
      { namespace: NAMESPACE, name },
    );

  /** The Placement and the ApplicationSet of team A. */
  async function ofTeamA() {
    const name = `shop-${next++}`;
    expect(await put('alice', 'placements', name, { owner: TEAM_A })).toEqual({
      status: 200,
      result: 'created',
    });
    const set = applicationSet(name, { owner: TEAM_A });
    expect((await put('alice', 'applicationsets', name, set)).result).toBe(
      'created',
    );
    return name;
  }

  async function expectUnchanged(
    name: string,
    attack: () => Promise<{ status: number; message?: string }>,
  ) {
    const before = [
      await objectOf('placements', name),
      await objectOf('applicationsets', name),
    ];
    const answer = await attack();
    expect([
      await objectOf('placements', name),
      await objectOf('applicationsets', name),
    ]).toEqual(before);
    return answer;
  }

  it('lets a team run the template a second time, and change what it made', async () => {
    const name = await ofTeamA();
    const again = { owner: 'team-a' };
    expect((await put('alice', 'placements', name, again)).result).toBe(
      'unchanged',
    );
    const set = applicationSet(name, {
      component: { name, owner: 'Group:default/Team-A' },
    });
    expect((await put('alice', 'applicationsets', name, set)).result).toBe(
      'updated',
    );
    expect((await objectOf('applicationsets', name))?.metadata).toMatchObject({
      annotations: {
        'argocd-fleet/component': name,
        'argocd-fleet/component-owner': TEAM_A,
      },
    });
    expect((await objectOf('placements', name))?.metadata.annotations).toEqual({
      'argocd-fleet/component-owner': TEAM_A,
    });
  });

  it("refuses a member of team B to overwrite team A's ApplicationSet", async () => {
    const name = await ofTeamA();
    for (const owner of [TEAM_A, TEAM_B]) {
      const body = applicationSet(name, { owner });
      const { status } = await expectUnchanged(name, () =>
        put('bob', 'applicationsets', name, body),
      );
      expect([400, 403, 409]).toContain(status);
    }
  });

  it("refuses a member of team B to empty team A's Placement", async () => {
    const name = await ofTeamA();
    const nothing = { matchLabels: { no: 'cluster' } };
    for (const owner of [TEAM_A, TEAM_B]) {
      const { status } = await expectUnchanged(name, () =>
        put('bob', 'placements', name, { ...nothing, owner }),
      );
      expect([403, 409]).toContain(status);
    }
  });

  it.each(['byNamespace', 'creator'])(
    "refuses a member of team B whom the policy restricts %s to take over team A's objects",
    async user => {
      const name = await ofTeamA();
      for (const owner of [TEAM_A, TEAM_B]) {
        for (const [kind, body] of [
          ['placements', { owner }],
          ['applicationsets', applicationSet(name, { owner })],
        ] as const) {
          const { status } = await expectUnchanged(name, () =>
            put(user, kind, name, body),
          );
          expect([400, 403, 409]).toContain(status);
        }
      }
    },
  );

  it('says in a dry run what would be done or why not, and does nothing', async () => {
    const dry = (user: string, name: string, body: object) =>
      put(user, 'applicationsets', name, body, NAMESPACE, '?dryRun=true');
    const name = await ofTeamA();
    const changed = applicationSet(name, {
      owner: TEAM_A,
      automated: false,
    });
    audit.length = 0;
    expect(
      await expectUnchanged(name, () => dry('alice', name, changed)),
    ).toEqual({ status: 200, result: 'updated' });
    expect(audit).toMatchObject([
      { event: { meta: { dryRun: true } }, outcome: { result: 'updated' } },
    ]);
    expect(
      (await dry('alice', name, applicationSet(name, { owner: TEAM_A })))
        .result,
    ).toBe('unchanged');
    const refused = await expectUnchanged(name, () =>
      dry('bob', name, applicationSet(name, { owner: TEAM_B })),
    );
    expect([400, 409]).toContain(refused.status);

    const placement = `only-${name}`;
    await put('alice', 'placements', placement, { owner: TEAM_A });
    const set = applicationSet(placement, { owner: TEAM_A });
    expect(await dry('alice', placement, set)).toEqual({
      status: 200,
      result: 'created',
    });
    expect(await objectOf('applicationsets', placement)).toBeUndefined();
    // The API server's own validation is asked as well.
    const illegal = await dry('alice', 'x'.repeat(254), set);
    expect(illegal.status).toBe(400);
    expect(
      (await dry('alice', placement, { ...set, placement: 'none' })).status,
    ).toBe(400);
  });

  describe('as manifests for a repository', () => {
    async function render(user: string, name: string, change: object = {}) {
      const { status, body } = await request(backend.server)
        .post(`${BASE}/applicationsets/hub/${NAMESPACE}/${name}/manifests`)
        .set(
          'Authorization',
          mockCredentials.user.header(`user:default/${user}`),
        )
        .send({
          applicationSet: applicationSet(name, { owner: TEAM_A }),
          placement: { clusterSets: ['shops'] },
          ...change,
        });
      return { status, body, message: body.error?.message };
    }

    it('makes what it would write itself, without its label, and writes nothing', async () => {
      const written = await ofTeamA();
      const name = `shop-${next++}`;
      const before = audit.length;
      const { status, body } = await render('alice', name);
      expect(status).toBe(200);
      const set = await objectOf('applicationsets', written);
      const expected = JSON.parse(
        JSON.stringify((set as unknown as { spec: object }).spec).replaceAll(
          written,
          name,
        ),
      );
      expect(body.applicationSet).toEqual({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        metadata: {
          ...{ name, namespace: NAMESPACE },
          annotations: { 'argocd-fleet/component-owner': TEAM_A },
        },
        spec: expected,
      });
      expect(body.placement).toMatchObject({
        metadata: {
          name,
          annotations: {
            'argocd-fleet/component-owner': TEAM_A,
            // Before its ApplicationSet.
            'argocd.argoproj.io/sync-wave': '-1',
          },
        },
        spec: { clusterSets: ['shops'] },
      });
      expect(body.placement.metadata.labels).toBeUndefined();
      for (const kind of ['applicationsets', 'placements'] as const) {
        expect(await objectOf(kind, name)).toBeUndefined();
      }
      expect(audit.slice(before)).toEqual([
        {
          event: {
            eventId: 'manifests',
            severityLevel: 'medium',
            path: `${BASE}/applicationsets/hub/${NAMESPACE}/${name}/manifests`,
            meta: { hub: 'hub', namespace: NAMESPACE, name, owner: TEAM_A },
          },
          outcome: {},
        },
      ]);
    });

    it('refuses what it would not write, and names that are taken', async () => {
      const name = await ofTeamA();
      expect(await render('alice', name)).toMatchObject({
        status: 409,
        message: expect.stringContaining(
          'Argo CD and the portal would both write it',
        ),
      });
      const free = `shop-${next++}`;
      // Its Placement is the portal's.
      const set = applicationSet(name, { owner: TEAM_A });
      const taken = await render('alice', free, { applicationSet: set });
      expect([taken.status, taken.message]).toEqual([
        409,
        expect.stringContaining(`Placement ${NAMESPACE}/${name} exists`),
      ]);
      const outside = await render('alice', free, {
        placement: { clusterSets: ['secret'] },
      });
      expect(outside.status).toBe(403);
      const twoOwners = await render('both', free, {
        placement: { owner: TEAM_B },
      });
      expect(twoOwners).toMatchObject({
        status: 400,
        message: expect.stringContaining(
          'applicationSet.owner and placement.owner name different owners',
        ),
      });
      // Bob is told nothing of what team A has.
      const sent = requestsOnObjects().length;
      for (const hidden of [name, free]) {
        expect((await render('bob', hidden)).status).toBe(403);
      }
      expect(requestsOnObjects()).toHaveLength(sent);
    });

    it('says what the hub would refuse', async () => {
      const name = `shop-${next++}`;
      const { status, message } = await render('alice', name, {
        applicationSet: applicationSet(name, {
          owner: TEAM_A,
          source: { repoURL: '', path: 'a' },
        }),
      });
      expect([status, message]).toEqual([
        400,
        expect.stringContaining('repoURL'),
      ]);
    });
  });

  it('tells the auditor of every write, with its outcome', async () => {
    audit.length = 0;
    const name = await ofTeamA();
    await put('bob', 'placements', name, { owner: 'Team-B' });
    await put('alice', 'placements', 'audited', {}, 'kube-system');
    await put('alice', 'placements', 'Not valid', { owner: TEAM_A });
    const eventOf = (
      kind: Kind,
      owner: string | undefined,
      [namespace, of] = [NAMESPACE, name],
    ) => ({
      eventId:
        kind === 'placements' ? 'placement-write' : 'application-set-write',
      severityLevel: 'medium',
      path: `${BASE}/${kind}/hub/${namespace}/${encodeURIComponent(of)}`,
      meta: { hub: 'hub', namespace, name: of, ...(owner && { owner }) },
    });
    expect(audit).toEqual([
      { event: eventOf('placements', TEAM_A), outcome: { result: 'created' } },
      {
        event: eventOf('applicationsets', TEAM_A),
        outcome: { result: 'created' },
      },
      { event: eventOf('placements', 'Team-B'), outcome: 'ConflictError' },
      {
        event: eventOf('placements', undefined, ['kube-system', 'audited']),
        outcome: 'InputError',
      },
      {
        event: eventOf('placements', TEAM_A, [NAMESPACE, 'Not valid']),
        outcome: 'InputError',
      },
    ]);
  });

  it('tells the auditor of a promotion that is refused, and from where it was to come', async () => {
    const name = await ofTeamA();
    const path = `${BASE}/applicationsets/hub/${NAMESPACE}/${name}/promotions`;
    const ref = { hub: 'hub', namespace: NAMESPACE, name };
    await waitFor(async () => {
      const { status } = await request(backend.server)
        .get(`${BASE}/applicationsets/hub/${NAMESPACE}/${name}`)
        .set('Authorization', mockCredentials.user.header('user:default/root'));
      return status === 200;
    });
    audit.length = 0;
    const { status } = await request(backend.server)
      .post(path)
      .set('Authorization', mockCredentials.user.header('user:default/reader'))
      .send({ from: { ...ref, name: 'x'.repeat(300) } });
    expect([status, audit]).toEqual([
      404,
      [
        {
          event: {
            ...{ eventId: 'promotion', severityLevel: 'medium', path },
            meta: { ...ref, from: expect.stringMatching(/^hub:.*x/) },
          },
          outcome: 'NotFoundError',
        },
      ],
    ]);
  });

  it('leaves no Placement where the name of the next ApplicationSet is taken, which the caller cannot see', async () => {
    const taken = await ofTeamA();
    const name = `mine-${next++}`;
    const ask = (user: string, set: string) =>
      put(user, 'placements', `${name}?applicationSet=${set}`, {
        owner: user === 'bob' ? TEAM_B : TEAM_A,
      });
    testHub.clearRequests();
    expect(await ask('bob', taken)).toMatchObject({
      status: 409,
      message: `The name ${NAMESPACE}/${taken} is taken for an ApplicationSet on hub "hub". Choose another name.`,
    });
    expect(await ask('bob', 'No%20name')).toMatchObject({ status: 400 });
    expect(requestsOnObjects().filter(({ verb }) => verb !== 'get')).toEqual(
      [],
    );
    expect(await objectOf('placements', name)).toBeUndefined();
    expect(await ask('bob', `${taken}-free`)).toMatchObject({
      result: 'created',
    });
    // Its owner runs the template a second time.
    expect(
      await put('alice', 'placements', `${taken}?applicationSet=${taken}`, {
        owner: TEAM_A,
      }),
    ).toMatchObject({ result: 'unchanged' });
  });

  it('refuses a forged owner before the hub hears of it', async () => {
    testHub.clearRequests();
    for (const user of ['bob', 'byNamespace']) {
      expect(
        await put(user, 'placements', 'forged', { owner: TEAM_A }),
      ).toMatchObject({ status: 403, message: expect.stringMatching(/owner/) });
    }
    const { message } = await put('byNamespace', 'placements', 'forged', {
      owner: TEAM_A,
    });
    expect(message).toMatch(/^owner: group:default\/team-a is neither you nor/);
    expect(requestsOnObjects()).toEqual([]);
  });

  it.each<[object, number, RegExp]>([
    [{}, 400, /owner: is missing/],
    [{ owner: 'component:default/x' }, 400, /is no owner/],
    [{ owner: 'a:b:c' }, 400, /is no owner/],
  ])('refuses the owner %j', async (body, status, message) => {
    const answer = await put('byNamespace', 'placements', 'ownerless', body);
    expect(answer.status).toBe(status);
    expect(answer.message).toMatch(message);
  });

  it('refuses two owners', async () => {
    const body = applicationSet('x', {
      owner: TEAM_A,
      component: { name: 'x', owner: TEAM_B },
    });
    expect(await put('both', 'applicationsets', 'x', body)).toMatchObject({
      status: 400,
      message:
        'owner and component.owner name different owners; an object has one',
    });
  });

  it('changes the recorded owner only for whom the policy allows everything', async () => {
    const name = await ofTeamA();
    const handOver = applicationSet(name, { owner: TEAM_B });
    const refused = await expectUnchanged(name, () =>
      put('both', 'placements', name, { owner: TEAM_B }),
    );
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.message).toMatch(/only who may change every ApplicationSet/);
    expect(
      (await put('root', 'placements', name, { owner: TEAM_B })).result,
    ).toBe('updated');
    expect((await put('root', 'applicationsets', name, handOver)).result).toBe(
      'updated',
    );
    expect((await put('bob', 'applicationsets', name, handOver)).result).toBe(
      'unchanged',
    );
  });

  it('keeps the owner where a request of somebody who may do everything names none', async () => {
    const name = await ofTeamA();
    await put('root', 'placements', name, { numberOfClusters: 1 });
    const { metadata } = (await objectOf('placements', name))!;
    expect(metadata.annotations?.['argocd-fleet/component-owner']).toBe(TEAM_A);
  });

  describe('with objects of earlier versions', () => {
    const mark = { 'app.kubernetes.io/managed-by': 'argocd-fleet' };

    async function ofEarlierVersion(owner?: string) {
      const name = `early-${next++}`;
      await put('root', 'placements', name, {});
      await put('root', 'applicationsets', name, {
        ...applicationSet(name),
        ...(owner && { component: { name, owner } }),
      });
      expect((await objectOf('placements', name))?.metadata).toMatchObject({
        labels: mark,
      });
      return name;
    }

    it('lets the owner of the ApplicationSet run the template again, which records the owner of the Placement', async () => {
      const name = await ofEarlierVersion(TEAM_A);
      const { status } = await expectUnchanged(name, () =>
        put('bob', 'placements', name, { owner: TEAM_B }),
      );
      expect(status).toBe(409);
      expect(
        (await put('alice', 'placements', name, { owner: TEAM_A })).result,
      ).toBe('updated');
      expect(
        (
          await put(
            'alice',
            'applicationsets',
            name,
            applicationSet(name, { owner: TEAM_A, component: { name } }),
          )
        ).result,
      ).toBe('unchanged');
    });

    it('refuses everybody with conditions what has no owner', async () => {
      const name = await ofEarlierVersion();
      for (const [user, owner] of [
        ['alice', TEAM_A],
        ['byNamespace', TEAM_B],
      ]) {
        for (const [kind, body] of [
          ['placements', { owner }],
          ['applicationsets', applicationSet(name, { owner })],
        ] as const) {
          await expectUnchanged(name, async () => {
            const answer = await put(user, kind, name, body);
            expect([400, 403, 409]).toContain(answer.status);
            return answer;
          });
        }
      }
      expect(
        (await put('root', 'placements', name, { owner: TEAM_A })).result,
      ).toBe('updated');
    });
  });

  it("refuses to change a Placement that another team's ApplicationSet uses", async () => {
    const name = await ofTeamA();
    const theirs = applicationSet(name, { owner: TEAM_B });
    await put('root', 'applicationsets', `${name}-b`, theirs);
    const { status, message } = await expectUnchanged(name, () =>
      put('alice', 'placements', name, { owner: TEAM_A, numberOfClusters: 1 }),
    );
    expect({ status, message }).toEqual({
      status: 403,
      message: expect.stringContaining('is used by others than'),
    });
  });

  it("refuses to create the Placement that another team's ApplicationSet waits for", async () => {
    const name = await ofTeamA();
    await testHub.admin.delete('placements', { namespace: NAMESPACE, name });
    expect(
      (await put('bob', 'placements', name, { owner: TEAM_B })).status,
    ).toBe(409);
    expect(await objectOf('placements', name)).toBeUndefined();
  });

  it("refuses an ApplicationSet on another team's Placement, as on one that does not exist", async () => {
    const name = await ofTeamA();
    const onPlacement = async (placement: string) => {
      const { status, message } = await put(
        'bob',
        'applicationsets',
        'parasite',
        applicationSet(placement, { owner: TEAM_B }),
      );
      return { status, message: message?.replaceAll(placement, 'P') };
    };
    const refused = await onPlacement(name);
    expect(refused).toEqual({
      status: 400,
      message: expect.stringMatching(/^placement: there is no Placement/),
    });
    expect(await onPlacement('no-such-placement')).toEqual(refused);
    expect(await objectOf('applicationsets', 'parasite')).toBeUndefined();
  });

  it("refuses an ApplicationSet that would take over team A's Application", async () => {
    const placement = `mine-${next++}`;
    await put('bob', 'placements', placement, { owner: TEAM_B });
    await testHub.admin.create(
      'applications',
      pullApplication('payments-one', 'one'),
    );
    const takeOver = () =>
      put(
        'bob',
        'applicationsets',
        'payments',
        applicationSet(placement, {
          owner: TEAM_B,
          applicationName: 'payments-{{name}}',
        }),
      );
    const { message } = await waitFor(async () => {
      const answer = await takeOver();
      if (answer.status === 200) {
        await testHub.admin.delete('applicationSets', {
          namespace: NAMESPACE,
          name: 'payments',
        });
      }
      return answer.status === 409 && answer;
    });
    expect(message).toMatch(
      /^The name payments-one is taken for an Application/,
    );
    const elsewhere = await put(
      'bob',
      'applicationsets',
      'payments',
      applicationSet(placement, {
        owner: TEAM_B,
        applicationName: '{{metadata.labels.x}}',
      }),
    );
    expect(elsewhere).toMatchObject({ status: 400 });
  });

  it('refuses an ApplicationSet on a Placement that selects clusters outside', async () => {
    await testHub.admin.create('placements', {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: { namespace: NAMESPACE, name: 'everything' },
      spec: {},
    } as never);
    const body = applicationSet('everything', { owner: TEAM_A });
    const answer = await put('alice', 'applicationsets', 'wide', body);
    expect(answer.status).toBe(400);
    const byRoot = await put('root', 'applicationsets', 'wide', body);
    expect(byRoot).toMatchObject({ status: 403 });
    expect(byRoot.message).toContain(
      'argocdFleet.hubs[0].writes[0].clusterSets',
    );
    expect(await objectOf('applicationsets', 'wide')).toBeUndefined();
  });

  it('says of a name that is taken nothing that depends on who has it', async () => {
    const marked = await ofTeamA();
    const unowned = `unowned-${next++}`;
    await put('root', 'placements', unowned, {});
    const foreign = `foreign-${next++}`;
    for (const kind of ['Placement', 'ApplicationSet']) {
      await testHub.admin.create(
        kind === 'Placement' ? 'placements' : 'applicationSets',
        {
          apiVersion:
            kind === 'Placement'
              ? 'cluster.open-cluster-management.io/v1beta1'
              : 'argoproj.io/v1alpha1',
          kind,
          metadata: { namespace: NAMESPACE, name: foreign },
          spec:
            kind === 'Placement'
              ? {}
              : {
                  generators: [],
                  template: {
                    metadata: { name: 'x' },
                    spec: {
                      project: 'default',
                      destination: {},
                      source: { repoURL: 'https://example.com' },
                    },
                  },
                },
        } as never,
      );
    }
    const mine = `mine-${next++}`;
    await put('bob', 'placements', mine, { owner: TEAM_B });

    for (const [kind, names] of [
      ['placements', [marked, unowned, foreign]],
      ['applicationsets', [marked, foreign]],
    ] as const) {
      const answers = [];
      for (const name of names) {
        const body =
          kind === 'placements'
            ? { owner: TEAM_B }
            : applicationSet(mine, { owner: TEAM_B });
        const { status, message } = await put('bob', kind, name, body);
        answers.push({ status, message: message?.replaceAll(name, 'N') });
      }
      expect(answers[0]).toEqual({
        status: 409,
        message: expect.stringMatching(/^The name .* is taken for a/),
      });
      for (const answer of answers) {
        expect(answer).toEqual(answers[0]);
      }
    }
    // Who may read it learns why.
    const { status, message } = await put('reader', 'placements', marked, {
      owner: TEAM_B,
    });
    expect({ status, message }).toEqual({
      status: 403,
      message: expect.stringContaining(`belongs to ${TEAM_A}`),
    });
  });

  it('writes nothing over a change that comes between its check and its write', async () => {
    const name = await ofTeamA();
    const ref = { hub: 'hub', namespace: NAMESPACE, name };
    const { client } = testHub.admin;
    const takenOver = { 'argocd-fleet/component-owner': TEAM_B };
    const hub = {
      name: 'hub',
      client: {
        ...client,
        async get(...parameters: Parameters<typeof client.get>) {
          const object = await client.get(...parameters);
          await testHub.admin.patch('placements', ref, {
            metadata: { annotations: takenOver },
          });
          return object;
        },
      },
      cache: { ...emptyCache(), unsyncedReasons: () => [] },
      writes: {
        key: 'writes',
        grants: [{ ...GRANT, key: 'writes[0]', clusterLabels: {} }],
        argocdNamespace: NAMESPACE,
      },
    } as unknown as ApiHub;
    const allowed = { all: false, allows: () => true, mightAllow: () => true };
    await expect(
      putPlacement(
        hub,
        ref,
        { owner: TEAM_A, numberOfClusters: 2 },
        {
          create: allowed,
          update: allowed,
          read: allowed,
          ownershipRefs: new Set([TEAM_A]),
        },
      ),
    ).rejects.toMatchObject({ kind: 'conflict' });
    const placement = await objectOf('placements', name);
    expect(placement?.metadata.annotations).toEqual(takenOver);
    expect(placement).not.toHaveProperty('spec.numberOfClusters');
  });

  const refusals: [string, Kind, object, string, string?][] = [
    [
      'namespace kube-system',
      'placements',
      {},
      'writes[].namespaces',
      'kube-system',
    ],
    [
      'a namespace with a longer name',
      'placements',
      {},
      'writes[].namespaces',
      `${NAMESPACE}-evil`,
    ],
    [
      'a cluster set',
      'placements',
      { clusterSets: ['shops', 'secret'] },
      'writes[0].clusterSets',
    ],
    [
      'an AppProject',
      'applicationsets',
      { project: 'platform' },
      'writes[0].projects',
    ],
    [
      'a repository',
      'applicationsets',
      { source: { repoURL: 'https://github.com/argoproj-evil/x' } },
      'writes[0].repositories',
    ],
    [
      'a namespace on the clusters',
      'applicationsets',
      { destinationNamespace: 'shop' },
      'writes[0].destinationNamespaces',
    ],
  ];
  it.each(refusals)(
    'refuses %s that is not allowed before the hub hears of it, and names the key, even to who may do everything',
    async (_, kind, change, key, namespace = NAMESPACE) => {
      testHub.clearRequests();
      const body =
        kind === 'placements' ? change : applicationSet('any', change);
      const { status, message } = await put(
        'root',
        kind,
        'refused',
        body,
        namespace,
      );
      expect({ status, message }).toEqual({
        status: 403,
        message: expect.stringContaining(`argocdFleet.hubs[0].${key} allows`),
      });
      expect(requestsOnObjects()).toEqual([]);
    },
  );

  it('says of what it may no longer change which configuration allows it, and of what has no owner how to record one', async () => {
    const name = await ofTeamA();
    const codes = async (of: TestBackend) => {
      const { body } = await request(of.server)
        .get(`${BASE}/applicationsets/hub/${NAMESPACE}/${name}`)
        .set('Authorization', mockCredentials.user.header('user:default/root'))
        .expect(200);
      return ((body.findings ?? []) as Finding[])
        .filter(({ code }) => ['AFC-304', 'AFC-305'].includes(code))
        .map(({ code, evidence, fix }) => [code, evidence ?? fix?.command]);
    };
    expect(await codes(backend)).toEqual([]);
    const stricter = await start({
      writes: [{ ...GRANT, projects: ['team-a'] }],
    });
    expect(await codes(stricter)).toEqual([
      [
        'AFC-305',
        expect.stringContaining('argocdFleet.hubs[0].writes[0].projects'),
      ],
    ]);
    await stricter.stop();
    await testHub.admin.patch(
      'applicationSets',
      { namespace: NAMESPACE, name },
      { metadata: { annotations: { 'argocd-fleet/component-owner': null } } },
    );
    await waitFor(async () => (await codes(backend)).length > 0);
    expect(await codes(backend)).toEqual([
      [
        'AFC-304',
        expect.stringContaining(
          `${name} -n ${NAMESPACE} argocd-fleet/component`,
        ),
      ],
    ]);
  });

  it('selects from the allowed cluster sets where a request names none', async () => {
    const name = await ofTeamA();
    expect(await objectOf('placements', name)).toMatchObject({
      spec: { clusterSets: ['shops'] },
    });
  });

  it('offers in forms only what may be written', async () => {
    const get = async (path: string, user = 'alice') =>
      request(backend.server)
        .get(`${BASE}${path}`)
        .set(
          'Authorization',
          mockCredentials.user.header(`user:default/${user}`),
        );
    await waitFor(async () => {
      const { body } = await get('/placement-options');
      return body.items[0].namespaces.length > 0;
    });
    const { body } = await get('/placement-options');
    expect(body.items[0]).not.toHaveProperty('emptyReason');
    expect(body.items[0].namespaces).toEqual([
      expect.objectContaining({
        name: NAMESPACE,
        projects: GRANT.projects,
        repositories: GRANT.repositories,
        destinationNamespaces: GRANT.destinationNamespaces,
      }),
    ]);
    for (const [query, message] of [
      ['/placement-previews/hub/kube-system', 'writes[].namespaces'],
      [
        `/placement-previews/hub/${NAMESPACE}?clusterSets=secret`,
        'writes[0].clusterSets',
      ],
    ]) {
      const answer = await get(query);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain(message);
    }
    const { body: preview } = await get(`/placement-previews/hub/${NAMESPACE}`);
    expect(preview).toMatchObject({ clusterSets: ['shops'], unboundSets: [] });
  });
});

describe('namespaces that belong to owners', () => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await start({ writes: [{ ...GRANT, owners: ['Team-A'] }] });
  });
  afterAll(() => backend?.stop());

  const put = async (
    user: string,
    kind: Kind,
    name: string,
    body: object,
  ): Promise<[number, string?]> => {
    const { status, body: answer } = await request(backend.server)
      .put(`${BASE}/${kind}/hub/${NAMESPACE}/${name}`)
      .set('Authorization', mockCredentials.user.header(`user:default/${user}`))
      .send(body);
    return [status, answer.result ?? answer.error?.message];
  };
  const REFUSED = [
    403,
    `In the namespace ${NAMESPACE} of the hub "hub", owner: ${TEAM_B} is not allowed; argocdFleet.hubs[0].writes[0].owners allows ${TEAM_A}. An administrator of this portal can allow more in its configuration.`,
  ];

  it.each(['bob', 'both', 'root'])(
    'take nothing of another owner from %s, before the hub hears of it',
    async user => {
      testHub.clearRequests();
      const owner = TEAM_B;
      expect(await put(user, 'placements', 'intruder', { owner })).toEqual(
        REFUSED,
      );
      expect(
        await put(
          user,
          'applicationsets',
          'intruder',
          applicationSet('intruder', {
            component: { name: 'intruder', owner },
          }),
        ),
      ).toEqual(REFUSED);
      expect(requestsOnObjects()).toEqual([]);
    },
  );

  it('are written by their owners, and by who may do everything', async () => {
    const owner = TEAM_A;
    const set = applicationSet('owned', { owner });
    expect([
      await put('alice', 'placements', 'owned', { owner }),
      await put('alice', 'applicationsets', 'owned', set),
      await put('root', 'placements', 'nobody', {}),
    ]).toEqual(Array(3).fill([200, 'created']));
  });

  it('keep what another owner has there, which nobody changes until it changes hands', async () => {
    const annotations = { 'argocd-fleet/component-owner': TEAM_B };
    const name = 'earlier';
    await put('root', 'placements', name, { owner: TEAM_A });
    await put('root', 'applicationsets', name, applicationSet(name));
    for (const kind of ['placements', 'applicationSets'] as const) {
      await testHub.admin.patch(
        kind,
        { namespace: NAMESPACE, name },
        { metadata: { annotations } },
      );
    }
    const path = `${BASE}/applicationsets/hub/${NAMESPACE}/${name}`;
    const codes = async () => {
      const { body } = await request(backend.server)
        .get(path)
        .set('Authorization', mockCredentials.user.header('user:default/root'));
      return ((body.findings ?? []) as Finding[]).map(({ code }) => code);
    };
    await waitFor(async () => (await codes()).includes('AFC-305'));
    expect(await put('root', 'placements', name, {})).toEqual(REFUSED);
    expect(await put('root', 'placements', name, { owner: TEAM_A })).toEqual([
      200,
      'updated',
    ]);
  });

  it('are offered in forms to their owners only', async () => {
    const offered = async (user: string) => {
      const { body } = await request(backend.server)
        .get(`${BASE}/placement-options`)
        .set(
          'Authorization',
          mockCredentials.user.header(`user:default/${user}`),
        );
      return body.items[0].namespaces.length;
    };
    await waitFor(async () => (await offered('alice')) > 0);
    expect([await offered('root'), await offered('bob')]).toEqual([1, 0]);
  });
});

describe('a hub on which the portal may write nothing', () => {
  it.each<[string, JsonObject, JsonObject, RegExp]>([
    [
      'by default',
      { writes: [] },
      {},
      /until argocdFleet\.hubs\[0\]\.writes allows it/,
    ],
    [
      'while the propagation controller is off',
      { writes: [GRANT] },
      { controllers: { propagation: { mode: 'off' } } },
      /mode off, set by argocdFleet\.controllers\.propagation\.mode; only manage/,
    ],
    [
      'while it only observes there',
      {
        writes: [GRANT],
        controllers: { propagation: { mode: 'observe' } },
      },
      {},
      /mode observe, set by argocdFleet\.hubs\[0\]\.controllers\.propagation\.mode/,
    ],
  ])('is not written %s, and the form says why', async (_, hub, more, why) => {
    const backend = await start(hub, more);
    const root = mockCredentials.user.header('user:default/root');
    testHub.clearRequests();
    for (const [kind, body] of [
      ['placements', {}],
      ['applicationsets', applicationSet('x')],
    ] as const) {
      const answer = await request(backend.server)
        .put(`${BASE}/${kind}/hub/${NAMESPACE}/x`)
        .set('Authorization', root)
        .send(body);
      expect(answer.status).toBe(403);
      expect(answer.body.error.message).toMatch(why);
    }
    expect(requestsOnObjects()).toEqual([]);
    const { body } = await request(backend.server)
      .get(`${BASE}/placement-options`)
      .set('Authorization', root);
    expect(body.items[0]).toMatchObject({
      namespaces: [],
      emptyReason: expect.stringMatching(/argocdFleet\./),
    });
    await backend.stop();
  });
});
