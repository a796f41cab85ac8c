import { startTestHub, TestHub } from './__testUtils__/testHub';
import { watch, Watcher } from './__testUtils__/watcher';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

describe('watching', () => {
  let hub: TestHub;
  const watchers: Watcher[] = [];

  beforeEach(async () => {
    hub = await startTestHub({ eventHistory: 8, bookmarkInterval: 20 });
  });

  afterEach(async () => {
    await Promise.all(watchers.splice(0).map(watcher => watcher.stop()));
    await hub.stop();
  });

  async function open(
    query: string,
    headers?: { [name: string]: string },
    path = CONFIG_MAPS,
  ): Promise<Watcher> {
    const watcher = await watch(hub, `${path}?watch=1${query}`, headers);
    watchers.push(watcher);
    return watcher;
  }

  const create = (name: string, labels = {}) =>
    hub.create(CONFIG_MAPS, { metadata: { name, labels } });

  const label = (name: string, labels: object) =>
    hub.call(
      'PATCH',
      `${CONFIG_MAPS}/${name}`,
      { metadata: { labels } },
      MERGE,
    );

  it.each(['', '&resourceVersion=0'])(
    'starts with the current objects (%p)',
    async query => {
      await create('b');
      await create('a');
      const watcher = await open(query);
      await watcher.until(2);
      await create('c');
      await label('a', { x: 'y' });
      await hub.call('DELETE', `${CONFIG_MAPS}/b`);
      await watcher.until(5);
      expect(watcher.texts).toEqual([
        'ADDED a',
        'ADDED b',
        'ADDED c',
        'MODIFIED a',
        'DELETED b',
      ]);
    },
  );

  it('continues from a resourceVersion, and sends a deletion with its own revision', async () => {
    await create('a');
    const { metadata } = await create('b');
    await hub.call('DELETE', `${CONFIG_MAPS}/b`);
    await create('c');
    const watcher = await open(`&resourceVersion=${metadata.resourceVersion}`);
    const [deleted] = await watcher.until(2);
    expect(watcher.texts).toEqual(['DELETED b', 'ADDED c']);
    expect(Number(deleted.object.metadata.resourceVersion)).toBe(
      Number(metadata.resourceVersion) + 1,
    );
  });

  it('sends ADDED and DELETED for objects that start and cease to match a selector', async () => {
    const watcher = await open('&labelSelector=x%3Dy');
    await create('a');
    await label('a', { x: 'y' });
    await label('a', { other: 'z' });
    const { body } = await label('a', { x: 'n' });
    await label('a', { x: 'm' });
    await create('b', { x: 'y' });
    await watcher.until(4);
    expect(watcher.texts).toEqual([
      'ADDED a',
      'MODIFIED a',
      'DELETED a',
      'ADDED b',
    ]);
    expect(watcher.events[2].object.metadata).toMatchObject({
      labels: { x: 'y' },
      resourceVersion: body.metadata.resourceVersion,
    });
  });

  it('sends only the events of its namespace', async () => {
    const everywhere = await open('', {}, '/api/v1/configmaps');
    const here = await open('');
    await hub.create('/api/v1/namespaces/kube-system/configmaps', {
      metadata: { name: 'there' },
    });
    await create('here');
    await everywhere.until(2);
    await here.until(1);
    expect(here.texts).toEqual(['ADDED here']);
  });

  it('answers 410 when the changes since a resourceVersion are no longer kept', async () => {
    const { metadata } = await create('first');
    for (let i = 0; i < 12; i++) {
      await create(`a${i}`);
    }
    const watcher = await open(`&resourceVersion=${metadata.resourceVersion}`);
    await watcher.ended;
    expect(watcher.events).toMatchObject([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          code: 410,
          reason: 'Expired',
          message: expect.stringMatching(
            /^too old resource version: \d+ \(\d+\)$/,
          ),
        },
      },
    ]);
  });

  it('sends bookmarks with the newest revision', async () => {
    const watcher = await open('&allowWatchBookmarks=true&resourceVersion=1');
    const { metadata } = await hub.create('/api/v1/namespaces', {
      metadata: { name: 'elsewhere' },
    });
    const known = watcher.events.length;
    const events = await watcher.until(known + 2);
    expect(events.at(-1)).toMatchObject({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: metadata.resourceVersion },
      },
    });
  });

  it('sends initial events and marks their end', async () => {
    await create('a');
    const watcher = await open(
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    );
    const events = await watcher.until(2);
    expect(events[0].type).toBe('ADDED');
    expect(events[1]).toMatchObject({
      type: 'BOOKMARK',
      object: {
        metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    });
  });

  it('ends after its timeout', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    const watcher = await open('&timeoutSeconds=1');
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 1_000);
    timers.mockRestore();
    await watcher.ended;
    expect(watcher.events).toEqual([]);
  });

  it('sends tables to clients that accept them', async () => {
    const watcher = await open('', TABLE);
    await hub.create(CONFIG_MAPS, {
      metadata: { name: 'a' },
      data: { k: 'v', l: 'w' },
    });
    const [event] = await watcher.until(1);
    expect(event).toMatchObject({
      type: 'ADDED',
      object: {
        kind: 'Table',
        columnDefinitions: [
          { name: 'Name' },
          { name: 'Data' },
          { name: 'Age' },
        ],
        rows: [
          {
            cells: ['a', 2, expect.stringMatching(/^\d+s$/)],
            object: { kind: 'PartialObjectMetadata' },
          },
        ],
      },
    });
  });

  it('sends a hundred watchers the same events in the same order', async () => {
    const all = await Promise.all(
      Array.from({ length: 100 }, () => open('&resourceVersion=0')),
    );
    await Promise.all(
      Array.from({ length: 20 }, (_value, index) => create(`a${index}`)),
    );
    await Promise.all(all.map(watcher => watcher.until(20)));
    const [first, ...others] = all.map(watcher => watcher.texts);
    expect(new Set(first).size).toBe(20);
    for (const texts of others) {
      expect(texts).toEqual(first);
    }
  });
});
