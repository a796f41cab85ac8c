import { startTestHub, TestHub } from '../__testUtils__/testHub';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const WORKER = 'system:serviceaccount:team:robot';
const SECRETS = '/api/v1/namespaces/team/secrets';
const CONFIG_MAPS = '/api/v1/namespaces/team/configmaps';
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const robot = { authorization: 'Bearer robot' };
const admin = { authorization: 'Bearer admin' };

let hub: TestHub;

beforeEach(async () => {
  hub = await startTestHub({
    authorization: {
      tokens: {
        admin: { name: 'admin', groups: ['system:masters'] },
        robot: { name: WORKER },
      },
    },
  });
  await make('/api/v1/namespaces', { metadata: { name: 'team' } });
});

afterEach(() => hub.stop());

async function make(path: string, object: object) {
  const { status, text } = await hub.call('POST', path, object, admin);
  expect({ status, text }).toMatchObject({ status: 201 });
}

/** Grants the robot these rules in its namespace. */
async function grant(...rules: object[]) {
  await make(`${RBAC}/namespaces/team/roles`, {
    metadata: { name: 'given' },
    rules,
  });
  await make(`${RBAC}/namespaces/team/rolebindings`, {
    metadata: { name: 'given' },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'Role',
      name: 'given',
    },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'team' }],
  });
}

function asRobot(method: string, path: string, body?: object) {
  return hub.call(method, path, body, robot);
}

async function statusOf(method: string, path: string, body?: object) {
  return (await asRobot(method, path, body)).status;
}

describe('the user of a request', () => {
  it('is authenticated by the token', async () => {
    const { status, body } = await hub.call('GET', '/apis', undefined, {
      authorization: 'Bearer nobody',
    });
    expect(status).toBe(401);
    expect(body).toMatchObject({
      kind: 'Status',
      reason: 'Unauthorized',
      message: 'Unauthorized',
    });
  });

  it('is anonymous without one, with access to health and version only', async () => {
    expect((await hub.call('GET', '/readyz')).status).toBe(200);
    expect((await hub.call('GET', '/version')).status).toBe(200);
    const { status, body } = await hub.call('GET', '/apis');
    expect(status).toBe(403);
    expect(body.message).toBe(
      'forbidden: User "system:anonymous" cannot get path "/apis"',
    );
  });

  it('has access to discovery when authenticated', async () => {
    expect(await statusOf('GET', '/apis')).toBe(200);
    expect(await statusOf('GET', '/apis/apps/v1')).not.toBe(403);
  });

  it('can be named in the kubeconfig', () => {
    expect(hub.kubeconfig('robot')).toContain('token: robot');
    expect(hub.kubeconfig()).not.toContain('token');
  });
});

