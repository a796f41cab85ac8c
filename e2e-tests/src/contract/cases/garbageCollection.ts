import { DeclareCase } from '../contractCase';
import { eventually } from '../../polling';
import { CONFIG_MAPS, HubUnderTest, SECRETS, WIDGETS } from '../hubUnderTest';
import { configMap, WIDGET_TYPE, widget } from '../testObjects';

export function garbageCollectionCases(
  declare: DeclareCase,
  hub: HubUnderTest,
) {
  const contractCase: DeclareCase = (title, run) =>
    declare(title, run, 'controllers');
  const expectDeleted = async (path: string) => {
    const { status } = await eventually(
      () => hub.get(path),
      response => response.status === 404,
    );
    expect(status).toBe(404);
  };
  /** Creates a Secret and a ConfigMap that it owns; returns the owner reference. */
  const createOwnerAndDependent = async (
    name: string,
    reference: object = {},
  ) => {
    const { metadata } = await hub.create(SECRETS, configMap(name));
    const owner = {
      apiVersion: 'v1',
      kind: 'Secret',
      name,
      uid: metadata.uid,
      ...reference,
    };
    await hub.create(
      CONFIG_MAPS,
      configMap(name, { ownerReferences: [owner] }),
    );
    return owner;
  };

  contractCase('deletes the dependents of a deleted owner', async () => {
    await createOwnerAndDependent('of-secret');
    await hub.call('DELETE', `${SECRETS}/of-secret`);
    await expectDeleted(`${CONFIG_MAPS}/of-secret`);
  });

  contractCase('deletes an object whose owner never existed', async () => {
    await hub.create(
      CONFIG_MAPS,
      configMap('without-owner', {
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Secret',
            name: 'missing',
            uid: 'b7e9a0b4-0000-4000-8000-000000000000',
          },
        ],
      }),
    );
    await expectDeleted(`${CONFIG_MAPS}/without-owner`);
  });

  contractCase('keeps an object that has another owner', async () => {
    const first = await createOwnerAndDependent('two-owners');
    const { metadata } = await hub.create(SECRETS, configMap('second-owner'));
    const second = { ...first, name: 'second-owner', uid: metadata.uid };
    await hub.merge(`${CONFIG_MAPS}/two-owners`, {
      metadata: { ownerReferences: [first, second] },
    });
    await hub.call('DELETE', `${SECRETS}/two-owners`);
    const { body } = await eventually(
      () => hub.get(`${CONFIG_MAPS}/two-owners`),
      response => response.body.metadata.ownerReferences?.length === 1,
    );
    expect(body.metadata.ownerReferences).toEqual([
      expect.objectContaining({ name: 'second-owner' }),
    ]);
  });

  contractCase('keeps dependents on request', async () => {
    await createOwnerAndDependent('orphaned');
    await hub.call('DELETE', `${SECRETS}/orphaned?propagationPolicy=Orphan`);
    await expectDeleted(`${SECRETS}/orphaned`);
    const { status, body } = await hub.get(`${CONFIG_MAPS}/orphaned`);
    expect(status).toBe(200);
    expect(body.metadata.ownerReferences).toBeUndefined();
  });

  contractCase(
    'deletes the dependents first with foreground propagation',
    async () => {
      await createOwnerAndDependent('foreground', { blockOwnerDeletion: true });
      await hub.merge(`${CONFIG_MAPS}/foreground`, {
        metadata: { finalizers: ['a.example/hold'] },
      });
      await hub.call(
        'DELETE',
        `${SECRETS}/foreground?propagationPolicy=Foreground`,
      );
      await eventually(
        () => hub.get(`${CONFIG_MAPS}/foreground`),
        ({ body }) => body.metadata.deletionTimestamp !== undefined,
      );
      const owner = await hub.get(`${SECRETS}/foreground`);
      expect(owner.body.metadata.finalizers).toEqual(['foregroundDeletion']);
      await hub.merge(`${CONFIG_MAPS}/foreground`, {
        metadata: { finalizers: null },
      });
      await expectDeleted(`${SECRETS}/foreground`);
    },
  );

  contractCase('deletes the dependents of a custom object', async () => {
    const { metadata } = await hub.create(
      WIDGETS,
      widget({}, { name: 'owner' }),
    );
    const reference = {
      ...WIDGET_TYPE,
      name: 'owner',
      uid: metadata.uid,
    };
    await hub.create(
      CONFIG_MAPS,
      configMap('of-widget', { ownerReferences: [reference] }),
    );
    await hub.create(
      WIDGETS,
      widget({}, { name: 'child', ownerReferences: [reference] }),
    );
    await hub.call('DELETE', `${WIDGETS}/owner`);
    await expectDeleted(`${CONFIG_MAPS}/of-widget`);
    await expectDeleted(`${WIDGETS}/child`);
  });
}
