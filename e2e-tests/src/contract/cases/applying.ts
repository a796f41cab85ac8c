import { DeclareCase } from '../contractCase';
import {
  APPLY,
  CONFIG_MAPS,
  HubUnderTest,
  JSON_PATCH,
  WIDGETS,
} from '../hubUnderTest';
import {
  appliedConfigMap,
  configMap,
  WIDGET_TYPE,
  widget,
} from '../testObjects';

export function applyCases(contractCase: DeclareCase, hub: HubUnderTest) {
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
  const applySpec = (name: string, manager: string, spec: object, query = '') =>
    hub.call(
      'PATCH',
      `${WIDGETS}/${name}?fieldManager=${manager}${query}`,
      { ...WIDGET_TYPE, metadata: { name }, spec: { title: 'abc', ...spec } },
      APPLY,
    );

  contractCase('creates what is not there', async () => {
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

  contractCase('changes what it applied', async () => {
    await apply('changed', 'one', { a: '1' });
    const { status, body } = await apply('changed', 'one', { a: '2' });
    expect([status, body.data]).toEqual([200, { a: '2' }]);
  });

  contractCase('removes what it no longer applies', async () => {
    await apply('removed', 'one', { a: '1', b: '1' });
    const { body } = await apply('removed', 'one', { b: '1' });
    expect(body.data).toEqual({ b: '1' });
  });

  contractCase('leaves what others wrote', async () => {
    await apply('others', 'one', { a: '1' });
    await hub.merge(`${CONFIG_MAPS}/others`, { data: { b: '2' } });
    const { body } = await apply('others', 'one', { a: '3' });
    expect(body.data).toEqual({ a: '3', b: '2' });
  });

  contractCase('writes nothing where nothing changes', async () => {
    const first = await apply('unchanged', 'one', { a: '1' });
    const second = await apply('unchanged', 'one', { a: '1' });
    expect(second.body.metadata.resourceVersion).toBe(
      first.body.metadata.resourceVersion,
    );
  });

  contractCase('refuses to take what another one applied', async () => {
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

  contractCase('names every conflict', async () => {
    await apply('contested-2', 'one', { a: '1', b: '1' });
    const { body } = await apply('contested-2', 'two', { a: '2', b: '2' });
    expect(body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .data.a\n- .data.b',
    );
  });

  contractCase('names the way in which another one wrote', async () => {
    await hub.create(`${CONFIG_MAPS}?fieldManager=one`, {
      metadata: { name: 'contested-3' },
      data: { a: '1' },
    });
    const { body } = await apply('contested-3', 'two', { a: '2' });
    expect(body.message).toMatch(
      /^Apply failed with 1 conflict: conflict with "one" using v1: .data.a$/,
    );
  });

  contractCase('takes by force', async () => {
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

  contractCase('shares what two apply alike', async () => {
    await apply('shared', 'one', { a: '1' });
    const { status, body } = await apply('shared', 'two', { a: '1' });
    expect(status).toBe(200);
    expect(body.metadata.managedFields).toHaveLength(2);
  });

  contractCase('keeps what another one still applies', async () => {
    await apply('shared-kept', 'one', { a: '1', b: '1' });
    await apply('shared-kept', 'two', { a: '1' });
    const { body } = await apply('shared-kept', 'one', { b: '1' });
    expect(body.data).toEqual({ a: '1', b: '1' });
  });

  contractCase('loses what another one updates', async () => {
    await apply('lost', 'one', { a: '1' });
    const { metadata } = await hub.merge(
      `${CONFIG_MAPS}/lost?fieldManager=editor`,
      { data: { a: '2' } },
    );
    expect(metadata.managedFields!.map(({ manager }) => manager)).toEqual([
      'editor',
    ]);
  });

  contractCase('owns labels one by one', async () => {
    const label = (manager: string, labels: object) =>
      hub.call(
        'PATCH',
        `${CONFIG_MAPS}/labelled?fieldManager=${manager}`,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'labelled', labels },
        },
        APPLY,
      );
    await label('one', { a: '1' });
    const { status, body } = await label('two', { b: '1' });
    expect(status).toBe(200);
    expect(body.metadata.labels).toEqual({ a: '1', b: '1' });
  });

  contractCase('merges keyed lists item by item', async () => {
    await applySpec('keyed', 'one', { parts: [{ name: 'a', count: 2 }] });
    const { status, body } = await applySpec('keyed', 'two', {
      parts: [{ name: 'b', count: 3 }],
    });
    expect(status).toBe(200);
    expect(body.spec.parts).toEqual([
      { name: 'a', count: 2 },
      { name: 'b', count: 3 },
    ]);
  });

  contractCase('names conflicts in keyed lists by their keys', async () => {
    await applySpec('keyed-2', 'one', { parts: [{ name: 'a', count: 2 }] });
    const { status, body } = await applySpec('keyed-2', 'two', {
      parts: [{ name: 'a', count: 3 }],
    });
    expect(status).toBe(409);
    expect(body.message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.parts[name="a"].count',
    );
  });

  contractCase('records keyed items with their keys', async () => {
    const { body } = await applySpec('keyed-3', 'one', {
      parts: [{ name: 'a', note: 'x' }],
    });
    expect(body.metadata.managedFields![0].fieldsV1).toEqual({
      'f:spec': {
        'f:title': {},
        'f:parts': {
          'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:note': {} },
        },
      },
    });
  });

  contractCase('merges sets', async () => {
    await applySpec('set', 'one', { tags: ['a'] });
    const { body } = await applySpec('set', 'two', { tags: ['b'] });
    expect(body.spec.tags).toEqual(['a', 'b']);
    const { body: after } = await applySpec('set', 'one', { tags: [] });
    expect(after.spec.tags).toEqual(['b']);
  });

  contractCase('takes other lists as a whole', async () => {
    await applySpec('list', 'one', { steps: [{ run: 'a' }] });
    const { status, body } = await applySpec('list', 'two', {
      steps: [{ run: 'b' }],
    });
    expect(status).toBe(409);
    expect(body.message).toMatch(/: \.spec\.steps$/);
  });

  contractCase('takes atomic maps as a whole', async () => {
    await applySpec('atomic', 'one', { choice: { a: '1' } });
    const { status, body } = await applySpec('atomic', 'two', {
      choice: { b: '1' },
    });
    expect(status).toBe(409);
    expect(body.message).toMatch(/: \.spec\.choice$/);
  });

  contractCase('does not own defaults', async () => {
    const { body } = await applySpec('defaulted', 'one', {});
    expect(body.spec).toMatchObject({ replicas: 1 });
    expect(body.metadata.managedFields![0].fieldsV1).toEqual({
      'f:spec': { 'f:title': {} },
    });
  });

  contractCase('counts an applied change as a generation', async () => {
    await applySpec('generation', 'one', { size: 1 });
    const same = await applySpec('generation', 'one', { size: 1 });
    const other = await applySpec('generation', 'one', { size: 2 });
    expect([same, other].map(({ body }) => body.metadata.generation)).toEqual([
      1, 2,
    ]);
  });

  contractCase('ignores a status beside the spec', async () => {
    const { status, body } = await hub.call(
      'PATCH',
      `${WIDGETS}/no-status?fieldManager=one`,
      { ...widget({}, { name: 'no-status' }), status: { phase: 'x' } },
      APPLY,
    );
    expect(status).toBe(201);
    expect(body.status).toBeUndefined();
  });

  contractCase('applies a status at its own address', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'status-applied' }));
    const { status, body } = await hub.call(
      'PATCH',
      `${WIDGETS}/status-applied/status?fieldManager=agent`,
      {
        ...WIDGET_TYPE,
        metadata: { name: 'status-applied' },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      },
      APPLY,
    );
    expect(status).toBe(200);
    expect(body.metadata.managedFields).toContainEqual({
      manager: 'agent',
      operation: 'Apply',
      apiVersion: WIDGET_TYPE.apiVersion,
      subresource: 'status',
      time: expect.any(String),
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:status': {
          'f:conditions': {
            'k:{"type":"Ready"}': { '.': {}, 'f:type': {}, 'f:status': {} },
          },
        },
      },
    });
  });

  contractCase('merges conditions of two writers', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'conditions' }));
    const applyCondition = (manager: string, type: string) =>
      hub.call(
        'PATCH',
        `${WIDGETS}/conditions/status?fieldManager=${manager}`,
        {
          ...WIDGET_TYPE,
          metadata: { name: 'conditions' },
          status: { conditions: [{ type, status: 'True' }] },
        },
        APPLY,
      );
    await applyCondition('one', 'Ready');
    const { body } = await applyCondition('two', 'Synced');
    expect(body.status).toEqual({
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Synced', status: 'True' },
      ],
    });
  });

  contractCase('survives a JSON patch of what it owns', async () => {
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

  contractCase('keeps true what kubectl says it applied last', async () => {
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
  });

  contractCase('refuses to apply to a revision that is gone', async () => {
    await apply('revised', 'one', { a: '1' });
    const { status } = await apply('revised', 'one', { a: '2' }, '', {
      resourceVersion: '1',
    });
    expect(status).toBe(409);
  });
}
