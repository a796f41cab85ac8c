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

it('yields to the event loop while it lists many keys', async () => {
  const startedAt = performance.now();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 1);
  function* keys() {
    const end = performance.now() + 100;
    for (let i = 0; performance.now() < end; i += 1) {
      yield `${i}`;
    }
  }
  const { pass } = startPass(keys(), { skip: () => true });
  await pass.completed;
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(0);
  // Only what listing took, without what ran in between.
  expect(pass.busyMs).toBeGreaterThan(0);
  expect(pass.busyMs).toBeLessThan(performance.now() - startedAt);
});
