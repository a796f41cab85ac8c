import { createFullPass } from './fullPass';

it.each([
  ['is full once each key has been looked at', true, 1],
  ['is none where a key could not be looked at', false, 0],
])('%s', async (_, looked, times) => {
  const onCompleted = jest.fn();
  const queued: string[] = [];
  const pass = createFullPass({
    keys: ['a', 'b'],
    enqueue: key => queued.push(key),
    onCompleted,
  });
  expect(queued).toEqual(['a', 'b']);
  pass.finished('a', looked);
  pass.finished('b', true);
  await pass.completed;
  expect(onCompleted).toHaveBeenCalledTimes(times);
});
