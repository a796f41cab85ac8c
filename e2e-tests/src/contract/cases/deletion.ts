import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import { eventually } from '../../polling';
import {
  CONFIG_MAPS,
  HubUnderTest,
  MERGE,
  NAMESPACES,
  WIDGETS,
} from '../hubUnderTest';
import { configMap, widget } from '../testObjects';

const FINALIZER = 'a.example/hold';

export function deletionCases(contractCase: DeclareCase, hub: HubUnderTest) {
  const createWithFinalizer = (name: string) =>
    hub.create(WIDGETS, widget({}, { name, finalizers: [FINALIZER] }));
  const removeFinalizers = (name: string) =>
    hub.merge(`${WIDGETS}/${name}`, { metadata: { finalizers: null } });

  contractCase('returns the name and UID of the deleted object', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, configMap('gone'));
    const { status, body } = await hub.call('DELETE', `${CONFIG_MAPS}/gone`);
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid: metadata.uid },
    });
    expect((await hub.get(`${CONFIG_MAPS}/gone`)).status).toBe(404);
  });

  contractCase('returns the group of a deleted custom resource', async () => {
    const { metadata } = await hub.create(
      WIDGETS,
      widget({}, { name: 'gone' }),
    );
    const { body } = await hub.call('DELETE', `${WIDGETS}/gone`);
    expect(body.details).toEqual({
      name: 'gone',
      group: 'contract.argocd-fleet.example',
      kind: 'widgets',
      uid: metadata.uid,
    });
  });

  contractCase('only marks an object with a finalizer', async () => {
    await createWithFinalizer('held');
    const { status, body } = await hub.call('DELETE', `${WIDGETS}/held`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'Widget',
      metadata: {
        deletionTimestamp: expect.stringMatching(/Z$/),
        deletionGracePeriodSeconds: 0,
        finalizers: [FINALIZER],
        generation: 2,
      },
    });
    await removeFinalizers('held');
  });

  contractCase('marks an object once', async () => {
    await createWithFinalizer('marked');
    const first = await hub.call('DELETE', `${WIDGETS}/marked`);
    const second = await hub.call('DELETE', `${WIDGETS}/marked`);
    expect(second.body.metadata).toEqual(first.body.metadata);
    await removeFinalizers('marked');
  });

  contractCase('completes when the last finalizer is removed', async () => {
    await hub.create(
      WIDGETS,
      widget(
        {},
        { name: 'two-holds', finalizers: [FINALIZER, 'b.example/hold'] },
      ),
    );
    await hub.call('DELETE', `${WIDGETS}/two-holds`);
    await hub.merge(`${WIDGETS}/two-holds`, {
      metadata: { finalizers: [FINALIZER] },
    });
    expect((await hub.get(`${WIDGETS}/two-holds`)).status).toBe(200);
    await removeFinalizers('two-holds');
    expect((await hub.get(`${WIDGETS}/two-holds`)).status).toBe(404);
  });

  contractCase('refuses new finalizers on a marked object', async () => {
    await createWithFinalizer('no-more');
    await hub.call('DELETE', `${WIDGETS}/no-more`);
    const { status, body } = await hub.call(
      'PATCH',
      `${WIDGETS}/no-more`,
      { metadata: { finalizers: [FINALIZER, 'b.example/hold'] } },
      MERGE,
    );
    expect(status).toBe(422);
    expect(body.message).toContain(
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b.example/hold"}',
    );
    await removeFinalizers('no-more');
  });

  contractCase('allows other changes of a marked object', async () => {
    await createWithFinalizer('changing');
    await hub.call('DELETE', `${WIDGETS}/changing`);
    const { spec, metadata } = await hub.merge(`${WIDGETS}/changing`, {
      spec: { size: 2 },
    });
    expect(spec).toHaveProperty('size', 2);
    expect(metadata.deletionTimestamp).toBeTruthy();
    await removeFinalizers('changing');
  });

  contractCase('cannot be cancelled', async () => {
    await createWithFinalizer('called-back');
    await hub.call('DELETE', `${WIDGETS}/called-back`);
    const { metadata } = await hub.merge(`${WIDGETS}/called-back`, {
      metadata: { deletionTimestamp: null },
    });
    expect(metadata.deletionTimestamp).toBeTruthy();
    await removeFinalizers('called-back');
  });

  contractCase('accepts matching preconditions', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, configMap('exactly'));
    const { uid, resourceVersion } = metadata;
    const { status } = await hub.call('DELETE', `${CONFIG_MAPS}/exactly`, {
      preconditions: { uid, resourceVersion },
    });
    expect(status).toBe(200);
  });

  contractCase('adds the finalizer for foreground propagation', async () => {
    await createWithFinalizer('foreground');
    const { body } = await hub.call(
      'DELETE',
      `${WIDGETS}/foreground?propagationPolicy=Foreground`,
    );
    expect(body.metadata.finalizers).toEqual([FINALIZER, 'foregroundDeletion']);
    await removeFinalizers('foreground');
  });

  contractCase('adds the finalizer for orphan propagation', async () => {
    await createWithFinalizer('orphaning');
    const { body } = await hub.call('DELETE', `${WIDGETS}/orphaning`, {
      propagationPolicy: 'Orphan',
    });
    expect(body.metadata.finalizers).toEqual([FINALIZER, 'orphan']);
    await removeFinalizers('orphaning');
  });

  contractCase(
    'of a namespace deletes all objects in it',
    async () => {
      const name = `ending-${RUN}`;
      const inside = `${NAMESPACES}/${name}/configmaps`;
      await hub.create(NAMESPACES, { metadata: { name } });
      await hub.create(inside, configMap('a'));
      const { status, body } = await hub.call(
        'DELETE',
        `${NAMESPACES}/${name}`,
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({
        kind: 'Namespace',
        status: { phase: 'Terminating' },
      });
      await eventually(
        () => hub.get(`${NAMESPACES}/${name}`),
        response => response.status === 404,
      );
      expect((await hub.get(`${inside}/a`)).status).toBe(404);
    },
    'controllers',
  );

  contractCase(
    'of a namespace waits for finalizers in it',
    async () => {
      const name = `waiting-${RUN}`;
      const inside = `${NAMESPACES}/${name}/configmaps`;
      await hub.create(NAMESPACES, { metadata: { name } });
      await hub.create(inside, configMap('a', { finalizers: [FINALIZER] }));
      await hub.call('DELETE', `${NAMESPACES}/${name}`);
      await eventually(
        () => hub.get(`${inside}/a`),
        ({ body }) => body.metadata.deletionTimestamp !== undefined,
      );
      const refused = await hub.call('POST', inside, configMap('b'));
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({
        reason: 'Forbidden',
        message: `configmaps "b" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
        details: {
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: `namespace ${name} is being terminated`,
              field: 'metadata.namespace',
            },
          ],
        },
      });
      await hub.merge(`${inside}/a`, { metadata: { finalizers: null } });
      await eventually(
        () => hub.get(`${NAMESPACES}/${name}`),
        response => response.status === 404,
      );
    },
    'controllers',
  );
}
