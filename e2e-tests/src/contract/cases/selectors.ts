import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import { HubUnderTest, NAMESPACES } from '../hubUnderTest';
import { configMap } from '../testObjects';

const NAMESPACE = `selected-${RUN}`;
const PATH = `${NAMESPACES}/${NAMESPACE}/configmaps`;

const LABELS: { readonly [name: string]: { readonly [key: string]: string } } =
  {
    one: { app: 'web', tier: 'front', weight: '1' },
    two: { app: 'web', tier: 'back', weight: '20' },
    three: { app: 'db', weight: 'heavy' },
    four: {},
  };

const SELECTORS: readonly [selector: string, names: readonly string[]][] = [
  ['app=web', ['one', 'two']],
  ['app==web', ['one', 'two']],
  ['app!=web', ['four', 'three']],
  ['app', ['one', 'three', 'two']],
  ['!app', ['four']],
  ['app in (web, db)', ['one', 'three', 'two']],
  ['app notin (web)', ['four', 'three']],
  ['app=web,tier=back', ['two']],
  ['app=web,tier!=back', ['one']],
  ['tier in (),app', []],
  ['weight>5', ['two']],
  ['weight<5', ['one']],
  [' app = web , tier = front ', ['one']],
  ['app=', []],
  ['nobody=has', []],
];

const FIELDS: readonly [selector: string, names: readonly string[]][] = [
  ['metadata.name=one', ['one']],
  ['metadata.name==one', ['one']],
  ['metadata.name!=one', ['four', 'three', 'two']],
  [`metadata.namespace=${NAMESPACE}`, ['four', 'one', 'three', 'two']],
  ['metadata.name=one,metadata.namespace=other', []],
  ['metadata.name=nobody', []],
];

export function selectorCases(contractCase: DeclareCase, hub: HubUnderTest) {
  beforeAll(async () => {
    await hub.create(NAMESPACES, { metadata: { name: NAMESPACE } });
    for (const [name, labels] of Object.entries(LABELS)) {
      await hub.create(PATH, configMap(name, { labels }));
    }
  });

  afterAll(() => hub.call('DELETE', `${NAMESPACES}/${NAMESPACE}`));

  const names = async (query: string) => {
    const { body } = await hub.get(`${PATH}?${query}`);
    return body.items.map(({ metadata }) => metadata.name);
  };

  for (const [selector, expected] of SELECTORS) {
    contractCase(`select by labels: ${selector}`, async () => {
      const query = `labelSelector=${encodeURIComponent(selector)}`;
      expect(await names(query)).toEqual(expected);
    });
  }

  for (const [selector, expected] of FIELDS) {
    contractCase(
      `select by fields: ${selector.replace(NAMESPACE, 'here')}`,
      async () => {
        const query = `fieldSelector=${encodeURIComponent(selector)}`;
        expect(await names(query)).toEqual(expected);
      },
    );
  }

  contractCase('select by labels and fields at once', async () => {
    expect(
      await names('labelSelector=app%3Dweb&fieldSelector=metadata.name!%3Done'),
    ).toEqual(['two']);
  });

  contractCase('select by the type of a Secret', async () => {
    const secrets = `${NAMESPACES}/${NAMESPACE}/secrets`;
    await hub.create(secrets, { ...configMap('a'), type: 'example.com/a' });
    await hub.create(secrets, { ...configMap('b'), type: 'example.com/b' });
    const { body } = await hub.get(
      `${secrets}?fieldSelector=type%3Dexample.com/b`,
    );
    expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  contractCase('select across all namespaces', async () => {
    const { body } = await hub.get(
      `/api/v1/configmaps?fieldSelector=metadata.namespace%3D${NAMESPACE}`,
    );
    expect(body.items).toHaveLength(4);
  });

  contractCase('limit a deletion to selected objects', async () => {
    const secrets = `${NAMESPACES}/${NAMESPACE}/secrets`;
    await hub.create(secrets, configMap('x', { labels: { go: 'yes' } }));
    await hub.create(secrets, configMap('y'));
    const { status } = await hub.call(
      'DELETE',
      `${secrets}?labelSelector=go%3Dyes`,
    );
    expect(status).toBe(200);
    expect((await hub.get(`${secrets}/x`)).status).toBe(404);
    expect((await hub.get(`${secrets}/y`)).status).toBe(200);
  });
}
