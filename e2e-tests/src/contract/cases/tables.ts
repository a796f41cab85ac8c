import { DeclareCase } from '../contractCase';
import {
  AS_TABLE,
  CONFIG_MAPS,
  CRDS,
  HubUnderTest,
  MERGE,
  SECRETS,
  WIDGETS,
} from '../hubUnderTest';
import { configMap, widget } from '../testObjects';

const AGE = expect.stringMatching(/^\d+[sm]/);

export function tableCases(contractCase: DeclareCase, hub: HubUnderTest) {
  const table = async (path: string) => (await hub.get(path, AS_TABLE)).body;
  const columns = async (path: string) =>
    (await table(path)).columnDefinitions.map(({ name, type, priority }) => [
      name,
      type,
      priority,
    ]);

  contractCase('have the columns of ConfigMaps', async () => {
    expect(await columns(CONFIG_MAPS)).toEqual([
      ['Name', 'string', 0],
      ['Data', 'string', 0],
      ['Age', 'string', 0],
    ]);
  });

  contractCase('have the columns of Secrets', async () => {
    expect(await columns(SECRETS)).toEqual([
      ['Name', 'string', 0],
      ['Type', 'string', 0],
      ['Data', 'string', 0],
      ['Age', 'string', 0],
    ]);
  });

  contractCase('have the columns of namespaces', async () => {
    expect(await columns('/api/v1/namespaces')).toEqual([
      ['Name', 'string', 0],
      ['Status', 'string', 0],
      ['Age', 'string', 0],
    ]);
  });

  contractCase('have the columns of CustomResourceDefinitions', async () => {
    expect(await columns(CRDS)).toEqual([
      ['Name', 'string', 0],
      ['Created At', 'date', 0],
    ]);
  });

  contractCase('have the columns of a definition', async () => {
    expect(await columns(WIDGETS)).toEqual([
      ['Name', 'string', 0],
      ['Title', 'string', 0],
      ['Replicas', 'integer', 0],
      ['Ready', 'string', 0],
      ['Color', 'string', 1],
      ['Age', 'date', 0],
    ]);
  });

  contractCase('describe their columns', async () => {
    const { columnDefinitions } = await table(WIDGETS);
    expect(columnDefinitions[4]).toMatchObject({
      name: 'Color',
      description: 'Color of the widget',
    });
    expect(columnDefinitions[0]).toMatchObject({ format: 'name' });
  });

  contractCase('contain a row for one object', async () => {
    await hub.create(CONFIG_MAPS, {
      ...configMap('row'),
      data: { a: '', b: '' },
    });
    const body = await table(`${CONFIG_MAPS}/row`);
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(body.rows).toHaveLength(1);
    expect(body.rows[0].cells).toEqual(['row', 2, AGE]);
  });

  contractCase('contain the cells of a definition', async () => {
    await hub.create(WIDGETS, widget({ color: 'red' }, { name: 'row' }));
    await hub.call(
      'PATCH',
      `${WIDGETS}/row/status`,
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      MERGE,
    );
    const { rows } = await table(`${WIDGETS}/row`);
    expect(rows[0].cells).toEqual(['row', 'abc', 1, 'True', 'red', AGE]);
  });

  contractCase('contain null for missing values', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'bare-row' }));
    const { rows } = await table(`${WIDGETS}/bare-row`);
    expect(rows[0].cells).toEqual(['bare-row', 'abc', 1, null, null, AGE]);
  });

  contractCase('contain the metadata of each object', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'meta-row' }));
    const { rows } = await table(`${WIDGETS}/meta-row`);
    expect(rows[0].object).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'meta-row' },
    });
    expect(rows[0].object).not.toHaveProperty('spec');
  });

  contractCase('contain whole objects on request', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'whole-row' }));
    const { rows } = await table(`${WIDGETS}/whole-row?includeObject=Object`);
    expect(rows[0].object).toMatchObject({
      kind: 'Widget',
      spec: { title: 'abc' },
    });
  });

  contractCase('contain no objects on request', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'lone-row' }));
    const { rows } = await table(`${WIDGETS}/lone-row?includeObject=None`);
    expect(rows[0].object).toBeNull();
  });

  contractCase('have pages', async () => {
    await hub.create(CONFIG_MAPS, configMap('row-1'));
    await hub.create(CONFIG_MAPS, configMap('row-2'));
    const body = await table(`${CONFIG_MAPS}?limit=1`);
    expect(body.rows).toHaveLength(1);
    expect(body.metadata.continue).toBeTruthy();
  });
}
