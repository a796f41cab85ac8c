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
    onNamed: () => {},
    onCompleted,
    ...options,
  });
  return { pass, queued, onCompleted };
}

it.each([
  ['is full once each key has been looked at', true, 1],
  ['is none where a key could not be looked at', false, 0],
])('%s', async (_, looked, times) => {
  const { pass, queued, onCompleted } = startPass(['a', 'b', 'a']);
  expect(queued).toEqual(['a', 'b']);
  pass.finished('a', looked);
  pass.finished('b', true);
  await pass.completed;
  expect(onCompleted).toHaveBeenCalledTimes(times);
});

it('leaves alone what it may', async () => {
  const { pass, queued, onCompleted } = startPass(['a', 'b', 'c'], {
    skip: key => key !== 'b',
  });
  expect(queued).toEqual(['b']);
  pass.finished('b', true);
  await pass.completed;
  expect(onCompleted).toHaveBeenCalledWith(new Set(['b']));
});

it('is full at once where nothing has to be looked at', async () => {
  const { pass, onCompleted } = startPass([]);
  await pass.completed;
  expect(onCompleted).toHaveBeenCalledTimes(1);
});

it('lets others have their turn while it names a large number of keys', async () => {
  let others = 0;
  const timer = setInterval(() => {
    others += 1;
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
  expect(others).toBeGreaterThan(0);
});
