import { waitFor } from '../../__testUtils__/waitFor';
import { createGroupCommit } from './groupCommit';

/** A store that writes a group on demand. */
function slowStore() {
  const groups: string[][] = [];
  const endings: { resolve(): void; reject(error: Error): void }[] = [];
  return {
    groups,
    commit: (records: readonly string[]) =>
      new Promise<void>((resolve, reject) => {
        groups.push([...records]);
        endings.push({ resolve, reject });
      }),
    async next() {
      return waitFor(() => endings.shift());
    },
  };
}

const ready = async () => {};

describe('group commit', () => {
  let now: number;

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('writes together the keys that were added while the group before was written', async () => {
    const store = slowStore();
    const { add } = createGroupCommit({
      ...store,
      prepare: ready,
      recordOf: key => key,
    });
    const all = [add('a')];
    const first = await store.next();
    all.push(add('b'), add('c'));
    first.resolve();
    await all[0];
    (await store.next()).resolve();
    await Promise.all(all);
    expect(store.groups).toEqual([['a'], ['b', 'c']]);
  });

  it('waits while there is more urgent work, and then writes what was added meanwhile together', async () => {
    const groups: string[][] = [];
    let urgent = true;
    const asked = jest.fn(() => urgent);
    const { add } = createGroupCommit({
      prepare: ready,
      recordOf: key => key,
      commit: async records => void groups.push([...records]),
      hasUrgentWork: asked,
    });
    await add('a');
    const later = [add('b')];
    await waitFor(() => asked.mock.calls.length >= 2);
    later.push(add('c'));
    expect(groups).toEqual([['a']]);
    urgent = false;
    await Promise.all(later);
    expect(groups).toEqual([['a'], ['b', 'c']]);
  });

  it('does not wait for urgent work without end', async () => {
    const groups: string[][] = [];
    const { add } = createGroupCommit({
      prepare: ready,
      recordOf: key => key,
      commit: async records => void groups.push([...records]),
      hasUrgentWork() {
        now += 500;
        return true;
      },
    });
    await add('a');
    await add('b');
    expect(groups).toEqual([['a'], ['b']]);
  });

  it('resolves each key only when its own group is written, and at once when there is nothing to write', async () => {
    const store = slowStore();
    const { add } = createGroupCommit({
      ...store,
      prepare: ready,
      recordOf: key => (key === 'nothing' ? undefined : key),
    });
    const done: string[] = [];
    const all = ['a', 'nothing'].map(key =>
      add(key).then(() => done.push(key)),
    );
    const first = await store.next();
    await all[1];
    expect(done).toEqual(['nothing']);
    first.resolve();
    await all[0];
    expect(store.groups).toEqual([['a']]);
  });

  it('rejects only the key whose record cannot be made', async () => {
    const { add } = createGroupCommit({
      prepare: ready,
      recordOf(key) {
        if (key === 'broken') {
          throw new Error('cannot be read');
        }
        return key;
      },
      commit: ready,
    });
    const results = await Promise.allSettled(['a', 'broken', 'b'].map(add));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('continues after a group that could not be written', async () => {
    const store = slowStore();
    const { add } = createGroupCommit({
      ...store,
      prepare: ready,
      recordOf: key => key,
    });
    const failing = Promise.allSettled([add('a'), add('b')]);
    (await store.next()).reject(new Error('no space'));
    expect(await failing).toMatchObject([
      { status: 'rejected', reason: { message: 'no space' } },
      { status: 'rejected' },
    ]);
    const again = add('a');
    (await store.next()).resolve();
    await again;
  });

  it('rejects all waiting keys when the preparation fails, and tries again for the next', async () => {
    let prepared = false;
    const { add } = createGroupCommit({
      async prepare() {
        if (!prepared) {
          throw new Error('no connection');
        }
      },
      recordOf: key => key,
      commit: ready,
    });
    await expect(Promise.any([add('a'), add('b')])).rejects.toMatchObject({
      errors: [{ message: 'no connection' }, { message: 'no connection' }],
    });
    prepared = true;
    await add('a');
  });

  it('rejects all abandoned keys, and takes new ones without waiting for the write under way', async () => {
    const store = slowStore();
    const { add, abandon } = createGroupCommit({
      ...store,
      prepare: ready,
      recordOf: key => key,
    });
    const written = add('a');
    const first = await store.next();
    const waiting = add('b');
    abandon(new Error('the run is over'));
    await expect(written).rejects.toThrow('the run is over');
    await expect(waiting).rejects.toThrow('the run is over');
    const later = add('c');
    (await store.next()).resolve();
    await later;
    first.resolve();
    const last = add('d');
    (await store.next()).resolve();
    await last;
    expect(store.groups).toEqual([['a'], ['c'], ['d']]);
  });

  it('does not reject keys of the next run with those that were abandoned', async () => {
    const prepared: (() => void)[] = [];
    const { add, abandon } = createGroupCommit({
      prepare: () => new Promise<void>(resolve => prepared.push(resolve)),
      recordOf: key => key,
      commit: ready,
    });
    const abandoned = add('a');
    await waitFor(() => prepared.length === 1);
    abandon(new Error('the run is over'));
    const next = add('b');
    await expect(abandoned).rejects.toThrow('the run is over');
    await waitFor(() => prepared.length === 2);
    prepared[1]();
    await next;
  });

  it('makes groups no larger than allowed', async () => {
    const sizes: number[] = [];
    const { add } = createGroupCommit({
      prepare: ready,
      recordOf: key => key,
      async commit(records) {
        sizes.push(records.length);
      },
    });
    const keys = Array.from({ length: 350 }, (_, index) => `key-${index}`);
    await Promise.all(keys.map(add));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(350);
  });
});