describe('a request is allowed', () => {
  it('only with a rule, and otherwise rejected in Kubernetes’ words', async () => {
    const listed = await asRobot('GET', '/api/v1/secrets');
    expect(listed.status).toBe(403);
    expect(listed.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `secrets is forbidden: User "${WORKER}" cannot list resource "secrets" in API group "" at the cluster scope`,
      reason: 'Forbidden',
      details: { kind: 'secrets' },
      code: 403,
    });
    const patched = await asRobot(
      'PATCH',
      '/apis/work.open-cluster-management.io/v1/namespaces/team/manifestworks/one/status',
      {},
    );
    expect(patched.body).toMatchObject({
      message: `manifestworks.work.open-cluster-management.io "one" is forbidden: User "${WORKER}" cannot patch resource "manifestworks/status" in API group "work.open-cluster-management.io" in the namespace "team"`,
      details: {
        name: 'one',
        group: 'work.open-cluster-management.io',
        kind: 'manifestworks',
      },
    });
  });

  it('by verb, group, resource and namespace', async () => {
    await grant({ apiGroups: [''], resources: ['secrets'], verbs: ['list'] });
    expect(await statusOf('GET', SECRETS)).toBe(200);
    expect(await statusOf('GET', `${SECRETS}/one`)).toBe(403);
    expect(await statusOf('GET', `${SECRETS}?watch=1`)).toBe(403);
    expect(await statusOf('GET', CONFIG_MAPS)).toBe(403);
    expect(await statusOf('GET', '/api/v1/namespaces/default/secrets')).toBe(
      403,
    );
    expect(await statusOf('GET', '/api/v1/secrets')).toBe(403);
    expect(await statusOf('DELETE', SECRETS)).toBe(403);
  });

  it('by a star for all groups, resources or verbs', async () => {
    await grant({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] });
    expect(await statusOf('GET', SECRETS)).toBe(200);
    expect(await statusOf('GET', '/api/v1/namespaces/team')).toBe(200);
    expect(await statusOf('GET', '/api/v1/namespaces/default')).toBe(403);
  });

  it('by resource names, also where a field selector names the object', async () => {
    await grant({
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: ['mine'],
      verbs: ['get', 'list', 'create'],
    });
    expect(await statusOf('GET', `${CONFIG_MAPS}/mine`)).toBe(404);
    expect(await statusOf('GET', `${CONFIG_MAPS}/other`)).toBe(403);
    expect(await statusOf('GET', CONFIG_MAPS)).toBe(403);
    expect(
      await statusOf('GET', `${CONFIG_MAPS}?fieldSelector=metadata.name=mine`),
    ).toBe(200);
    // The URL of a create has no name.
    expect(
      await statusOf('POST', CONFIG_MAPS, { metadata: { name: 'mine' } }),
    ).toBe(403);
  });

  it('for a subresource only by its own name', async () => {
    const decision =
      '/apis/cluster.open-cluster-management.io/v1beta1/namespaces/team/placementdecisions/one';
    await grant({
      apiGroups: ['cluster.open-cluster-management.io'],
      resources: ['placementdecisions/status', '*/scale'],
      verbs: ['get'],
    });
    expect(await statusOf('GET', `${decision}/status`)).toBe(404);
    expect(await statusOf('GET', `${decision}/scale`)).toBe(404);
    expect(await statusOf('GET', decision)).toBe(403);
  });

  it('until its binding is deleted', async () => {
    await grant({ apiGroups: [''], resources: ['secrets'], verbs: ['list'] });
    expect(await statusOf('GET', SECRETS)).toBe(200);
    await hub.call(
      'DELETE',
      `${RBAC}/namespaces/team/rolebindings/given`,
      undefined,
      admin,
    );
    expect(await statusOf('GET', SECRETS)).toBe(403);
  });

  it('or rejected with the name of a role that does not exist', async () => {
    await grant();
    await hub.call(
      'DELETE',
      `${RBAC}/namespaces/team/roles/given`,
      undefined,
      admin,
    );
    expect((await asRobot('GET', SECRETS)).body.message).toMatch(
      /in the namespace "team": RBAC: role\.rbac\.authorization\.k8s\.io "given" not found$/,
    );
  });

  it('or not, as a SelfSubjectAccessReview answers', async () => {
    await grant({ apiGroups: [''], resources: ['secrets'], verbs: ['list'] });
    const ask = async (resourceAttributes: object) =>
      (await asRobot('POST', REVIEWS, { spec: { resourceAttributes } })).body
        .status;
    const secrets = { verb: 'list', resource: 'secrets' };
    expect(await ask({ ...secrets, namespace: 'team' })).toMatchObject({
      allowed: true,
    });
    expect(await ask(secrets)).toMatchObject({ allowed: false });
  });
});

describe('granting rules to others', () => {
  const secretReader = {
    metadata: { name: 'reader' },
    rules: [
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] },
    ],
  };
  const roles = `${RBAC}/namespaces/team/roles`;
  const bindings = `${RBAC}/namespaces/team/rolebindings`;
  const mayWriteRoles = {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles', 'rolebindings'],
    verbs: ['create', 'patch'],
  };
  const mayRead = (...verbs: string[]) => ({
    apiGroups: [''],
    resources: ['secrets'],
    verbs,
  });
  const bindingOf = (kind: string, name: string) => ({
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'User', name: 'friend' }],
  });

  it('is rejected for rules that the user does not have', async () => {
    await grant(mayWriteRoles, mayRead('get'));
    const { status, body } = await asRobot('POST', roles, secretReader);
    expect(status).toBe(403);
    expect(body.message).toBe(
      `roles.rbac.authorization.k8s.io "reader" is forbidden: user "${WORKER}" (groups=["system:serviceaccounts" "system:serviceaccounts:team" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["list"]}`,
    );
  });

  it('is allowed for rules that the user has', async () => {
    await grant(mayWriteRoles, mayRead('list', 'get'));
    expect(await statusOf('POST', roles, secretReader)).toBe(201);
    expect(await statusOf('POST', bindings, bindingOf('Role', 'reader'))).toBe(
      201,
    );
    const wider = { rules: [mayRead('delete')] };
    const patched = await hub.call('PATCH', `${roles}/reader`, wider, {
      ...robot,
      'content-type': 'application/merge-patch+json',
    });
    expect(patched.status).toBe(403);
  });

  it('is allowed with the verb escalate', async () => {
    await grant(mayWriteRoles, {
      ...mayWriteRoles,
      resources: ['roles'],
      verbs: ['escalate'],
    });
    expect(await statusOf('POST', roles, secretReader)).toBe(201);
    expect(await statusOf('POST', bindings, bindingOf('Role', 'reader'))).toBe(
      403,
    );
  });

  it('by a binding requires an existing role whose rules the user has', async () => {
    await grant(mayWriteRoles);
    expect(await statusOf('POST', bindings, bindingOf('Role', 'missing'))).toBe(
      404,
    );
    const { status, body } = await asRobot(
      'POST',
      bindings,
      bindingOf('ClusterRole', 'cluster-admin'),
    );
    expect(status).toBe(403);
    expect(body.message).toContain(
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
    );
  });
});
