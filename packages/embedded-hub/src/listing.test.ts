import { KubernetesObject } from './api/kubernetesObject';
import { TestResponse, startTestHub, TestHub } from './__testUtils__/testHub';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

function names(answer: TestResponse): string[] {
  return (answer.body.items as KubernetesObject[]).map(
    item => item.metadata.name!,
  );
}

/** The fields of ListMeta that ObjectMeta does not have. */
function listMeta(answer: TestResponse): {
  continue?: string;
  remainingItemCount?: number;
  resourceVersion: string;
} {
  return answer.body.metadata as ReturnType<typeof listMeta>;
}

describe('listing', () => {
  let hub: TestHub;

  beforeEach(async () => {
    hub = await startTestHub({ eventHistory: 20 });
  });

  afterEach(() => hub.stop());

  const create = (name: string, labels = {}) =>
    hub.create(CONFIG_MAPS, { metadata: { name, labels } });

  const list = (query: string, path = CONFIG_MAPS) =>
    hub.call('GET', `${path}?${query}`);

  it('sorts by namespace and name, at the newest revision', async () => {
    for (const name of ['b', 'c', 'a']) {
      await create(name);
    }
    const { metadata } = await hub.create(
      '/api/v1/namespaces/kube-system/configmaps',
      { metadata: { name: '0' } },
    );
    const all = await list('', '/api/v1/configmaps');
    expect(all.body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(names(all)).toEqual(['a', 'b', 'c', '0']);
    expect(listMeta(all).resourceVersion).toBe(metadata.resourceVersion);
  });

  it.each([
    ['env=prod', ['a']],
    ['env==prod', ['a']],
    ['env!=prod', ['b', 'c']],
    ['env in (prod,test)', ['a', 'b']],
    ['env notin (prod)', ['b', 'c']],
    ['env', ['a', 'b']],
    ['!env', ['c']],
    ['size>2', ['b']],
    ['size<2', ['a']],
    ['env,size>0', ['a', 'b']],
    ['env in (prod,test),!gone', ['a', 'b']],
    ['env=', []],
    ['example.com/x=y', ['c']],
  ])('by the label selector %p', async (selector, expected) => {
    await create('a', { env: 'prod', size: '1' });
    await create('b', { env: 'test', size: '3' });
    await create('c', { 'example.com/x': 'y' });
    const answer = await list(`labelSelector=${encodeURIComponent(selector)}`);
    expect(names(answer)).toEqual(expected);
  });

  it.each([
    ['metadata.name=a', ['a']],
    ['metadata.name!=a', ['b']],
    ['metadata.namespace=default', ['a', 'b']],
    ['metadata.name=a,metadata.namespace=other', []],
  ])('by the field selector %p', async (selector, expected) => {
    await create('a');
    await create('b');
    const answer = await list(`fieldSelector=${encodeURIComponent(selector)}`);
    expect(names(answer)).toEqual(expected);
  });

  it('selects events by their involved object', async () => {
    const path = '/api/v1/namespaces/default/events';
    for (const name of ['x', 'y']) {
      await hub.create(path, {
        metadata: { name },
        involvedObject: { kind: 'ConfigMap', name },
        reason: 'Seen',
      });
    }
    const answer = await list(
      'fieldSelector=involvedObject.name%3Dx,involvedObject.kind%3DConfigMap',
      path,
    );
    expect(names(answer)).toEqual(['x']);
  });

  describe('in pages', () => {
    beforeEach(async () => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await create(name);
      }
    });

    it('shows one snapshot, despite changes between the pages', async () => {
      const first = await list('limit=2');
      expect(names(first)).toEqual(['a', 'b']);
      expect(listMeta(first).remainingItemCount).toBe(3);
      await hub.call('DELETE', `${CONFIG_MAPS}/c`);
      await create('bb');
      const second = await list(`limit=2&continue=${listMeta(first).continue}`);
      expect(names(second)).toEqual(['c', 'd']);
      const third = await list(`limit=2&continue=${listMeta(second).continue}`);
      expect(names(third)).toEqual(['e']);
      expect(listMeta(third).continue).toBeUndefined();
      expect(listMeta(third).resourceVersion).toBe(
        listMeta(first).resourceVersion,
      );
    });

    it('has no remainingItemCount with a selector', async () => {
      const answer = await list('limit=2&labelSelector=!x');
      expect(listMeta(answer).continue).toBeDefined();
      expect(listMeta(answer).remainingItemCount).toBeUndefined();
    });

    it('answers 410 once the snapshot is compacted, with a token for an inconsistent list', async () => {
      const first = await list('limit=2');
      await create('bb');
      hub.compact();
      const gone = await list(`limit=2&continue=${listMeta(first).continue}`);
      expect(gone.body).toMatchObject({
        code: 410,
        reason: 'Expired',
        message: expect.stringMatching(
          /^The provided continue parameter is too old/,
        ),
      });
      const rest = await list(`limit=9&continue=${listMeta(gone).continue}`);
      expect(names(rest)).toEqual(['bb', 'c', 'd', 'e']);
    });

    it('shows an exact past revision while its history is kept', async () => {
      const { resourceVersion } = listMeta(await list(''));
      await hub.call('DELETE', `${CONFIG_MAPS}/a`);
      const query = `resourceVersionMatch=Exact&resourceVersion=${resourceVersion}`;
      expect(names(await list(query))).toEqual(['a', 'b', 'c', 'd', 'e']);
      const one = await list(`${query}&fieldSelector=metadata.name%3Da`);
      expect(names(one)).toEqual(['a']);
      hub.compact();
      expect((await list(query)).body.code).toBe(410);
    });
  });

  it('streams a long list completely', async () => {
    await Promise.all(
      Array.from({ length: 5 }, async (_value, lane) => {
        for (let i = 0; i < 40; i++) {
          await hub.create(CONFIG_MAPS, {
            metadata: { name: `a-${lane}-${i}` },
            data: { text: 'x'.repeat(5000) },
          });
        }
      }),
    );
    expect(names(await list(''))).toHaveLength(200);
  });

  it('answers with tables of the kind’s columns', async () => {
    const path = '/apis/argoproj.io/v1alpha1/namespaces/default/applications';
    await hub.create(path, {
      metadata: { name: 'guestbook' },
      spec: { project: 'default', destination: {} },
      status: { sync: { status: 'Synced' } },
    });
    const { body } = await hub.call('GET', path, undefined, TABLE);
    expect(body).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      columnDefinitions: [
        { name: 'Name', priority: 0 },
        { name: 'Sync Status' },
        { name: 'Health Status' },
        { name: 'Revision', priority: 10 },
        { name: 'Project', priority: 10 },
      ],
      rows: [{ cells: ['guestbook', 'Synced', null, null, 'default'] }],
    });
  });

  it('answers with metadata only', async () => {
    await create('a', { x: 'y' });
    const { body } = await hub.call('GET', CONFIG_MAPS, undefined, {
      accept:
        'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    });
    expect(body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
    });
  });
});
