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
  const made = (name: string) => hub.create(WIDGETS, widget({}, { name }));
  const patchStatus = (name: string, patch: object) =>
    hub.call('PATCH', `${WIDGETS}/${name}/status`, patch, MERGE);

  contractCase('is not written with the object', async () => {
    const { body } = await hub.call('POST', WIDGETS, {
      ...widget({}, { name: 'st-create' }),
      status: { phase: 'x' },
    });
    expect(body.status).toBeUndefined();
  });

  contractCase('is not changed with the object', async () => {
    await made('st-update');
    await patchStatus('st-update', { status: { phase: 'a' } });
    const after = await hub.merge(`${WIDGETS}/st-update`, {
      spec: { size: 2 },
      status: { phase: 'b' },
    });
    expect(after.status).toEqual({ phase: 'a' });
  });

  contractCase('is written at its own address', async () => {
    const before = await made('st-own');
    const { status, body } = await hub.call('PUT', `${WIDGETS}/st-own/status`, {
      ...before,
      status: { phase: 'a' },
    });
    expect([status, body.status]).toEqual([200, { phase: 'a' }]);
  });

  contractCase('does not count as a generation', async () => {
    await made('st-generation');
    const { body } = await patchStatus('st-generation', {
      status: { phase: 'a' },
    });
    expect(body.metadata.generation).toBe(1);
  });

  contractCase('leaves the spec as it is', async () => {
    await made('st-spec');
    const { body } = await patchStatus('st-spec', {
      spec: { size: 9 },
      status: { phase: 'a' },
    });
    expect(body.spec).not.toHaveProperty('size');
    expect(body.metadata.generation).toBe(1);
  });

  contractCase('leaves labels and finalizers as they are', async () => {
    await made('st-labels');
    const { body } = await patchStatus('st-labels', {
      metadata: { labels: { a: 'b' }, finalizers: ['a.example/b'] },
      status: { phase: 'a' },
    });
    expect(body.metadata.labels).toBeUndefined();
    expect(body.metadata.finalizers).toBeUndefined();
  });

  contractCase('is read at its own address', async () => {
    await made('st-read');
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
    await made('st-invalid');
    const { status, body } = await patchStatus('st-invalid', {
      status: { phase: 5 },
    });
    expect(status).toBe(422);
    expect(body.message).toContain('status.phase: Invalid value: "integer"');
  });

  contractCase('is pruned', async () => {
    await made('st-pruned');
    const { body } = await patchStatus('st-pruned', {
      status: { phase: 'a', unknown: 1 },
    });
    expect(body.status).toEqual({ phase: 'a' });
  });

  contractCase('refuses the same condition twice', async () => {
    await made('st-twice');
    const condition = { type: 'Ready', status: 'True' };
    const { status, body } = await patchStatus('st-twice', {
      status: { conditions: [condition, condition] },
    });
    expect(status).toBe(422);
    expect(body.message).toContain(
      'status.conditions[1]: Duplicate value: {"type":"Ready"}',
    );
  });

  contractCase('takes JSON patches', async () => {
    await made('st-json');
    const { body } = await hub.call(
      'PATCH',
      `${WIDGETS}/st-json/status`,
      [{ op: 'add', path: '/status', value: { phase: 'a' } }],
      JSON_PATCH,
    );
    expect(body.status).toEqual({ phase: 'a' });
  });

  contractCase('holds to the revision', async () => {
    const before = await made('st-stale');
    await hub.merge(`${WIDGETS}/st-stale`, { spec: { size: 2 } });
    const { status } = await hub.call('PUT', `${WIDGETS}/st-stale/status`, {
      ...before,
      status: { phase: 'a' },
    });
    expect(status).toBe(409);
  });

  contractCase('records its writer apart', async () => {
    await made('st-writer');
    const { body } = await patchStatus('st-writer', { status: { phase: 'a' } });
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({
        manager: 'contract',
        subresource: 'status',
        fieldsV1: { 'f:status': { '.': {}, 'f:phase': {} } },
      }),
    );
  });

  contractCase('is not created at its address', async () => {
    await made('st-post');
    const { status } = await hub.call(
      'POST',
      `${WIDGETS}/st-post/status`,
      widget({}, { name: 'st-post' }),
    );
    expect(status).toBe(405);
  });

  contractCase(
    'is an ordinary field where there is no subresource',
    async () => {
      const name = `st-${RUN}`;
      const { status } = await hub.create(
        GADGETS,
        gadget(name, { status: { any: 'thing' } }),
      );
      expect(status).toEqual({ any: 'thing' });
      await hub.call('DELETE', `${GADGETS}/${name}`);
    },
  );

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
