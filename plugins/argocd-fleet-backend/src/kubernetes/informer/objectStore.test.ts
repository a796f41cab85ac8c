import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { createObjectStore, type ObjectChange } from './objectStore';

function thing(
  name: string,
  resourceVersion: number,
  options: { uid?: string; colour?: string } = {},
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
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
      transform: object => object,
      onChange: change => changes.push(change),
    },
  );
  const names = (colour: string) =>
    store.by('colour', colour).map(({ metadata }) => metadata.name);
  return { store, changes, names };
}

describe('object store', () => {
  it('keeps its indexes as objects come, change and go', () => {
    const { store, names } = setUp();
    store.upsert(thing('a', 1, { colour: 'red' }));
    store.upsert(thing('b', 2, { colour: 'red' }));
    expect(names('red')).toEqual(['a', 'b']);

    store.upsert(thing('a', 3, { colour: 'blue' }));
    expect(names('red')).toEqual(['b']);
    expect(names('blue')).toEqual(['a']);

    store.remove('default/b');
    expect(names('red')).toEqual([]);
    expect([...store.values('colour')]).toEqual(['blue']);
  });

  it('takes a full list as the whole truth, and tells only of differences', async () => {
    const { store, changes } = setUp();
    store.upsert(thing('a', 1));
    store.upsert(thing('b', 1));
    changes.length = 0;

    const listing = store.startListing();
    await listing.addPage([thing('b', 1)]);
    await listing.addPage([thing('c', 4)]);
    expect(changes).toEqual([]);
    await listing.complete('4');

    expect([...store.keys()].sort()).toEqual(['default/b', 'default/c']);
    expect(changes.map(({ key }) => key).sort()).toEqual([
      'default/a',
      'default/c',
    ]);
  });

  it('takes up a long list in turns', async () => {
    const { store } = setUp();
    const listing = store.startListing();
    const names = Array.from({ length: 1_200 }, (_, index) => `thing-${index}`);
    await listing.addPage(names.map(name => thing(name, 1)));
    const completed = listing.complete('1');
    expect(store.size).toBe(500);
    await completed;
    expect(store.size).toBe(1_200);
  });

  it('does not go back to a list from before what was written meanwhile', async () => {
    const { store } = setUp();
    store.upsert(thing('changed', 1));
    store.upsert(thing('of another history', 90));
    const listing = store.startListing();
    await listing.addPage([thing('changed', 1), thing('changed since', 4)]);
    store.applyWriteResult(thing('changed', 7));
    store.applyWriteResult(thing('made', 8));
    // Written, then changed and removed by somebody else before the list was made.
    store.applyWriteResult(thing('changed since', 3));
    store.applyWriteResult(thing('removed since', 2));
    await listing.complete('5');
    const versions = [...store.list()].map(
      ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
    );
    expect(versions.sort()).toEqual(['changed 7', 'changed since 4', 'made 8']);
  });

  it('does not go back to an earlier version that the watch tells of late', () => {
    const { store } = setUp();
    store.applyWriteResult(thing('a', 7, { colour: 'written' }));
    store.upsert(thing('a', 5, { colour: 'seen' }));
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('7');
  });

  it('takes an object that was made again under the same name', () => {
    const { store } = setUp();
    store.upsert(thing('a', 9));
    store.upsert(thing('a', 3, { uid: 'another' }));
    expect(store.get('default/a')?.metadata.uid).toBe('another');
  });

  it('does not bring back what is gone when the answer to a write comes late', () => {
    const { store } = setUp();
    store.upsert(thing('a', 1));
    store.remove('default/a');
    store.applyWriteResult(thing('a', 2));
    expect(store.size).toBe(0);
  });
});
