import { RUN } from '../environment';
import { eventually } from '../polling';
import { ResourceAttributes, deployedObjects, rightsOf } from './deployedRoles';
import { HubWithRoles, startHubWithRoles, USER } from './hubWithRoles';

const ARGO_CD = `rbac-${RUN}`;
const RBAC = 'rbac.authorization.k8s.io';
const WORK = 'work.open-cluster-management.io';
const CLUSTER = 'cluster.open-cluster-management.io';
const ROLES = `/apis/${RBAC}/v1/namespaces/${ARGO_CD}/roles`;
const BINDINGS = `/apis/${RBAC}/v1/namespaces/${ARGO_CD}/rolebindings`;

describe('the rights of deploy/rbac', () => {
  let hub: HubWithRoles;

  beforeAll(async () => {
    hub = await startHubWithRoles(ARGO_CD);
    // A real server applies new bindings with a delay.
    await eventually(
      () => mayDo({ verb: 'list', resource: 'secrets', namespace: ARGO_CD }),
      Boolean,
    );
  });

  afterAll(() => hub?.stop());

  async function mayDo(
    resourceAttributes: ResourceAttributes,
  ): Promise<boolean> {
    const { body } = await hub.backend.call(
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      },
    );
    const { allowed } = body.status as { readonly allowed?: boolean };
    return allowed === true;
  }

  const withTitles = (rights: readonly ResourceAttributes[]) =>
    rights.map(right => [titleOf(right), right] as const);

  it.each(withTitles(rightsOf(deployedObjects(ARGO_CD), ARGO_CD)))(
    'allow the backend to %s',
    async (_, right) => {
      expect(await mayDo(right)).toBe(true);
    },
  );

  it.each(
    withTitles([
      { verb: 'list', resource: 'secrets' },
      { verb: 'get', resource: 'secrets', namespace: 'default' },
      { verb: 'create', resource: 'secrets', namespace: 'default' },
      { verb: 'update', resource: 'secrets', namespace: ARGO_CD },
      { verb: 'deletecollection', resource: 'secrets', namespace: ARGO_CD },
      { verb: 'list', resource: 'configmaps', namespace: ARGO_CD },
      {
        verb: 'patch',
        resource: 'configmaps',
        namespace: ARGO_CD,
        name: 'ocm-placement-generator',
      },
      { verb: 'delete', group: RBAC, resource: 'roles', namespace: ARGO_CD },
      {
        verb: 'patch',
        group: RBAC,
        resource: 'roles',
        namespace: ARGO_CD,
        name: 'another',
      },
      { verb: 'create', group: RBAC, resource: 'roles', namespace: 'default' },
      { verb: 'escalate', group: RBAC, resource: 'roles', namespace: ARGO_CD },
      { verb: 'bind', group: RBAC, resource: 'roles', namespace: ARGO_CD },
      { verb: 'bind', group: RBAC, resource: 'clusterroles' },
      { verb: 'create', group: RBAC, resource: 'clusterroles' },
      { verb: 'create', group: RBAC, resource: 'clusterrolebindings' },
      { verb: 'impersonate', resource: 'users' },
      { verb: 'create', resource: 'serviceaccounts', subresource: 'token' },
      { verb: 'create', group: 'argoproj.io', resource: 'applications' },
      { verb: 'delete', group: 'argoproj.io', resource: 'applications' },
      { verb: 'delete', group: 'argoproj.io', resource: 'applicationsets' },
      { verb: 'update', group: WORK, resource: 'manifestworks' },
      { verb: 'deletecollection', group: WORK, resource: 'manifestworks' },
      {
        verb: 'patch',
        group: WORK,
        resource: 'manifestworks',
        subresource: 'status',
      },
      { verb: 'patch', group: CLUSTER, resource: 'managedclusters' },
      { verb: 'delete', group: CLUSTER, resource: 'placements' },
      { verb: 'list', group: 'apps', resource: 'deployments' },
      { verb: 'list', resource: 'pods' },
      { verb: 'list', resource: 'namespaces' },
    ]),
  )('do not allow it to %s', async (_, right) => {
    expect(await mayDo(right)).toBe(false);
  });

  it.each([
    ['/apis/argoproj.io/v1alpha1/applications?limit=1', 200],
    ['/apis/apps/v1/deployments', 403],
    [
      '/apis/apps/v1/deployments?fieldSelector=metadata.name%3Dmulticluster-integrations',
      200,
    ],
    [
      '/api/v1/configmaps?fieldSelector=metadata.name%3Dmulticluster-integrations-config',
      200,
    ],
    [`/api/v1/namespaces/${ARGO_CD}/configmaps`, 403],
    [
      `/api/v1/namespaces/${ARGO_CD}/configmaps?fieldSelector=metadata.name%3Docm-placement-generator`,
      200,
    ],
    [`/api/v1/namespaces/${ARGO_CD}/secrets`, 200],
    ['/api/v1/namespaces/kube-system/secrets', 403],
  ])('make GET %s return %i', async (path, status) => {
    expect((await hub.backend.call('GET', path)).status).toBe(status);
  });

  it('produce an error with user, verb, resource and scope where they are missing', async () => {
    const { body } = await hub.backend.call('GET', '/api/v1/secrets');
    expect(body).toMatchObject({
      reason: 'Forbidden',
      code: 403,
      message: `secrets is forbidden: User "${USER}" cannot list resource "secrets" in API group "" at the cluster scope`,
    });
  });

  describe('to grant others access to PlacementDecisions', () => {
    const role = (name: string, group: string, resource: string) => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name },
      rules: [
        {
          apiGroups: [group],
          resources: [resource],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    });
    const binding = (name: string, roleKind: string, roleName: string) => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: roleKind, name: roleName },
      subjects: [
        {
          kind: 'ServiceAccount',
          name: 'argocd-applicationset-controller',
          namespace: ARGO_CD,
        },
      ],
    });
    const name = 'argocd-fleet-placement-decisions';

    it('suffice', async () => {
      const createdRole = await hub.backend.call(
        'POST',
        ROLES,
        role(name, CLUSTER, 'placementdecisions'),
      );
      expect(createdRole.text).toContain('placementdecisions');
      expect(createdRole.status).toBe(201);
      const createdBinding = await hub.backend.call(
        'POST',
        BINDINGS,
        binding(name, 'Role', name),
      );
      expect(createdBinding.status).toBe(201);
    });

    it('do not suffice to grant access to more', async () => {
      const { status, body } = await hub.backend.call(
        'POST',
        ROLES,
        role('more', '', 'pods'),
      );
      expect(status).toBe(403);
      expect(body.message).toBe(
        `roles.${RBAC} "more" is forbidden: user "${USER}" (groups=["system:serviceaccounts" "system:serviceaccounts:argocd-fleet" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get" "list" "watch"]}`,
      );
    });

    it('do not suffice to make others administrators', async () => {
      const { status, body } = await hub.backend.call(
        'POST',
        BINDINGS,
        binding('admin', 'ClusterRole', 'cluster-admin'),
      );
      expect(status).toBe(403);
      expect(body.message).toMatch(
        /attempting to grant RBAC permissions not currently held:\n.*\{APIGroups:\["\*"\], Resources:\["\*"\], Verbs:\["\*"\]\}/s,
      );
    });
  });
});

function titleOf(right: ResourceAttributes): string {
  const { verb, group, resource, subresource, namespace, name } = right;
  const what = [resource, subresource].filter(Boolean).join('/');
  return [
    verb,
    group ? `${what}.${group}` : what,
    ...(name ? [name] : []),
    ...(namespace
      ? [`in ${namespace === ARGO_CD ? 'Argo CD' : namespace}`]
      : []),
  ].join(' ');
}
