import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import { HubUnderTest, NAMESPACES } from '../hubUnderTest';
import { configMap } from '../testObjects';

const NAMESPACE = `collected-${RUN}`;
const PATH = `${NAMESPACES}/${NAMESPACE}/configmaps`;

export function collectionCases(contractCase: DeclareCase, hub: HubUnderTest) {
  beforeAll(() => hub.create(NAMESPACES, { metadata: { name: NAMESPACE } }));
  afterAll(() => hub.call('DELETE', `${NAMESPACES}/${NAMESPACE}`));
  beforeEach(async () => {
    await hub.call('DELETE', PATH);
    for (const name of ['a', 'b', 'c']) {
      await hub.create(PATH, configMap(name));
    }
  });

  contractCase('are deleted with one request', async () => {
    const { status, body } = await hub.call('DELETE', PATH);
    expect(status).toBe(200);
    expect(body.kind).toBe('ConfigMapList');
    expect(body.items.map(({ metadata }) => metadata.name)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect((await hub.get(PATH)).body.items).toEqual([]);
  });

  contractCase('are deleted by field selector', async () => {
    await hub.call('DELETE', `${PATH}?fieldSelector=metadata.name%3Db`);
    const { body } = await hub.get(PATH);
    expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
  });

  contractCase('keep objects with finalizers', async () => {
    await hub.merge(`${PATH}/a`, {
      metadata: { finalizers: ['a.example/hold'] },
    });
    await hub.call('DELETE', PATH);
    const { body } = await hub.get(PATH);
    expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(body.items[0].metadata.deletionTimestamp).toBeTruthy();
    await hub.merge(`${PATH}/a`, { metadata: { finalizers: null } });
  });

  contractCase('are empty lists without objects', async () => {
    await hub.call('DELETE', PATH);
    const { status, body } = await hub.get(PATH);
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      items: [],
    });
  });

  contractCase('are empty lists in missing namespaces', async () => {
    const { status, body } = await hub.get(`${NAMESPACES}/nowhere/configmaps`);
    expect([status, body.items]).toEqual([200, []]);
  });
}
