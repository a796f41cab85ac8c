import { nextTurn } from './nextTurn';

it('gives every caller a turn of the event loop of its own, in order', async () => {
  const steps: string[] = [];
  const work = ['a', 'b', 'c'].map(async name => {
    await nextTurn();
    steps.push(name);
  });
  const turns = (async () => {
    for (let turn = 1; turn <= 3; turn += 1) {
      await new Promise(resolve => setImmediate(resolve));
      steps.push(`end of turn ${turn}`);
    }
  })();
  await Promise.all([...work, turns]);
  expect(steps).toEqual([
    'a',
    'end of turn 1',
    'b',
    'end of turn 2',
    'c',
    'end of turn 3',
  ]);
});
