import { eventually } from '../../polling';
import { DeclareCase } from '../contractCase';
import { GROUP } from '../definitions';
import { HubUnderTest } from '../hubUnderTest';

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

export function discoveryCases(contractCase: DeclareCase, hub: HubUnderTest) {
  contractCase('reports the Kubernetes version', async () => {
    const { status, body } = await hub.get('/version');
    expect(status).toBe(200);
    expect(body).toMatchObject({ major: '1', minor: expect.any(String) });
  });

  contractCase('reports that it is healthy', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      const { status, text } = await hub.get(path);
      expect([status, text]).toEqual([200, 'ok']);
    }
  });

  contractCase('lists the versions of the core group', async () => {
    const { body } = await hub.get('/api');
    expect(body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  });

  contractCase('lists core resources with their verbs', async () => {
    const { body } = await hub.get('/api/v1');
    expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
    const found = body.resources.find(({ name }) => name === 'configmaps');
    expect(found).toMatchObject({
      singularName: 'configmap',
      namespaced: true,
      kind: 'ConfigMap',
      shortNames: ['cm'],
    });
    expect([...(found!.verbs as string[])].sort()).toEqual(VERBS);
  });

  contractCase(
    'lists namespaces without the verb deletecollection',
    async () => {
      const { body } = await hub.get('/api/v1');
      const found = body.resources.find(({ name }) => name === 'namespaces');
      expect(found).toMatchObject({ namespaced: false, shortNames: ['ns'] });
      expect(found!.verbs).not.toContain('deletecollection');
    },
  );

  contractCase('lists the status subresource of namespaces', async () => {
    const { body } = await hub.get('/api/v1');
    expect(body.resources).toContainEqual(
      expect.objectContaining({
        name: 'namespaces/status',
        kind: 'Namespace',
        verbs: ['get', 'patch', 'update'],
      }),
    );
  });

  contractCase('lists the group of a definition', async () => {
    const { body } = await hub.get('/apis');
    expect(body.kind).toBe('APIGroupList');
    expect(body.groups).toContainEqual({
      name: GROUP,
      versions: [
        { groupVersion: `${GROUP}/v1`, version: 'v1' },
        { groupVersion: `${GROUP}/v1beta1`, version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: `${GROUP}/v1`, version: 'v1' },
    });
  });

  contractCase('describes one group', async () => {
    const { body } = await hub.get(`/apis/${GROUP}`);
    expect(body).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: GROUP,
      versions: [
        { groupVersion: `${GROUP}/v1`, version: 'v1' },
        { groupVersion: `${GROUP}/v1beta1`, version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: `${GROUP}/v1`, version: 'v1' },
    });
  });

  contractCase('lists the resources of one version', async () => {
    const { body } = await hub.get(`/apis/${GROUP}/v1`);
    const names = body.resources.map(({ name }) => name);
    expect([...names].sort()).toEqual(['gadgets', 'widgets', 'widgets/status']);
    expect(body.resources).toContainEqual(
      expect.objectContaining({
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        shortNames: ['wdg'],
        categories: ['contract'],
      }),
    );
  });

  contractCase('lists status subresources only where they exist', async () => {
    const { body } = await hub.get(`/apis/${GROUP}/v1`);
    const status = body.resources.find(({ name }) => name === 'widgets/status');
    expect(status).toMatchObject({
      singularName: '',
      kind: 'Widget',
      verbs: ['get', 'patch', 'update'],
    });
  });

  contractCase('returns everything in one response on request', async () => {
    const { headers, body } = await hub.get('/apis', { accept: AGGREGATED });
    expect(headers['content-type']).toBe(AGGREGATED);
    expect(body).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
    });
    const group = body.items.find(({ metadata }) => metadata.name === GROUP)!;
    expect(group.versions).toMatchObject([
      {
        version: 'v1',
        freshness: 'Current',
        resources: expect.arrayContaining([
          expect.objectContaining({
            resource: 'widgets',
            responseKind: { group: GROUP, version: 'v1', kind: 'Widget' },
            scope: 'Namespaced',
            singularResource: 'widget',
            shortNames: ['wdg'],
            categories: ['contract'],
          }),
        ]),
      },
      { version: 'v1beta1' },
    ]);
  });

  contractCase('falls back to unaggregated discovery', async () => {
    const { body } = await hub.get('/apis', {
      accept: `${AGGREGATED.replace('v=v2', 'v=v9')},application/json`,
    });
    expect(body.kind).toBe('APIGroupList');
  });

  contractCase('publishes the schema of a definition', async () => {
    // The schema is published shortly after the definition.
    const { body } = await eventually(
      () => hub.get(`/openapi/v3/apis/${GROUP}/v1`),
      ({ status, text }) => status === 200 && text.includes('"Widget"'),
    );
    const { schemas } = body.components as { schemas: object };
    expect(JSON.stringify(schemas)).toContain('"kind":"Widget"');
    expect(Object.keys(body.paths as object)).toContain(
      `/apis/${GROUP}/v1/namespaces/{namespace}/widgets`,
    );
  });

  contractCase('refuses requests without credentials', async () => {
    const { status, body } = await hub.get('/api', {
      authorization: 'Bearer unknown',
    });
    expect([status, body.reason]).toEqual([401, 'Unauthorized']);
  });

  contractCase('describes the built-in kinds', async () => {
    const { body } = await hub.get('/openapi/v3/api/v1');
    const { schemas } = body.components as { schemas: object };
    expect(Object.keys(schemas)).toContain('io.k8s.api.core.v1.ConfigMap');
    expect(JSON.stringify(schemas)).toContain('binaryData');
  });

  contractCase('accepts SelfSubjectAccessReviews', async () => {
    const { status, body } = await hub.call(
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb: 'list', resource: 'configmaps' } },
      },
    );
    expect(status).toBe(201);
    expect(body.status).toMatchObject({ allowed: true });
  });
}
