import { startFullPass } from './fullPass';

function startPass(
  keys: Iterable<string>,
  options: { skip?: (key: string) => boolean; signal?: AbortSignal } = {},
) {
  const queued: string[] = [];
  const onCompleted = jest.fn();
  const pass = startFullPass({
    keys,
    skip: () => false,
    enqueue: key => queued.push(key),
    signal: new AbortController().signal,
    onListed: () => {},
    onCompleted,
    ...options,
  });
  return { pass, queued, onCompleted };
}

it.each([
  ['is full once each key has been reconciled', true, 1],
  ['is not full when a key could not be reconciled', false, 0],
])('%s', async (_, isReconciled, times) => {
  const { pass, queued, onCompleted } = startPass(['a', 'b', 'a']);
  expect(queued).toEqual(['a', 'b']);
  pass.finished('a', isReconciled);
  pass.finished('b', true);
  await pass.completed;
  expect(onCompleted).toHaveBeenCalledTimes(times);
});

it('skips the keys that need no reconcile', async () => {
  const { pass, queued, onCompleted } = startPass(['a', 'b', 'c'], {
    skip: key => key !== 'b',
  });
  expect(queued).toEqual(['b']);
  pass.finished('b', true);
  await pass.completed;
  expect(onCompleted).toHaveBeenCalledWith(new Set(['b']));
});

it('is full at once without any key', async () => {
  const { pass, onCompleted } = startPass([]);
  await pass.completed;
  expect(onCompleted).toHaveBeenCalledTimes(1);
});

afterEach(() => jest.restoreAllMocks());

it('yields to the event loop while it lists many keys', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  let turns = 0;
  let listed = false;
  setImmediate(function turn() {
    if (!listed) {
      turns += 1;
      now += 1_000;
      setImmediate(turn);
    }
  });
  function* keys() {
    for (let i = 0; i < 100; i += 1) {
      now += 1;
      yield `${i}`;
    }
  }
  const { pass } = startPass(keys(), { skip: () => true });
  await pass.completed;
  listed = true;
  expect(turns).toBeGreaterThan(1);
  // Only what listing took, without what ran in between.
  expect(pass.busyMs).toBe(100);
});
