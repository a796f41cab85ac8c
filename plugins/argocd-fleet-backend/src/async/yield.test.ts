import { setImmediate as nextTurn } from 'node:timers/promises';
import { createYield, yieldToEventLoop } from './yield';

describe('yieldToEventLoop', () => {
  it('lets one caller go on in each turn of the event loop, in their order', async () => {
    const turns: string[][] = [];
    const callers = ['a', 'b', 'c'].map(async name => {
      await yieldToEventLoop();
      turns.at(-1)!.push(name);
      await yieldToEventLoop();
      turns.at(-1)!.push(name);
    });
    let ended = false;
    const all = Promise.all(callers).then(() => {
      ended = true;
    });
    while (!ended) {
      turns.push([]);
      await nextTurn();
    }
    await all;
    expect(turns.filter(turn => turn.length > 0)).toEqual(
      ['a', 'b', 'c', 'a', 'b', 'c'].map(name => [name]),
    );
  });
});

describe('createYield', () => {
  let now = 0;

  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  it('does not yield before the loops have been busy for that long', () => {
    const yieldSometimes = createYield(4);
    now += 4;
    expect(yieldSometimes()).toBeUndefined();
  });

  it('lets no loop go on before the event loop has turned, whichever of them was busy', async () => {
    const yieldSometimes = createYield(4);
    /** Milliseconds of work in each turn of the event loop. */
    const turns = [0];
    let stopped = false;
    const turn = () => {
      if (!stopped) {
        turns.push(0);
        setImmediate(turn);
      }
    };
    setImmediate(turn);
    const loop = async () => {
      for (let items = 0; items < 50; items += 1) {
        now += 1;
        turns[turns.length - 1] += 1;
        await yieldSometimes();
      }
    };
    await Promise.all(Array.from({ length: 10 }, loop));
    stopped = true;

    expect(turns.reduce((sum, ms) => sum + ms, 0)).toBe(500);
    // Loops that had already been resumed do one more item each.
    expect(Math.max(...turns)).toBeLessThanOrEqual(4 + 10);
  });

  it('counts anew after each turn', async () => {
    const yieldSometimes = createYield(4);
    now += 5;
    await expect(yieldSometimes()).resolves.toBeUndefined();
    now += 4;
    expect(yieldSometimes()).toBeUndefined();
    now += 1;
    expect(yieldSometimes()).toBeDefined();
  });
});
