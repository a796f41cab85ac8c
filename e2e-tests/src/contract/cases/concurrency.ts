import { DeclareCase } from '../contractCase';
import { CONFIG_MAPS, HubUnderTest, MERGE, WIDGETS } from '../hubUnderTest';
import { OBJECT_MODIFIED } from '../refusal';
import { configMap, widget } from '../testObjects';

export function concurrencyCases(contractCase: DeclareCase, hub: HubUnderTest) {
  contractCase(
    'refuses an update with an outdated resourceVersion',
    async () => {
      const outdated = await hub.create(WIDGETS, widget({}, { name: 'stale' }));
      await hub.merge(`${WIDGETS}/stale`, { spec: { size: 2 } });
      const { status, body } = await hub.call(
        'PUT',
        `${WIDGETS}/stale`,
        outdated,
      );
      expect(status).toBe(409);
      expect(body).toMatchObject({
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on widgets.contract.argocd-fleet.example "stale": ${OBJECT_MODIFIED}`,
        details: {
          name: 'stale',
          group: 'contract.argocd-fleet.example',
          kind: 'widgets',
        },
      });
    },
  );

  contractCase(
    'refuses an update of an object that was recreated',
    async () => {
      const first = await hub.create(CONFIG_MAPS, configMap('recreated'));
      await hub.call('DELETE', `${CONFIG_MAPS}/recreated`);
      await hub.create(CONFIG_MAPS, configMap('recreated'));
      const { status, body } = await hub.call(
        'PUT',
        `${CONFIG_MAPS}/recreated`,
        first,
      );
      expect(status).toBe(409);
      expect(body.message).toMatch(
        /Precondition failed: UID in precondition: /,
      );
    },
  );

  contractCase('accepts one of several concurrent updates', async () => {
    const first = await hub.create(WIDGETS, widget({}, { name: 'raced' }));
    const responses = await Promise.all(
      [1, 2, 3, 4, 5].map(size =>
        hub.call('PUT', `${WIDGETS}/raced`, {
          ...first,
          spec: { ...first.spec, size },
        }),
      ),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
  });

  contractCase('accepts one of several concurrent creates', async () => {
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() =>
        hub.call('POST', CONFIG_MAPS, configMap('created-once')),
      ),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409]);
  });

  contractCase('merges concurrent patches', async () => {
    await hub.create(CONFIG_MAPS, configMap('merged'));
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(
      names.map(name =>
        hub.merge(`${CONFIG_MAPS}/merged`, { data: { [name]: name } }),
      ),
    );
    const { body } = await hub.get(`${CONFIG_MAPS}/merged`);
    expect(Object.keys(body.data).sort()).toEqual(names);
  });

  contractCase('refuses a patch with an outdated resourceVersion', async () => {
    await hub.create(CONFIG_MAPS, configMap('pinned'));
    const { status, body } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/pinned`,
      { metadata: { resourceVersion: '1' }, data: { a: '1' } },
      MERGE,
    );
    expect(status).toBe(409);
    expect(body.message).toBe(
      `Operation cannot be fulfilled on configmaps "pinned": ${OBJECT_MODIFIED}`,
    );
  });

  contractCase('accepts a patch with the current resourceVersion', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, configMap('current'));
    const after = await hub.merge(`${CONFIG_MAPS}/current`, {
      metadata: { resourceVersion: metadata.resourceVersion },
      data: { a: '1' },
    });
    expect(after.data).toEqual({ a: '1' });
  });

  contractCase('gives each write a new resourceVersion', async () => {
    await hub.create(CONFIG_MAPS, configMap('counted'));
    const versions: number[] = [];
    for (const value of ['1', '2', '3']) {
      const { metadata } = await hub.merge(`${CONFIG_MAPS}/counted`, {
        data: { value },
      });
      versions.push(Number(metadata.resourceVersion));
    }
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  });

  contractCase('returns an object right after its write', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, configMap('fresh-read'));
    const { body } = await hub.get(
      `${CONFIG_MAPS}/fresh-read?resourceVersion=${metadata.resourceVersion}`,
    );
    expect(body.metadata.uid).toBe(metadata.uid);
  });
}
