import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import {
  CONFIG_MAPS,
  GADGETS,
  HubUnderTest,
  MERGE,
  NAMESPACE,
  OLD_WIDGETS,
  SECRETS,
  WIDGETS,
} from '../hubUnderTest';
import { configMap, gadget, WIDGET_TYPE, widget } from '../testObjects';

const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export function objectCases(contractCase: DeclareCase, hub: HubUnderTest) {
  contractCase('creates an object and returns it', async () => {
    const { status, body } = await hub.call('POST', CONFIG_MAPS, {
      ...configMap('created'),
      data: { a: 'b' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'created',
        namespace: NAMESPACE,
        uid: expect.stringMatching(UID),
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: expect.stringMatching(SECONDS),
      },
      data: { a: 'b' },
    });
    expect(body.metadata.generation).toBeUndefined();
  });

  contractCase('returns a created object', async () => {
    const created = await hub.create(CONFIG_MAPS, configMap('got'));
    const { status, body } = await hub.get(`${CONFIG_MAPS}/got`);
    expect(status).toBe(200);
    expect(body).toEqual(created);
  });

  contractCase(
    'accepts the creation of a custom object at the path of its name',
    async () => {
      const { status, body } = await hub.call(
        'POST',
        `${WIDGETS}/at-its-name`,
        widget({}, { name: 'at-its-name' }),
      );
      expect(status).toBe(201);
      expect(body.metadata.name).toBe('at-its-name');
    },
  );

  contractCase('ignores the namespace of a cluster-scoped object', async () => {
    const name = `lost-${RUN}`;
    const { status, body } = await hub.call('POST', GADGETS, {
      ...gadget(name),
      metadata: { name, namespace: 'default' },
    });
    expect(status).toBe(201);
    expect(body.metadata.namespace).toBeUndefined();
    await hub.call('DELETE', `${GADGETS}/${name}`);
  });

  contractCase('reads YAML', async () => {
    const { status, body } = await hub.call(
      'POST',
      CONFIG_MAPS,
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n',
      { 'content-type': 'application/yaml' },
    );
    expect(status).toBe(201);
    expect(body.data).toEqual({ a: '1' });
  });

  contractCase('writes YAML', async () => {
    await hub.create(CONFIG_MAPS, configMap('as-yaml'));
    const response = await hub.get(`${CONFIG_MAPS}/as-yaml`, {
      accept: 'application/yaml',
    });
    expect(response.headers['content-type']).toBe('application/yaml');
    expect(response.text).toMatch(/^kind: ConfigMap$/m);
  });

  contractCase('replaces an object', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, {
      ...configMap('replaced'),
      data: { a: '1', b: '2' },
    });
    const { status, body } = await hub.call('PUT', `${CONFIG_MAPS}/replaced`, {
      ...configMap('replaced', { resourceVersion: metadata.resourceVersion }),
      data: { b: '3' },
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({ b: '3' });
    expect(body.metadata.uid).toBe(metadata.uid);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(
      Number(metadata.resourceVersion),
    );
  });

  contractCase('replaces a built-in object unconditionally', async () => {
    await hub.create(CONFIG_MAPS, configMap('unconditional'));
    const { status } = await hub.call('PUT', `${CONFIG_MAPS}/unconditional`, {
      ...configMap('unconditional'),
      data: { a: '1' },
    });
    expect(status).toBe(200);
  });

  contractCase('writes nothing when nothing changes', async () => {
    const before = await hub.create(WIDGETS, widget({}, { name: 'same' }));
    const { body } = await hub.call('PUT', `${WIDGETS}/same`, before);
    expect(body.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  contractCase('creates a Lease on update', async () => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/by-put`;
    const { status, body } = await hub.call('PUT', path, {
      metadata: { name: 'by-put' },
      spec: { holderIdentity: 'me' },
    });
    expect(status).toBe(201);
    expect(body.spec).toEqual({ holderIdentity: 'me' });
  });

  contractCase('converts the stringData of a Secret into data', async () => {
    const body = await hub.create(SECRETS, {
      ...configMap('plain'),
      stringData: { a: 'hello' },
      data: { b: 'dw==' },
    });
    expect(body.data).toEqual({ a: 'aGVsbG8=', b: 'dw==' });
    expect(body).not.toHaveProperty('stringData');
    expect(body.type).toBe('Opaque');
  });

  contractCase('refuses a change of an immutable ConfigMap', async () => {
    await hub.create(CONFIG_MAPS, {
      ...configMap('immutable'),
      immutable: true,
      data: { a: '1' },
    });
    const { status, body } = await hub.call('PUT', `${CONFIG_MAPS}/immutable`, {
      ...configMap('immutable'),
      immutable: true,
      data: { a: '2' },
    });
    expect(status).toBe(422);
    expect(body.message).toBe(
      'ConfigMap "immutable" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    );
  });

  contractCase('serves an object in every version', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'versioned' }));
    const { body, headers } = await hub.get(`${OLD_WIDGETS}/versioned`);
    expect(body.apiVersion).toBe(`${WIDGET_TYPE.apiVersion}beta1`);
    expect(headers.warning).toBe('299 - "use v1, not v1beta1"');
  });

  contractCase('labels a namespace with its name', async () => {
    const { body } = await hub.get(`/api/v1/namespaces/${NAMESPACE}`);
    expect(body.metadata.labels).toEqual({
      'kubernetes.io/metadata.name': NAMESPACE,
    });
    expect(body.spec).toEqual({ finalizers: ['kubernetes'] });
    expect(body.status).toEqual({ phase: 'Active' });
  });

  contractCase('has the namespaces that every cluster has', async () => {
    for (const name of ['default', 'kube-system', 'kube-public']) {
      expect((await hub.get(`/api/v1/namespaces/${name}`)).status).toBe(200);
    }
  });

  contractCase('returns protobuf on request', async () => {
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const { headers } = await hub.get(`${CONFIG_MAPS}?limit=1`, {
      accept: `${protobuf},application/json`,
    });
    expect(headers['content-type']).toBe(protobuf);
  });

  contractCase('returns only the metadata on request', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'partial' }));
    const { body } = await hub.get(`${WIDGETS}/partial`, {
      accept:
        'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json',
    });
    expect(body).toMatchObject({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata: { name: 'partial' },
    });
    expect(body).not.toHaveProperty('spec');
  });

  contractCase(
    'returns only the metadata after a patch on request',
    async () => {
      await hub.create(WIDGETS, widget({}, { name: 'partly-answered' }));
      const { status, body } = await hub.call(
        'PATCH',
        `${WIDGETS}/partly-answered`,
        { spec: { title: 'changed' } },
        {
          ...MERGE,
          accept:
            'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
        },
      );
      expect(status).toBe(200);
      expect(body.kind).toBe('PartialObjectMetadata');
      expect(body).not.toHaveProperty('spec');
      const { body: stored } = await hub.get(`${WIDGETS}/partly-answered`);
      expect(stored.spec).toMatchObject({ title: 'changed' });
      expect(stored.metadata).toEqual(body.metadata);
    },
  );
}
