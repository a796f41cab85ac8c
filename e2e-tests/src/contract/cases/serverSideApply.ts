import { DeclareCase } from '../contractCase';
import { APPLY, CONFIG_MAPS, HubUnderTest, JSON_PATCH } from '../hubUnderTest';
import { appliedConfigMap, configMap } from '../testObjects';

export function serverSideApplyCases(
  contractCase: DeclareCase,
  hub: HubUnderTest,
) {
  const apply = (
    name: string,
    manager: string,
    data: object,
    query = '',
    more = {},
  ) =>
    hub.call(
      'PATCH',
      `${CONFIG_MAPS}/${name}?fieldManager=${manager}${query}`,
      appliedConfigMap(name, data, more),
      APPLY,
    );

  contractCase('creates a missing object', async () => {
    const { status, body } = await apply('applied', 'one', { a: '1' });
    expect(status).toBe(201);
    expect(body.metadata.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'v1',
        time: expect.any(String),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      },
    ]);
  });

  contractCase('reads YAML', async () => {
    const { status, body } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/applied-yaml?fieldManager=one`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied-yaml\ndata:\n  a: "1"\n',
      APPLY,
    );
    expect([status, body.data]).toEqual([201, { a: '1' }]);
  });

  contractCase('updates an applied field', async () => {
    await apply('changed', 'one', { a: '1' });
    const { status, body } = await apply('changed', 'one', { a: '2' });
    expect([status, body.data]).toEqual([200, { a: '2' }]);
  });

  contractCase('removes a field that is no longer applied', async () => {
    await apply('removed', 'one', { a: '1', b: '1' });
    const { body } = await apply('removed', 'one', { b: '1' });
    expect(body.data).toEqual({ b: '1' });
  });

  contractCase('keeps fields of other managers', async () => {
    await apply('others', 'one', { a: '1' });
    await hub.merge(`${CONFIG_MAPS}/others`, { data: { b: '2' } });
    const { body } = await apply('others', 'one', { a: '3' });
    expect(body.data).toEqual({ a: '3', b: '2' });
  });

  contractCase('writes nothing when nothing changes', async () => {
    const first = await apply('unchanged', 'one', { a: '1' });
    const second = await apply('unchanged', 'one', { a: '1' });
    expect(second.body.metadata.resourceVersion).toBe(
      first.body.metadata.resourceVersion,
    );
  });

  contractCase('reports a conflict with another manager', async () => {
    await apply('contested', 'one', { a: '1' });
    const { status, body } = await apply('contested', 'two', { a: '2' });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "one"',
            field: '.data.a',
          },
        ],
      },
    });
  });

  contractCase('lists every conflict', async () => {
    await apply('contested-2', 'one', { a: '1', b: '1' });
    const { body } = await apply('contested-2', 'two', { a: '2', b: '2' });
    expect(body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .data.a\n- .data.b',
    );
  });

  contractCase('names the API version of a conflicting update', async () => {
    await hub.create(`${CONFIG_MAPS}?fieldManager=one`, {
      metadata: { name: 'contested-3' },
      data: { a: '1' },
    });
    const { body } = await apply('contested-3', 'two', { a: '2' });
    expect(body.message).toMatch(
      /^Apply failed with 1 conflict: conflict with "one" using v1: .data.a$/,
    );
  });

  contractCase('takes over fields with force', async () => {
    await apply('forced', 'one', { a: '1', b: '1' });
    const { status, body } = await apply(
      'forced',
      'two',
      { a: '2' },
      '&force=true',
    );
    expect([status, body.data]).toEqual([200, { a: '2', b: '1' }]);
    expect(
      body.metadata.managedFields!.map(({ manager, fieldsV1 }) => [
        manager,
        fieldsV1,
      ]),
    ).toEqual([
      ['one', { 'f:data': { 'f:b': {} } }],
      ['two', { 'f:data': { 'f:a': {} } }],
    ]);
  });

  contractCase(
    'shares fields that two managers apply with the same value',
    async () => {
      await apply('shared', 'one', { a: '1' });
      const { status, body } = await apply('shared', 'two', { a: '1' });
      expect(status).toBe(200);
      expect(body.metadata.managedFields).toHaveLength(2);
    },
  );

  contractCase('keeps a field that another manager still applies', async () => {
    await apply('shared-kept', 'one', { a: '1', b: '1' });
    await apply('shared-kept', 'two', { a: '1' });
    const { body } = await apply('shared-kept', 'one', { b: '1' });
    expect(body.data).toEqual({ a: '1', b: '1' });
  });

  contractCase('loses a field that another manager updates', async () => {
    await apply('lost', 'one', { a: '1' });
    const { metadata } = await hub.merge(
      `${CONFIG_MAPS}/lost?fieldManager=editor`,
      { data: { a: '2' } },
    );
    expect(metadata.managedFields!.map(({ manager }) => manager)).toEqual([
      'editor',
    ]);
  });

  contractCase('restores a field that a JSON patch removed', async () => {
    await apply('patched', 'one', { a: '1', b: '1' });
    await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/patched?fieldManager=editor`,
      [{ op: 'remove', path: '/data/a' }],
      JSON_PATCH,
    );
    const { body } = await apply('patched', 'one', { a: '1', b: '1' });
    expect(body.data).toEqual({ a: '1', b: '1' });
  });

  contractCase(
    'updates last-applied-configuration for kubectl only',
    async () => {
      const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
      await hub.create(
        CONFIG_MAPS,
        configMap('last', { annotations: { [annotation]: '{}' } }),
      );
      const others = await apply('last', 'one', { a: '1' });
      expect(others.body.metadata.annotations).toEqual({ [annotation]: '{}' });
      const { body } = await apply('last', 'kubectl', { b: '2' });
      expect(body.metadata.annotations).toEqual({
        [annotation]:
          '{"apiVersion":"v1","data":{"b":"2"},"kind":"ConfigMap","metadata":{"name":"last"}}\n',
      });
    },
  );

  contractCase('refuses an outdated resourceVersion', async () => {
    await apply('revised', 'one', { a: '1' });
    const { status } = await apply('revised', 'one', { a: '2' }, '', {
      resourceVersion: '1',
    });
    expect(status).toBe(409);
  });
}
