import { DeclareCase } from '../contractCase';
import { eventually } from '../../polling';
import {
  CONFIG_MAPS,
  CONTROLLER_TIMEOUT_MS,
  HubUnderTest,
  SECRETS,
  WIDGETS,
} from '../hubUnderTest';
import { configMap, WIDGET_TYPE, widget } from '../testObjects';

export function garbageCases(declare: DeclareCase, hub: HubUnderTest) {
  const contractCase: DeclareCase = (title, run) =>
    declare(title, run, 'controllers');
  const gone = async (path: string) => {
    const { status } = await eventually(
      () => hub.get(path),
      answer => answer.status === 404,
      CONTROLLER_TIMEOUT_MS,
    );
    expect(status).toBe(404);
  };
  /** A Secret with a ConfigMap that it owns. */
  const family = async (name: string, reference: object = {}) => {
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

  contractCase('collects what belonged to what is gone', async () => {
    await family('family');
    await hub.call('DELETE', `${SECRETS}/family`);
    await gone(`${CONFIG_MAPS}/family`);
  });

  contractCase('collects what never had the owner it names', async () => {
    await hub.create(
      CONFIG_MAPS,
      configMap('foundling', {
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Secret',
            name: 'nobody',
            uid: 'b7e9a0b4-0000-4000-8000-000000000000',
          },
        ],
      }),
    );
    await gone(`${CONFIG_MAPS}/foundling`);
  });

  contractCase('keeps what has another owner', async () => {
    const first = await family('half-orphan');
    const { metadata } = await hub.create(SECRETS, configMap('step-parent'));
    const second = { ...first, name: 'step-parent', uid: metadata.uid };
    await hub.merge(`${CONFIG_MAPS}/half-orphan`, {
      metadata: { ownerReferences: [first, second] },
    });
    await hub.call('DELETE', `${SECRETS}/half-orphan`);
    const { body } = await eventually(
      () => hub.get(`${CONFIG_MAPS}/half-orphan`),
      answer => answer.body.metadata.ownerReferences?.length === 1,
      CONTROLLER_TIMEOUT_MS,
    );
    expect(body.metadata.ownerReferences).toEqual([
      expect.objectContaining({ name: 'step-parent' }),
    ]);
  });

  contractCase('leaves orphans where asked', async () => {
    await family('orphaned');
    await hub.call('DELETE', `${SECRETS}/orphaned?propagationPolicy=Orphan`);
    await gone(`${SECRETS}/orphaned`);
    const { status, body } = await hub.get(`${CONFIG_MAPS}/orphaned`);
    expect(status).toBe(200);
    expect(body.metadata.ownerReferences).toBeUndefined();
  });

  contractCase('deletes the dependents first, in the foreground', async () => {
    await family('foreground', { blockOwnerDeletion: true });
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
      CONTROLLER_TIMEOUT_MS,
    );
    const owner = await hub.get(`${SECRETS}/foreground`);
    expect(owner.body.metadata.finalizers).toEqual(['foregroundDeletion']);
    await hub.merge(`${CONFIG_MAPS}/foreground`, {
      metadata: { finalizers: null },
    });
    await gone(`${SECRETS}/foreground`);
  });

  contractCase('collects what a custom object owned', async () => {
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
    await gone(`${CONFIG_MAPS}/of-widget`);
    await gone(`${WIDGETS}/child`);
  });
}
