import { DeclareCase } from '../contractCase';
import { CONFIG_MAPS, HubUnderTest, WIDGETS } from '../hubUnderTest';
import { configMap, widget } from '../testObjects';

const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export function concurrencyCases(contractCase: DeclareCase, hub: HubUnderTest) {
  contractCase('refuses an update of what was changed since', async () => {
    const first = await hub.create(WIDGETS, widget({}, { name: 'stale' }));
    await hub.merge(`${WIDGETS}/stale`, { spec: { size: 2 } });
    const { status, body } = await hub.call('PUT', `${WIDGETS}/stale`, first);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on widgets.contract.argocd-fleet.example "stale": ${MODIFIED}`,
      details: {
        name: 'stale',
        group: 'contract.argocd-fleet.example',
        kind: 'widgets',
      },
    });
  });

  contractCase('refuses an update of what was made anew', async () => {
    const first = await hub.create(CONFIG_MAPS, configMap('anew'));
    await hub.call('DELETE', `${CONFIG_MAPS}/anew`);
    await hub.create(CONFIG_MAPS, configMap('anew'));
    const { status, body } = await hub.call(
      'PUT',
      `${CONFIG_MAPS}/anew`,
      first,
    );
    expect(status).toBe(409);
    expect(body.message).toMatch(/Precondition failed: UID in precondition: /);
  });

  contractCase('lets one of many writers through', async () => {
    const first = await hub.create(WIDGETS, widget({}, { name: 'raced' }));
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(size =>
        hub.call('PUT', `${WIDGETS}/raced`, {
          ...first,
          spec: { ...first.spec, size },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
  });

  contractCase('lets one of many creators through', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        hub.call('POST', CONFIG_MAPS, configMap('created-once')),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409]);
  });

  contractCase('merges the patches of many writers', async () => {
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

  contractCase('refuses a patch for another revision', async () => {
    await hub.create(CONFIG_MAPS, configMap('pinned'));
    const { status, body } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/pinned`,
      { metadata: { resourceVersion: '1' }, data: { a: '1' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(status).toBe(409);
    expect(body.message).toBe(
      `Operation cannot be fulfilled on configmaps "pinned": ${MODIFIED}`,
    );
  });

  contractCase('takes a patch for this revision', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, configMap('current'));
    const after = await hub.merge(`${CONFIG_MAPS}/current`, {
      metadata: { resourceVersion: metadata.resourceVersion },
      data: { a: '1' },
    });
    expect(after.data).toEqual({ a: '1' });
  });

  contractCase('gives each write a revision of its own', async () => {
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

  contractCase('reads what it has just written', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, configMap('fresh-read'));
    const { body } = await hub.get(
      `${CONFIG_MAPS}/fresh-read?resourceVersion=${metadata.resourceVersion}`,
    );
    expect(body.metadata.uid).toBe(metadata.uid);
  });
}
