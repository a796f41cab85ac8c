import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { createObjectStore, type ObjectChange } from './objectStore';

function object(
  name: string,
  resourceVersion: number,
  options: { uid?: string; colour?: string } = {},
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Widget',
    metadata: {
      namespace: 'default',
      name,
      uid: options.uid ?? `uid-of-${name}`,
      resourceVersion: String(resourceVersion),
      labels: options.colour ? { colour: options.colour } : {},
    },
  };
}

function setUp() {
  const changes: ObjectChange<KubernetesObject>[] = [];
  const store = createObjectStore<KubernetesObject, KubernetesObject, 'colour'>(
    {
      indexes: {
        colour: ({ metadata }) => Object.values(metadata.labels ?? {}),
      },
      transform: whole => whole,
      onChange: change => changes.push(change),
    },
  );
  const names = (colour: string) =>
    store.by('colour', colour).map(({ metadata }) => metadata.name);
  return { store, changes, names };
}

describe('object store', () => {
  it('updates its indexes as objects are added, changed and removed', () => {
    const { store, names } = setUp();
    store.upsert(object('a', 1, { colour: 'red' }));
    store.upsert(object('b', 2, { colour: 'red' }));
    expect(names('red')).toEqual(['a', 'b']);

    store.upsert(object('a', 3, { colour: 'blue' }));
    expect(names('red')).toEqual(['b']);
    expect(names('blue')).toEqual(['a']);

    store.remove(object('b', 4));
    expect(names('red')).toEqual([]);
    expect([...store.values('colour')]).toEqual(['blue']);
  });

  it('replaces its objects by a full list, and reports only differences', async () => {
    const { store, changes } = setUp();
    store.upsert(object('a', 1));
    store.upsert(object('b', 1));
    changes.length = 0;

    const listing = store.startListing();
    listing.add(object('b', 1));
    listing.add(object('c', 4));
    expect(changes).toEqual([]);
    await listing.complete('4');

    expect([...store.keys()].sort()).toEqual(['default/b', 'default/c']);
    expect(changes.map(({ key }) => key).sort()).toEqual([
      'default/a',
      'default/c',
    ]);
  });

  it('applies a long list in batches of a few milliseconds', async () => {
    const { store, changes } = setUp();
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => {
      now += 1;
      return now;
    });
    const listing = store.startListing();
    for (let index = 0; index < 100; index += 1) {
      listing.add(object(`object-${index}`, 1));
    }
    const completed = listing.complete('1');
    const atOnce = changes.length;
    await completed;
    jest.restoreAllMocks();
    expect(atOnce).toBeGreaterThan(0);
    expect(atOnce).toBeLessThan(20);
    expect(store.size).toBe(100);
  });

  it('keeps answers to writes that are later than the list', async () => {
    const { store } = setUp();
    store.upsert(object('changed', 1));
    const listing = store.startListing();
    listing.add(object('changed', 1));
    listing.add(object('changed since', 4));
    store.applyWriteResult(object('changed', 7));
    store.applyWriteResult(object('made', 8));
    // Written, then changed or removed by others before the list.
    store.applyWriteResult(object('changed since', 3));
    store.applyWriteResult(object('removed since', 2));
    await listing.complete('5');
    const versions = [...store.list()].map(
      ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
    );
    expect(versions.sort()).toEqual(['changed 7', 'changed since 4', 'made 8']);
  });

  it('ignores an earlier version in a late watch event', () => {
    const { store } = setUp();
    store.applyWriteResult(object('a', 7, { colour: 'written' }));
    store.upsert(object('a', 5, { colour: 'seen' }));
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('7');
  });

  it('stores an object that was created again under the same name', () => {
    const { store } = setUp();
    store.upsert(object('a', 3));
    store.upsert(object('a', 9, { uid: 'another' }));
    expect(store.get('default/a')?.metadata.uid).toBe('another');
  });

  it('ignores an earlier version in a late watch event, also of a predecessor', () => {
    const { store } = setUp();
    store.applyWriteResult(object('a', 7, { uid: 'successor' }));
    store.upsert(object('a', 5));
    expect(store.get('default/a')?.metadata.uid).toBe('successor');
    store.remove(object('a', 6));
    expect(store.get('default/a')?.metadata.uid).toBe('successor');
  });

  it('removes the predecessor of an object that was deleted too', () => {
    const { store } = setUp();
    store.upsert(object('a', 3));
    store.remove(object('a', 7, { uid: 'successor' }));
    expect(store.size).toBe(0);
  });

  it('stores an object again that ceased to match the selector of its watch', () => {
    const { store } = setUp();
    const version = () => store.get('default/a')?.metadata.resourceVersion;
    store.upsert(object('a', 1));
    store.remove(object('a', 3));
    store.applyWriteResult(object('a', 4));
    expect(version()).toBeUndefined();
    store.upsert(object('a', 5));
    expect(version()).toBe('5');
    // We made it cease to match, and match again, before the watch reports the first.
    store.applyWriteResult(object('a', 9));
    expect(version()).toBe('9');
    store.remove(object('a', 8));
    store.upsert(object('a', 9));
    expect(version()).toBe('9');
  });

  it('follows a list to an earlier history, whatever it knows of the later one', async () => {
    const { store } = setUp();
    const versions = () =>
      Array.from(
        store.list(),
        ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
      ).sort();
    ['changed', 'deleted', 'replaced', 'written', 'missing'].forEach(name =>
      store.upsert(object(name, 90)),
    );
    store.applyDeletion(object('deleted', 90));
    store.remove(object('written', 91));
    const listing = store.startListing();
    store.applyDeletion(object('replaced', 90));
    store.applyWriteResult(object('changed', 9));
    listing.add(object('changed', 3));
    listing.add(object('deleted', 4));
    listing.add(object('replaced', 5, { uid: 'successor' }));
    await listing.complete('6');
    expect(versions()).toEqual(['changed 3', 'deleted 4', 'replaced 5']);

    store.upsert(object('replaced', 7, { uid: 'successor' }));
    store.upsert(object('missing', 8));
    store.applyWriteResult(object('written', 9, { uid: 'successor' }));
    store.applyWriteResult(object('deleted', 10));
    expect(versions()).toEqual([
      'changed 3',
      'deleted 10',
      'missing 8',
      'replaced 7',
      'written 9',
    ]);
  });

  it('goes by UIDs where resource versions are not numbers', () => {
    const { store } = setUp();
    const uid = () => store.get('default/a')?.metadata.uid;
    store.upsert(object('a', NaN));
    store.remove(object('a', NaN));
    store.applyWriteResult(object('a', NaN));
    expect(uid()).toBeUndefined();
    store.applyWriteResult(object('a', NaN, { uid: 'successor' }));
    store.remove(object('a', NaN));
    store.applyWriteResult(object('a', NaN));
    store.applyDeletion(object('a', NaN));
    expect(uid()).toBe('successor');
  });

  it('does not store a deleted object again when the answer to a write is late', () => {
    const { store } = setUp();
    store.upsert(object('a', 1));
    store.remove(object('a', 3));
    store.applyWriteResult(object('a', 2));
    expect(store.size).toBe(0);
  });

  describe('an object that cannot be processed', () => {
    function setUpFailing() {
      const unreadable: string[] = [];
      const store = createObjectStore<
        KubernetesObject,
        KubernetesObject,
        'colour'
      >({
        indexes: {
          colour: it => {
            if (it.kind === 'stored NoIndex' && !it.unreadable) {
              throw new Error('no index');
            }
            return Object.values(it.metadata.labels ?? {});
          },
        },
        transform: it => {
          if (it.kind === 'NoTransform') {
            throw new Error('no transform');
          }
          return { ...it, kind: `stored ${it.kind}` };
        },
        onChange: () => {},
        onUnreadable: ({ metadata }, error) =>
          unreadable.push(`${metadata.name}: ${error}`),
      });
      return { store, unreadable };
    }
    const failing = (name: string, kind: string, version = 1) => ({
      ...object(name, version, { colour: 'red' }),
      kind,
      spec: { secret: true },
    });

    it('is stored with its metadata alone, and is found by them', async () => {
      const { store, unreadable } = setUpFailing();
      store.upsert(failing('a', 'NoTransform'));
      const listing = store.startListing();
      listing.add(failing('b', 'NoTransform'));
      listing.add({
        ...object('c', 2, { colour: 'red' }),
        unreadable: 'is too deep',
      });
      listing.add(object('d', 2, { colour: 'red' }));
      await listing.complete('3');
      store.applyWriteResult(failing('e', 'NoIndex', 4));
      expect(
        store
          .by('colour', 'red')
          .map(it => [it.metadata.name, it.unreadable, 'spec' in it]),
      ).toEqual([
        ['b', 'could not be processed', true],
        ['c', 'is too deep', false],
        ['d', undefined, false],
        ['e', 'could not be processed', true],
      ]);
      expect(JSON.stringify([...store.list()])).not.toContain('secret');
      expect([...store.unreadable()]).toEqual([
        'default/b',
        'default/c',
        'default/e',
      ]);
      expect(unreadable).toEqual([
        'a: Error: no transform',
        'b: Error: no transform',
        'c: undefined',
        'e: Error: no index',
      ]);
    });

    it('is whole again when it can be processed, and gone when it is deleted', () => {
      const { store, unreadable } = setUpFailing();
      store.upsert(failing('a', 'NoTransform'));
      store.upsert(failing('a', 'NoTransform', 2));
      expect(unreadable).toHaveLength(1);
      store.upsert(failing('a', 'Widget', 3));
      expect(store.get('default/a')).toMatchObject({ kind: 'stored Widget' });
      expect([...store.unreadable()]).toEqual([]);
      store.upsert(failing('a', 'NoTransform', 4));
      store.remove(failing('a', 'NoTransform', 5));
      expect([...store.unreadable(), ...store.keys()]).toEqual([]);
      expect(store.by('colour', 'red')).toEqual([]);
    });
  });
});
