import { DeclareCase } from '../contractCase';
import { APPLY, CONFIG_MAPS, HubUnderTest, WIDGETS } from '../hubUnderTest';
import { WIDGET_TYPE, widget } from '../testObjects';

/** How server-side apply merges maps, lists and the status. */
export function serverSideApplyMergeCases(
  contractCase: DeclareCase,
  hub: HubUnderTest,
) {
  const applySpec = (name: string, manager: string, spec: object, query = '') =>
    hub.call(
      'PATCH',
      `${WIDGETS}/${name}?fieldManager=${manager}${query}`,
      { ...WIDGET_TYPE, metadata: { name }, spec: { title: 'abc', ...spec } },
      APPLY,
    );

  contractCase('owns each label separately', async () => {
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

  contractCase('merges list maps item by item', async () => {
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

  contractCase('names conflicts in list maps by key', async () => {
    await applySpec('keyed-2', 'one', { parts: [{ name: 'a', count: 2 }] });
    const { status, body } = await applySpec('keyed-2', 'two', {
      parts: [{ name: 'a', count: 3 }],
    });
    expect(status).toBe(409);
    expect(body.message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.parts[name="a"].count',
    );
  });

  contractCase('records items of list maps by key', async () => {
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

  contractCase('treats other lists as atomic', async () => {
    await applySpec('list', 'one', { steps: [{ run: 'a' }] });
    const { status, body } = await applySpec('list', 'two', {
      steps: [{ run: 'b' }],
    });
    expect(status).toBe(409);
    expect(body.message).toMatch(/: \.spec\.steps$/);
  });

  contractCase('treats atomic maps as one field', async () => {
    await applySpec('atomic', 'one', { choice: { a: '1' } });
    const { status, body } = await applySpec('atomic', 'two', {
      choice: { b: '1' },
    });
    expect(status).toBe(409);
    expect(body.message).toMatch(/: \.spec\.choice$/);
  });

  contractCase('does not own defaulted fields', async () => {
    const { body } = await applySpec('defaulted', 'one', {});
    expect(body.spec).toMatchObject({ replicas: 1 });
    expect(body.metadata.managedFields![0].fieldsV1).toEqual({
      'f:spec': { 'f:title': {} },
    });
  });

  contractCase('increments the generation on changes', async () => {
    await applySpec('generation', 'one', { size: 1 });
    const same = await applySpec('generation', 'one', { size: 1 });
    const other = await applySpec('generation', 'one', { size: 2 });
    expect([same, other].map(({ body }) => body.metadata.generation)).toEqual([
      1, 2,
    ]);
  });

  contractCase('ignores a status outside the status subresource', async () => {
    const { status, body } = await hub.call(
      'PATCH',
      `${WIDGETS}/no-status?fieldManager=one`,
      { ...widget({}, { name: 'no-status' }), status: { phase: 'x' } },
      APPLY,
    );
    expect(status).toBe(201);
    expect(body.status).toBeUndefined();
  });

  contractCase('applies to the status subresource', async () => {
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

  contractCase('merges the conditions of two managers', async () => {
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
}
