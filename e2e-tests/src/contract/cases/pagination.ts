import { eventually } from '../../polling';
import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import { HubUnderTest, NAMESPACES } from '../hubUnderTest';
import { configMap } from '../testObjects';

const NAMESPACE = `paged-${RUN}`;
const PATH = `${NAMESPACES}/${NAMESPACE}/configmaps`;
const NAMES = ['a', 'b', 'c', 'd', 'e'];

export function paginationCases(contractCase: DeclareCase, hub: HubUnderTest) {
  beforeEach(async () => {
    await hub.call('POST', NAMESPACES, { metadata: { name: NAMESPACE } });
    await hub.call('DELETE', PATH);
    for (const name of NAMES) {
      await hub.create(PATH, configMap(name, { labels: { page: 'yes' } }));
    }
  });

  afterAll(() => hub.call('DELETE', `${NAMESPACES}/${NAMESPACE}`));

  const page = async (query: string) => {
    const { body } = await hub.get(`${PATH}?${query}`);
    return {
      names: body.items.map(({ metadata }) => metadata.name),
      ...body.metadata,
    };
  };
  const next = (token: string | undefined) =>
    `continue=${encodeURIComponent(token!)}`;

  contractCase('returns a page and the number of remaining items', async () => {
    const first = await page('limit=2');
    expect(first).toMatchObject({
      names: ['a', 'b'],
      remainingItemCount: 3,
      continue: expect.stringMatching(/./),
    });
  });

  contractCase('continues after the previous page', async () => {
    const first = await page('limit=2');
    const second = await page(`limit=2&${next(first.continue)}`);
    const third = await page(`limit=2&${next(second.continue)}`);
    expect([first, second, third].map(({ names }) => names)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]);
    expect(third.continue).toBeUndefined();
    expect(third.remainingItemCount).toBeUndefined();
  });

  contractCase('has one resourceVersion for all pages', async () => {
    const first = await page('limit=2');
    await hub.create(PATH, configMap('z'));
    const second = await page(`limit=9&${next(first.continue)}`);
    expect(second.resourceVersion).toBe(first.resourceVersion);
  });

  contractCase('returns later pages as of the first page', async () => {
    const first = await page('limit=2');
    await hub.create(PATH, configMap('bb'));
    await hub.call('DELETE', `${PATH}/d`);
    const second = await page(`limit=9&${next(first.continue)}`);
    expect(second.names).toEqual(['c', 'd', 'e']);
    expect((await page('')).names).toEqual(['a', 'b', 'bb', 'c', 'e']);
  });

  contractCase('accepts a different limit for later pages', async () => {
    const first = await page('limit=1');
    const second = await page(`limit=3&${next(first.continue)}`);
    expect(second.names).toEqual(['b', 'c', 'd']);
  });

  contractCase('returns all remaining items without a limit', async () => {
    const first = await page('limit=1');
    expect((await page(next(first.continue))).names).toEqual(NAMES.slice(1));
  });

  contractCase(
    'omits the number of remaining items with a selector',
    async () => {
      const first = await page('limit=2&labelSelector=page%3Dyes');
      expect(first.names).toEqual(['a', 'b']);
      expect(first.remainingItemCount).toBeUndefined();
      expect(first.continue).toBeTruthy();
    },
  );

  contractCase('returns no token if everything fits', async () => {
    const only = await page('limit=5');
    expect(only.names).toEqual(NAMES);
    expect(only.continue).toBeUndefined();
  });

  contractCase('treats a negative limit as no limit', async () => {
    expect((await page('limit=-1')).names).toEqual(NAMES);
  });

  contractCase('lists the state at exactly one resourceVersion', async () => {
    const { resourceVersion } = await page('');
    await hub.call('DELETE', `${PATH}/a`);
    const exact = await page(
      `resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`,
    );
    expect(exact.names).toEqual(NAMES);
    expect(exact.resourceVersion).toBe(resourceVersion);
  });

  contractCase(
    'lists a state that is not older than a resourceVersion',
    async () => {
      const { metadata } = await hub.create(PATH, configMap('f'));
      const list = await page(
        `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`,
      );
      expect(list.names).toEqual([...NAMES, 'f']);
    },
  );

  contractCase('lists any recent state for resourceVersion 0', async () => {
    // The list may be outdated, but only for a limited time.
    const { names } = await eventually(
      () => page('resourceVersion=0'),
      found => found.names.join() === NAMES.join(),
    );
    expect(names).toEqual(NAMES);
  });

  contractCase(
    'answers 410 to an expired token, with a token for the rest',
    async () => {
      const first = await page('limit=2');
      await hub.compact(await hub.create(PATH, configMap('bb')));
      const { body } = await eventually(
        () => hub.get(`${PATH}?limit=2&${next(first.continue)}`),
        ({ status }) => status === 410,
      );
      expect(body).toMatchObject({
        kind: 'Status',
        status: 'Failure',
        reason: 'Expired',
        code: 410,
        message:
          'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      });
      const rest = await page(`limit=2&${next(body.metadata.continue)}`);
      expect(rest.names).toEqual(['bb', 'c']);
    },
    'compaction',
  );

  contractCase('orders by namespace and name', async () => {
    const { body } = await hub.get('/api/v1/namespaces');
    const names = body.items.map(({ metadata }) => metadata.name);
    expect(names).toEqual([...names].sort());
  });

  contractCase('omits kind and apiVersion in built-in items', async () => {
    const { body } = await hub.get(PATH);
    expect(body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(body.items[0]).not.toHaveProperty('kind');
  });
}
