import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import { CONFIG_MAPS, GADGETS, HubUnderTest, WIDGETS } from '../hubUnderTest';
import { configMap, gadget, widget } from '../testObjects';

/** Metadata of which the patch removes everything except the annotation. */
const FULL = {
  labels: { a: 'b' },
  annotations: { b: 'c' },
  finalizers: ['a.example/hold'],
};
const EMPTY = { finalizers: [] };
const SUFFIX = /^generated-[bcdfghjklmnpqrstvwxz2456789]{5}$/;

export function metadataCases(contractCase: DeclareCase, hub: HubUnderTest) {
  contractCase('generates a name from generateName', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, {
      metadata: { generateName: 'generated-' },
    });
    expect(metadata.name).toMatch(SUFFIX);
    expect(metadata).toHaveProperty('generateName', 'generated-');
  });

  contractCase('generates a different name each time', async () => {
    const names = new Set<string>();
    for (let count = 0; count < 10; count++) {
      const { metadata } = await hub.create(CONFIG_MAPS, {
        metadata: { generateName: 'generated-' },
      });
      names.add(metadata.name);
    }
    expect(names.size).toBe(10);
  });

  contractCase('shortens a long generateName', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, {
      metadata: { generateName: 'x'.repeat(80) },
    });
    expect(metadata.name).toHaveLength(63);
  });

  contractCase('prefers name over generateName', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, {
      metadata: { name: 'named', generateName: 'generated-' },
    });
    expect(metadata.name).toBe('named');
  });

  contractCase('ignores values for fields that the server sets', async () => {
    const { metadata } = await hub.create(
      WIDGETS,
      widget(
        {},
        {
          name: 'server-fields',
          uid: 'mine',
          generation: 7,
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2001-01-01T00:00:00Z',
        },
      ),
    );
    expect(metadata.uid).not.toBe('mine');
    expect(metadata.generation).toBe(1);
    expect(metadata.creationTimestamp).not.toMatch(/^2001/);
    expect(metadata.deletionTimestamp).toBeUndefined();
  });

  contractCase('keeps fields that the server sets on update', async () => {
    const before = await hub.create(WIDGETS, widget({}, { name: 'kept' }));
    const after = await hub.merge(`${WIDGETS}/kept`, {
      metadata: { creationTimestamp: null, generation: 9 },
      spec: { size: 3 },
    });
    expect(after.metadata).toMatchObject({
      uid: before.metadata.uid,
      creationTimestamp: before.metadata.creationTimestamp,
      generation: 2,
    });
  });

  contractCase('increments the generation on spec changes', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'counted' }));
    const path = `${WIDGETS}/counted`;
    const labelled = await hub.merge(path, {
      metadata: { labels: { a: 'b' } },
    });
    const resized = await hub.merge(path, { spec: { size: 2 } });
    const same = await hub.merge(path, { spec: { size: 2 } });
    expect(
      [labelled, resized, same].map(({ metadata }) => metadata.generation),
    ).toEqual([1, 2, 2]);
  });

  contractCase(
    'increments the generation on every change without a status subresource',
    async () => {
      const path = `${GADGETS}/counted-${RUN}`;
      await hub.create(GADGETS, gadget(`counted-${RUN}`));
      const labelled = await hub.merge(path, {
        metadata: { labels: { a: 'b' } },
      });
      const changed = await hub.merge(path, { status: { any: 'thing' } });
      expect(labelled.metadata.generation).toBe(1);
      expect(changed.metadata.generation).toBe(2);
      await hub.call('DELETE', path);
    },
  );

  contractCase('records which manager wrote which fields', async () => {
    const { metadata } = await hub.create(
      `${WIDGETS}?fieldManager=recorder`,
      widget({ size: 2 }, { name: 'recorded', labels: { a: 'b' } }),
    );
    expect(metadata.managedFields).toEqual([
      {
        manager: 'recorder',
        operation: 'Update',
        apiVersion: 'contract.argocd-fleet.example/v1',
        time: expect.any(String),
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            '.': {},
            'f:nick': {},
            'f:replicas': {},
            'f:size': {},
            'f:title': {},
          },
        },
      },
    ]);
  });

  contractCase(
    'takes the default field manager from the user agent',
    async () => {
      const { metadata } = await hub.create(CONFIG_MAPS, {
        ...configMap('agent'),
        data: { a: '1' },
      });
      expect(metadata.managedFields![0].manager).toBe('contract');
    },
  );

  contractCase(
    'moves the ownership of a field to its last writer',
    async () => {
      const path = `${CONFIG_MAPS}/taken`;
      await hub.create(`${CONFIG_MAPS}?fieldManager=one`, {
        ...configMap('taken'),
        data: { a: '1', b: '1' },
      });
      const { metadata } = await hub.merge(`${path}?fieldManager=two`, {
        data: { b: '2' },
      });
      expect(
        metadata.managedFields!.map(({ manager, fieldsV1 }) => [
          manager,
          fieldsV1,
        ]),
      ).toEqual(
        expect.arrayContaining([
          ['one', { 'f:data': { '.': {}, 'f:a': {} } }],
          ['two', { 'f:data': { 'f:b': {} } }],
        ]),
      );
    },
  );

  contractCase('clears the managed fields on request', async () => {
    await hub.create(CONFIG_MAPS, { ...configMap('reset'), data: { a: '1' } });
    const { metadata } = await hub.merge(`${CONFIG_MAPS}/reset`, {
      metadata: { managedFields: [{}] },
    });
    expect(metadata.managedFields).toBeUndefined();
  });

  contractCase('ignores invalid managed fields', async () => {
    const { metadata } = await hub.create(
      CONFIG_MAPS,
      configMap('odd', {
        managedFields: [
          {
            manager: 'x',
            operation: 'Guess',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: {},
          },
        ],
      }),
    );
    expect(metadata.managedFields).toBeUndefined();
  });

  contractCase('keeps owner references of unknown kinds', async () => {
    const owner = {
      apiVersion: 'example.com/v1',
      kind: 'Unknown',
      name: 'x',
      uid: 'x',
    };
    // The kind is not served, so no garbage collector can look up the owner.
    const { metadata } = await hub.create(
      CONFIG_MAPS,
      configMap('owned', { ownerReferences: [owner] }),
    );
    expect(metadata.ownerReferences).toEqual([owner]);
  });

  contractCase('drops metadata that is empty after a patch', async () => {
    for (const [collection, object] of [
      [CONFIG_MAPS, configMap('emptied', FULL)],
      [WIDGETS, widget({}, { name: 'emptied', ...FULL })],
    ] as const) {
      await hub.create(collection, object);
      const { metadata } = await hub.merge(`${collection}/emptied`, {
        metadata: { labels: { a: null }, annotations: {}, ...EMPTY },
      });
      expect(metadata).not.toHaveProperty('labels');
      expect(metadata).not.toHaveProperty('finalizers');
      expect(metadata.annotations).toEqual({ b: 'c' });
    }
  });

  contractCase('drops empty metadata of a new object', async () => {
    const empty = { labels: {}, annotations: {}, ownerReferences: [] };
    for (const [collection, object] of [
      [CONFIG_MAPS, configMap('bare', { ...empty, ...EMPTY })],
      [WIDGETS, widget({}, { name: 'bare', ...empty, ...EMPTY })],
    ] as const) {
      const { metadata } = await hub.create(collection, object);
      for (const field of Object.keys({ ...empty, ...EMPTY })) {
        expect(metadata).not.toHaveProperty(field);
      }
    }
  });

  contractCase('drops empty data of a built-in object', async () => {
    await hub.create(CONFIG_MAPS, {
      ...configMap('no-data'),
      data: { key: 'a' },
    });
    const object = await hub.merge(`${CONFIG_MAPS}/no-data`, {
      data: { key: null },
    });
    expect(object).not.toHaveProperty('data');
  });
}
