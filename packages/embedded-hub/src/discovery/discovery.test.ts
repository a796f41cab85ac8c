import { startTestHub, TestHub } from '../__testUtils__/testHub';

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

describe('discovery', () => {
  let hub: TestHub;

  beforeAll(async () => {
    hub = await startTestHub();
  });

  afterAll(() => hub.stop());

  it.each(['/healthz', '/livez', '/readyz', '/readyz/ping'])(
    '%s says ok',
    async path => {
      const { status, text } = await hub.call('GET', path);
      expect([status, text]).toEqual([200, 'ok']);
    },
  );

  it('names the Kubernetes version that it implements', async () => {
    const { body } = await hub.call('GET', '/version');
    expect(body).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: expect.stringMatching(/^v1\.36\./),
    });
  });

  it('lists groups and resources in the unaggregated form', async () => {
    const core = await hub.call('GET', '/api');
    expect(core.body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const groups = await hub.call('GET', '/apis');
    expect(groups.body.kind).toBe('APIGroupList');
    expect(groups.body.groups).toContainEqual({
      name: 'argoproj.io',
      versions: [{ groupVersion: 'argoproj.io/v1alpha1', version: 'v1alpha1' }],
      preferredVersion: {
        groupVersion: 'argoproj.io/v1alpha1',
        version: 'v1alpha1',
      },
    });
    const resources = await hub.call('GET', '/apis/argoproj.io/v1alpha1');
    expect(
      (resources.body.resources as { name: string }[]).map(({ name }) => name),
    ).toEqual([
      'applications',
      'applicationsets',
      'applicationsets/status',
      'appprojects',
    ]);
  });

  it('lists all in one response to clients that accept aggregated discovery', async () => {
    const { headers, body } = await hub.call('GET', '/apis', undefined, {
      accept: AGGREGATED,
    });
    expect(headers.get('content-type')).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    );
    expect(body).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
    });
    const group = (
      body.items as { metadata: { name: string }; versions: object[] }[]
    ).find(
      ({ metadata }) => metadata.name === 'work.open-cluster-management.io',
    );
    expect(group?.versions).toMatchObject([
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'manifestworks',
            scope: 'Namespaced',
            singularResource: 'manifestwork',
            responseKind: { kind: 'ManifestWork' },
            subresources: [{ subresource: 'status' }],
          },
        ],
      },
    ]);
  });

  it('declares in OpenAPI v3 the parameters that kubectl needs for validation and dry run', async () => {
    const index = await hub.call('GET', '/openapi/v3');
    const { serverRelativeURL } = (
      index.body.paths as { [path: string]: { serverRelativeURL: string } }
    )['apis/argoproj.io/v1alpha1'];
    const { body } = await hub.call('GET', serverRelativeURL);
    const paths = body.paths as {
      [path: string]: { patch?: { parameters: { name: string }[] } };
    };
    const patch =
      paths[
        '/apis/argoproj.io/v1alpha1/namespaces/{namespace}/applications/{name}'
      ].patch;
    expect(patch?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['fieldValidation', 'dryRun', 'fieldManager']),
    );
    expect(patch).toMatchObject({
      'x-kubernetes-group-version-kind': {
        group: 'argoproj.io',
        version: 'v1alpha1',
        kind: 'Application',
      },
    });
  });

  it('answers every SelfSubjectAccessReview with allowed', async () => {
    const { body } = await hub.call(
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      { spec: { resourceAttributes: { verb: 'get', resource: 'secrets' } } },
    );
    expect(body.status).toEqual({ allowed: true });
  });
});
