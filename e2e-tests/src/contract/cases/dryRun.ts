import { DeclareCase } from '../contractCase';
import {
  APPLY,
  CONFIG_MAPS,
  HubUnderTest,
  MERGE,
  WIDGETS,
} from '../hubUnderTest';
import { appliedConfigMap, configMap, widget } from '../testObjects';

export function dryRunCases(contractCase: DeclareCase, hub: HubUnderTest) {
  const expectUnchanged = async (path: string, before: unknown) =>
    expect((await hub.get(path)).body).toEqual(before);

  contractCase(
    'of a create returns the object and stores nothing',
    async () => {
      const { status, body } = await hub.call(
        'POST',
        `${WIDGETS}?dryRun=All`,
        widget({}, { name: 'dry' }),
      );
      expect(status).toBe(201);
      expect(body.spec).toHaveProperty('replicas', 1);
      expect(body.metadata.uid).toBeTruthy();
      expect(body.metadata.resourceVersion).toBeUndefined();
      expect((await hub.get(`${WIDGETS}/dry`)).status).toBe(404);
    },
  );

  contractCase('of a create refuses an invalid object', async () => {
    const { status } = await hub.call(
      'POST',
      `${WIDGETS}?dryRun=All`,
      widget({ size: 99 }),
    );
    expect(status).toBe(422);
  });

  contractCase('of a create refuses an existing name', async () => {
    await hub.create(CONFIG_MAPS, configMap('dry-there'));
    const { status } = await hub.call(
      'POST',
      `${CONFIG_MAPS}?dryRun=All`,
      configMap('dry-there'),
    );
    expect(status).toBe(409);
  });

  contractCase('of an update changes nothing', async () => {
    const before = await hub.create(WIDGETS, widget({}, { name: 'dry-put' }));
    const { status, body } = await hub.call(
      'PUT',
      `${WIDGETS}/dry-put?dryRun=All`,
      { ...before, spec: { ...before.spec, size: 2 } },
    );
    expect(status).toBe(200);
    expect(body.spec).toHaveProperty('size', 2);
    await expectUnchanged(`${WIDGETS}/dry-put`, before);
  });

  contractCase('of a patch changes nothing', async () => {
    const before = await hub.create(CONFIG_MAPS, configMap('dry-patch'));
    const { status, body } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/dry-patch?dryRun=All`,
      { data: { a: '1' } },
      MERGE,
    );
    expect([status, body.data]).toEqual([200, { a: '1' }]);
    await expectUnchanged(`${CONFIG_MAPS}/dry-patch`, before);
  });

  contractCase('of an apply creates nothing', async () => {
    const { status } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/dry-apply?fieldManager=one&dryRun=All`,
      appliedConfigMap('dry-apply', { a: '1' }),
      APPLY,
    );
    expect(status).toBe(201);
    expect((await hub.get(`${CONFIG_MAPS}/dry-apply`)).status).toBe(404);
  });

  contractCase('of a delete deletes nothing', async () => {
    const before = await hub.create(CONFIG_MAPS, configMap('dry-delete'));
    const { status } = await hub.call(
      'DELETE',
      `${CONFIG_MAPS}/dry-delete?dryRun=All`,
    );
    expect(status).toBe(200);
    await expectUnchanged(`${CONFIG_MAPS}/dry-delete`, before);
  });

  contractCase('of a status patch changes nothing', async () => {
    const before = await hub.create(
      WIDGETS,
      widget({}, { name: 'dry-status' }),
    );
    const { body } = await hub.call(
      'PATCH',
      `${WIDGETS}/dry-status/status?dryRun=All`,
      { status: { phase: 'x' } },
      MERGE,
    );
    expect(body.status).toEqual({ phase: 'x' });
    await expectUnchanged(`${WIDGETS}/dry-status`, before);
  });
}
