import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import {
  GADGETS,
  HubUnderTest,
  JSON_PATCH,
  MERGE,
  WIDGETS,
} from '../hubUnderTest';
import { gadget, widget } from '../testObjects';

export function statusCases(contractCase: DeclareCase, hub: HubUnderTest) {
  const createWidget = (name: string) =>
    hub.create(WIDGETS, widget({}, { name }));
  const patchStatus = (name: string, patch: object) =>
    hub.call('PATCH', `${WIDGETS}/${name}/status`, patch, MERGE);

  contractCase('is ignored when the object is created', async () => {
    const { body } = await hub.call('POST', WIDGETS, {
      ...widget({}, { name: 'st-create' }),
      status: { phase: 'x' },
    });
    expect(body.status).toBeUndefined();
  });

  contractCase('is ignored when the object is updated', async () => {
    await createWidget('st-update');
    await patchStatus('st-update', { status: { phase: 'a' } });
    const after = await hub.merge(`${WIDGETS}/st-update`, {
      spec: { size: 2 },
      status: { phase: 'b' },
    });
    expect(after.status).toEqual({ phase: 'a' });
  });

  contractCase('is written through the subresource', async () => {
    const before = await createWidget('st-own');
    const { status, body } = await hub.call('PUT', `${WIDGETS}/st-own/status`, {
      ...before,
      status: { phase: 'a' },
    });
    expect([status, body.status]).toEqual([200, { phase: 'a' }]);
  });

  contractCase('does not increment the generation', async () => {
    await createWidget('st-generation');
    const { body } = await patchStatus('st-generation', {
      status: { phase: 'a' },
    });
    expect(body.metadata.generation).toBe(1);
  });

  contractCase('update does not change the spec', async () => {
    await createWidget('st-spec');
    const { body } = await patchStatus('st-spec', {
      spec: { size: 9 },
      status: { phase: 'a' },
    });
    expect(body.spec).not.toHaveProperty('size');
    expect(body.metadata.generation).toBe(1);
  });

  contractCase('update does not change labels and finalizers', async () => {
    await createWidget('st-labels');
    const { body } = await patchStatus('st-labels', {
      metadata: { labels: { a: 'b' }, finalizers: ['a.example/b'] },
      status: { phase: 'a' },
    });
    expect(body.metadata.labels).toBeUndefined();
    expect(body.metadata.finalizers).toBeUndefined();
  });

  contractCase('is read through the subresource', async () => {
    await createWidget('st-read');
    await patchStatus('st-read', { status: { phase: 'a' } });
    const { status, body } = await hub.get(`${WIDGETS}/st-read/status`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      metadata: { name: 'st-read' },
      spec: { title: 'abc' },
      status: { phase: 'a' },
    });
  });

  contractCase('is validated', async () => {
    await createWidget('st-invalid');
    const { status, body } = await patchStatus('st-invalid', {
      status: { phase: 5 },
    });
    expect(status).toBe(422);
    expect(body.message).toContain('status.phase: Invalid value: "integer"');
  });

  contractCase('is pruned', async () => {
    await createWidget('st-pruned');
    const { body } = await patchStatus('st-pruned', {
      status: { phase: 'a', unknown: 1 },
    });
    expect(body.status).toEqual({ phase: 'a' });
  });

  contractCase('refuses duplicate conditions', async () => {
    await createWidget('st-twice');
    const condition = { type: 'Ready', status: 'True' };
    const { status, body } = await patchStatus('st-twice', {
      status: { conditions: [condition, condition] },
    });
    expect(status).toBe(422);
    expect(body.message).toContain(
      'status.conditions[1]: Duplicate value: {"type":"Ready"}',
    );
  });

  contractCase('accepts JSON patches', async () => {
    await createWidget('st-json');
    const { body } = await hub.call(
      'PATCH',
      `${WIDGETS}/st-json/status`,
      [{ op: 'add', path: '/status', value: { phase: 'a' } }],
      JSON_PATCH,
    );
    expect(body.status).toEqual({ phase: 'a' });
  });

  contractCase('update requires the current resourceVersion', async () => {
    const before = await createWidget('st-stale');
    await hub.merge(`${WIDGETS}/st-stale`, { spec: { size: 2 } });
    const { status } = await hub.call('PUT', `${WIDGETS}/st-stale/status`, {
      ...before,
      status: { phase: 'a' },
    });
    expect(status).toBe(409);
  });

  contractCase('records its manager separately', async () => {
    await createWidget('st-writer');
    const { body } = await patchStatus('st-writer', { status: { phase: 'a' } });
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({
        manager: 'contract',
        subresource: 'status',
        fieldsV1: { 'f:status': { '.': {}, 'f:phase': {} } },
      }),
    );
  });

  contractCase('cannot be created through the subresource', async () => {
    await createWidget('st-post');
    const { status } = await hub.call(
      'POST',
      `${WIDGETS}/st-post/status`,
      widget({}, { name: 'st-post' }),
    );
    expect(status).toBe(405);
  });

  contractCase('is an ordinary field without the subresource', async () => {
    const name = `st-${RUN}`;
    const { status } = await hub.create(
      GADGETS,
      gadget(name, { status: { any: 'thing' } }),
    );
    expect(status).toEqual({ any: 'thing' });
    await hub.call('DELETE', `${GADGETS}/${name}`);
  });

  contractCase('of a namespace can be patched', async () => {
    const name = `st-ns-${RUN}`;
    await hub.create('/api/v1/namespaces', { metadata: { name } });
    const { status } = await hub.call(
      'PATCH',
      `/api/v1/namespaces/${name}/status`,
      { status: { conditions: [{ type: 'Odd', status: 'True' }] } },
      MERGE,
    );
    expect(status).toBe(200);
    await hub.call('DELETE', `/api/v1/namespaces/${name}`);
  });
}
