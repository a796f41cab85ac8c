import { startTestHub, TestHub } from './__testUtils__/testHub';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PLACEMENTS =
  '/apis/cluster.open-cluster-management.io/v1beta1/namespaces/default/placements';
const WORKS =
  '/apis/work.open-cluster-management.io/v1/namespaces/default/manifestworks';
const APPLICATIONS =
  '/apis/argoproj.io/v1alpha1/namespaces/default/applications';

const MANIFEST = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x' },
};

function work(spec: object): object {
  return { metadata: { name: 'w' }, spec };
}

interface Case {
  readonly title: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: { [name: string]: string };
  readonly status: number;
  readonly reason?: string;
  readonly message: string | RegExp;
}

const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

const CASES: readonly Case[] = [
  {
    title: 'an object that does not exist',
    method: 'GET',
    path: `${APPLICATIONS}/nope`,
    status: 404,
    reason: 'NotFound',
    message: 'applications.argoproj.io "nope" not found',
  },
  {
    title: 'a resource that a served built-in version does not have',
    method: 'GET',
    path: '/api/v1/pods',
    status: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  },
  {
    title: 'an object in a namespace that does not exist',
    path: '/api/v1/namespaces/nowhere/configmaps',
    body: { metadata: { name: 'a' } },
    status: 404,
    reason: 'NotFound',
    message: 'namespaces "nowhere" not found',
  },
  {
    title: 'a name that is in use',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'default' } },
    status: 409,
    reason: 'AlreadyExists',
    message: 'namespaces "default" already exists',
  },
  {
    title: 'an object without a name',
    path: CONFIG_MAPS,
    body: { metadata: {} },
    status: 422,
    reason: 'Invalid',
    message:
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  },
  {
    title: 'a name with capital letters',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'Bad' } },
    status: 422,
    reason: 'Invalid',
    message:
      /^ConfigMap "Bad" is invalid: metadata.name: Invalid value: "Bad": a lowercase RFC 1123 subdomain must consist of/,
  },
  {
    title: 'a namespace name with a dot',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'a.b' } },
    status: 422,
    reason: 'Invalid',
    message:
      'Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots',
  },
  {
    title: 'a label value with a space',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a', labels: { k: 'a b' } } },
    status: 422,
    reason: 'Invalid',
    message: /metadata.labels: Invalid value: "a b": a valid label must be/,
  },
  {
    title: 'a label value that is too long',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a', labels: { k: 'x'.repeat(64) } } },
    status: 422,
    reason: 'Invalid',
    message: /must be no more than 63 bytes$/,
  },
  {
    title: 'a label key with two slashes',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a', labels: { 'a/b/c': 'x' } } },
    status: 422,
    reason: 'Invalid',
    message: /metadata.labels: Invalid value: "a\/b\/c"/,
  },
  {
    title: 'a label that is a number',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a', labels: { k: 1 } } },
    status: 400,
    reason: 'BadRequest',
    message:
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal/,
  },
  {
    title: 'data that is not text',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a' }, data: { k: 5 } },
    status: 400,
    reason: 'BadRequest',
    message: /ConfigMap.data.k/,
  },
  {
    title: 'a data key with a slash',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a' }, data: { 'a/b': '' } },
    status: 422,
    reason: 'Invalid',
    message: /data\[a\/b\]: Invalid value: "a\/b": a valid config key must/,
  },
  {
    title: 'annotations over 256 KiB',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a', annotations: { k: 'x'.repeat(262144) } } },
    status: 422,
    reason: 'Invalid',
    message:
      /metadata.annotations: Too long: may not be more than 262144 bytes/,
  },
  {
    title: 'two controllers among the owners',
    path: CONFIG_MAPS,
    body: {
      metadata: {
        name: 'a',
        ownerReferences: ['x', 'y'].map(name => ({
          apiVersion: 'v1',
          kind: 'Secret',
          name,
          uid: name,
          controller: true,
        })),
      },
    },
    status: 422,
    reason: 'Invalid',
    message: /Only one reference can have Controller set to true/,
  },
  {
    title: 'an owner without a UID',
    path: CONFIG_MAPS,
    body: {
      metadata: {
        name: 'a',
        ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 'x' }],
      },
    },
    status: 422,
    reason: 'Invalid',
    message: /metadata.ownerReferences.uid: Invalid value: ""/,
  },
  {
    title: 'a resourceVersion on a new object',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a', resourceVersion: '5' } },
    status: 500,
    message: 'resourceVersion should not be set on objects to be created',
  },
  {
    title: 'a namespace other than that of the URL',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a', namespace: 'kube-system' } },
    status: 400,
    reason: 'BadRequest',
    message:
      'the namespace of the provided object does not match the namespace sent on the request',
  },
  {
    title: 'a name other than that of the URL',
    method: 'PUT',
    path: `${CONFIG_MAPS}/a`,
    body: { metadata: { name: 'b' } },
    status: 400,
    reason: 'BadRequest',
    message:
      'the name of the object (b) does not match the name on the URL (a)',
  },
  {
    title: 'an apiVersion other than that of the URL',
    path: PLACEMENTS,
    body: {
      apiVersion: 'cluster.open-cluster-management.io/v1alpha1',
      kind: 'Placement',
      metadata: { name: 'a' },
      spec: {},
    },
    status: 400,
    reason: 'BadRequest',
    message:
      'the API version in the data (cluster.open-cluster-management.io/v1alpha1) does not match the expected API version (cluster.open-cluster-management.io/v1beta1)',
  },
  {
    title: 'a body that is not JSON',
    path: CONFIG_MAPS,
    body: '{"metadata":',
    status: 400,
    reason: 'BadRequest',
    message:
      /^the object provided is unrecognized \(must be of type ConfigMap\)/,
  },
  {
    title: 'an unknown media type',
    path: CONFIG_MAPS,
    body: 'hello',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    reason: 'UnsupportedMediaType',
    message: /^the body of the request was in an unknown format/,
  },
  {
    title: 'an unsupported Accept header',
    method: 'GET',
    path: CONFIG_MAPS,
    headers: { accept: 'application/xml' },
    status: 406,
    reason: 'NotAcceptable',
    message: /^406: Not Acceptable\n\nAvailable representations: /,
  },
  {
    title: 'a body over 3 MiB',
    path: CONFIG_MAPS,
    body: { metadata: { name: 'a' }, data: { k: 'x'.repeat(3 * 1024 * 1024) } },
    status: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: limit is 3145728',
  },
  {
    title: 'an object over 1.5 MiB',
    path: '/api/v1/namespaces/default/events',
    body: {
      metadata: { name: 'a' },
      involvedObject: {},
      message: 'x'.repeat(1600 * 1024),
    },
    status: 500,
    message: 'etcdserver: request is too large',
  },
  {
    title: 'an unknown field with strict validation',
    path: `${PLACEMENTS}?fieldValidation=Strict`,
    body: { metadata: { name: 'a' }, spec: { clusters: [] } },
    status: 400,
    reason: 'BadRequest',
    message:
      'Placement in version "v1beta1" cannot be handled as a Placement: strict decoding error: unknown field "spec.clusters"',
  },
  {
    title: 'a fieldValidation that does not exist',
    path: `${PLACEMENTS}?fieldValidation=Maybe`,
    body: { metadata: { name: 'a' }, spec: {} },
    status: 422,
    reason: 'Invalid',
    message: /fieldValidation: Unsupported value: "Maybe"/,
  },
  {
    title: 'a dryRun that does not exist',
    path: `${CONFIG_MAPS}?dryRun=Some`,
    body: { metadata: { name: 'a' } },
    status: 422,
    reason: 'Invalid',
    message: /dryRun: Unsupported value: \["Some"\]: supported values: "All"/,
  },
  {
    title: 'a missing required field',
    path: PLACEMENTS,
    body: { metadata: { name: 'a' } },
    status: 422,
    reason: 'Invalid',
    message:
      'Placement.cluster.open-cluster-management.io "a" is invalid: spec: Required value',
  },
  {
    title: 'two wrong fields at once',
    path: APPLICATIONS,
    body: { metadata: { name: 'a' }, spec: { project: 5 } },
    status: 422,
    reason: 'Invalid',
    message:
      'Application.argoproj.io "a" is invalid: [spec.destination: Required value, spec.project: Invalid value: "integer": spec.project in body must be of type string: "integer"]',
  },
  {
    title: 'a value that is not in the enum',
    path: PLACEMENTS,
    body: { metadata: { name: 'a' }, spec: { sortBy: 'Size' } },
    status: 422,
    reason: 'Invalid',
    message:
      /spec.sortBy: Unsupported value: "Size": supported values: "ClusterName", "Score"$/,
  },
  {
    title: 'text that does not match its pattern',
    path: PLACEMENTS,
    body: { metadata: { name: 'a' }, spec: { scoreRateLimit: 'often' } },
    status: 422,
    reason: 'Invalid',
    message:
      /spec.scoreRateLimit: Invalid value: "often": spec.scoreRateLimit in body should match '\^\[0-9\]\+\[hms\]\$'$/,
  },
  {
    title: 'a number that is too large',
    path: PLACEMENTS,
    body: {
      metadata: { name: 'a' },
      spec: {
        prioritizerPolicy: {
          configurations: [{ scoreCoordinate: {}, weight: 11 }],
        },
      },
    },
    status: 422,
    reason: 'Invalid',
    message:
      /spec.prioritizerPolicy.configurations\[0\].weight: Invalid value: 11: .* should be less than or equal to 10$/,
  },
  {
    title: 'a CEL rule that fails',
    path: WORKS,
    body: work({
      workload: { manifests: [MANIFEST] },
      manifestConfigs: [
        {
          resourceIdentifier: { name: 'x', resource: 'configmaps' },
          conditionRules: [{ type: 'CEL', condition: '' }],
        },
      ],
    }),
    status: 422,
    reason: 'Invalid',
    message:
      /spec.manifestConfigs\[0\].conditionRules\[0\]: Invalid value: .*Condition is required for CEL rules$/,
  },
  {
    title: 'two items with the same key',
    path: WORKS,
    body: work({
      workload: { manifests: [MANIFEST] },
      manifestConfigs: [
        {
          resourceIdentifier: { name: 'x', resource: 'configmaps' },
          conditionRules: [
            { type: 'CEL', condition: 'A' },
            { type: 'CEL', condition: 'A' },
          ],
        },
      ],
    }),
    status: 422,
    reason: 'Invalid',
    message: /conditionRules\[1\]: Duplicate value: {"condition":"A"}$/,
  },
  {
    title: 'a manifest without a kind',
    path: WORKS,
    body: work({ workload: { manifests: [{ metadata: { name: 'x' } }] } }),
    status: 422,
    reason: 'Invalid',
    message: /spec.workload.manifests\[0\].kind: Required value/,
  },
  {
    title: 'a work without manifests',
    path: WORKS,
    body: work({}),
    status: 400,
    reason: 'BadRequest',
    message:
      'admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: Workload manifests should not be empty',
  },
  {
    title: 'a work over 512,000 bytes',
    path: WORKS,
    body: work({
      workload: {
        manifests: [{ ...MANIFEST, data: { k: 'x'.repeat(512_000) } }],
      },
    }),
    status: 400,
    reason: 'BadRequest',
    message:
      /denied the request: the size of manifests is 5120\d\d bytes which exceeds the 512000 limit$/,
  },
  {
    title: 'a field selector that Kubernetes does not support',
    method: 'GET',
    path: `${APPLICATIONS}?fieldSelector=spec.project%3Ddefault`,
    status: 400,
    reason: 'BadRequest',
    message: 'field label not supported: spec.project',
  },
  {
    title: 'a label selector that cannot be parsed',
    method: 'GET',
    path: `${CONFIG_MAPS}?labelSelector=a%20is%20b`,
    status: 400,
    reason: 'BadRequest',
    message: /^unable to parse requirement/,
  },
  {
    title: 'an invalid continue token',
    method: 'GET',
    path: `${CONFIG_MAPS}?limit=1&continue=xyz`,
    status: 400,
    reason: 'BadRequest',
    message: /^invalid continue token: continue key is not valid/,
  },
  {
    title: 'a resourceVersion from the future',
    method: 'GET',
    path: `${CONFIG_MAPS}?resourceVersion=999999`,
    status: 504,
    reason: 'Timeout',
    message: /^Timeout: Too large resource version: 999999, current: \d+$/,
  },
  {
    title: 'a resourceVersionMatch without a resourceVersion',
    method: 'GET',
    path: `${CONFIG_MAPS}?resourceVersionMatch=Exact`,
    status: 422,
    reason: 'Invalid',
    message:
      /resourceVersionMatch is forbidden unless resourceVersion is provided/,
  },
  {
    title: 'initial events without resourceVersionMatch',
    method: 'GET',
    path: `${CONFIG_MAPS}?watch=1&sendInitialEvents=true`,
    status: 422,
    reason: 'Invalid',
    message:
      /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/,
  },
  {
    title: 'a patch of an object that does not exist',
    method: 'PATCH',
    path: `${CONFIG_MAPS}/nope`,
    headers: MERGE,
    body: {},
    status: 404,
    reason: 'NotFound',
    message: 'configmaps "nope" not found',
  },
  {
    title: 'a strategic merge patch of a custom resource',
    method: 'PATCH',
    path: `${APPLICATIONS}/nope`,
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: {},
    status: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  },
  {
    title: 'a JSON patch whose test fails',
    method: 'PATCH',
    path: '/api/v1/namespaces/default',
    headers: JSON_PATCH,
    body: [{ op: 'test', path: '/metadata/name', value: 'x' }],
    status: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {
    title: 'a JSON patch that is not a list',
    method: 'PATCH',
    path: '/api/v1/namespaces/default',
    headers: JSON_PATCH,
    body: {},
    status: 400,
    reason: 'BadRequest',
    message: /^error decoding patch/,
  },
  {
    title: 'a patch of the name',
    method: 'PATCH',
    path: '/api/v1/namespaces/default',
    headers: MERGE,
    body: { metadata: { name: 'other' } },
    status: 400,
    reason: 'BadRequest',
    message:
      'the name of the object (other) does not match the name on the URL (default)',
  },
  {
    title: 'an apply without a field manager',
    method: 'PATCH',
    path: `${CONFIG_MAPS}/a`,
    headers: APPLY,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    status: 422,
    reason: 'Invalid',
    message:
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  },
  {
    title: 'an apply with managedFields',
    method: 'PATCH',
    path: `${CONFIG_MAPS}/a?fieldManager=x`,
    headers: APPLY,
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', managedFields: [{ manager: 'x' }] },
    },
    status: 400,
    reason: 'BadRequest',
    message: 'metadata.managedFields must be nil',
  },
  {
    title: 'force on a patch other than apply',
    method: 'PATCH',
    path: '/api/v1/namespaces/default?force=true',
    headers: MERGE,
    body: {},
    status: 422,
    reason: 'Invalid',
    message: /force: Forbidden: may not be specified for non-apply patch$/,
  },
  {
    title: 'the deletion of a namespace that a cluster needs',
    method: 'DELETE',
    path: '/api/v1/namespaces/default',
    status: 403,
    reason: 'Forbidden',
    message:
      'namespaces "default" is forbidden: this namespace may not be deleted',
  },
  {
    title: 'the deletion of all namespaces',
    method: 'DELETE',
    path: '/api/v1/namespaces',
    status: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {
    title: 'an unknown propagation policy',
    method: 'DELETE',
    path: `${CONFIG_MAPS}/a?propagationPolicy=Sideways`,
    status: 422,
    reason: 'Invalid',
    message: /propagationPolicy: Unsupported value: "Sideways"/,
  },
  {
    title: 'a definition with the wrong name',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      metadata: { name: 'widgets' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    },
    status: 422,
    reason: 'Invalid',
    message:
      /metadata.name: Invalid value: "widgets": must be spec.names.plural/,
  },
  {
    title: 'a definition without a schema',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    },
    status: 422,
    reason: 'Invalid',
    message:
      /spec.versions\[0\].schema.openAPIV3Schema: Required value: schemas are required/,
  },
];

function exactText(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

describe('the hub rejects', () => {
  let hub: TestHub;

  beforeAll(async () => {
    hub = await startTestHub();
  });

  afterAll(() => hub.stop());

  it.each(CASES)(
    '$title',
    async ({
      method = 'POST',
      path,
      body,
      headers,
      status,
      reason,
      message,
    }) => {
      const answer = await hub.call(method, path, body, headers);
      expect(answer.body).toMatchObject({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        code: status,
      });
      expect(answer.body.message).toMatch(
        typeof message === 'string' ? exactText(message) : message,
      );
      expect(answer.body.reason).toBe(reason);
      expect(answer.status).toBe(status);
    },
  );

  it.each([
    '/apis/apps.open-cluster-management.io/v1alpha1/multiclusterapplicationsetreports',
    '/apis/argoproj.io/v1alpha1/rollouts',
    '/nothing/here',
  ])('%s, which is not served, with a plain 404', async path => {
    const answer = await hub.call('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe('404 page not found\n');
  });
});
