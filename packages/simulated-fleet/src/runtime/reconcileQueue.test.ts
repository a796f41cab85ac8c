import { silentLogger } from './logger';
import { createClock } from './clock';
import { createReconcileQueue, Reconcile } from './reconcileQueue';

const clock = createClock(50);
afterAll(() => clock.stop());

function queueOf(reconcile: Reconcile, startAfter?: Promise<void>) {
  return createReconcileQueue({
    name: 'test',
    reconcile,
    clock,
    logger: silentLogger,
    signal: new AbortController().signal,
    startAfter,
  });
}

/** A promise and the function that resolves it. */
function deferred() {
  let done: () => void = () => undefined;
  const promise = new Promise<void>(resolve => {
    done = resolve;
  });
  return { promise, done };
}

describe('the reconcile queue', () => {
  it('reconciles a burst of the same key once, and once more for keys added meanwhile', async () => {
    const passes: string[] = [];
    const begun = deferred();
    const first = deferred();
    const second = deferred();
    const queue = queueOf(async key => {
      passes.push(key);
      if (passes.length === 1) {
        queue.add('a');
        queue.add('a');
        begun.done();
        await first.promise;
      } else {
        second.done();
      }
    });
    ['a', 'a', 'a'].forEach(queue.add);
    await begun.promise;
    expect(passes).toEqual(['a']);
    first.done();
    await second.promise;
    expect(passes).toEqual(['a', 'a']);
  });

  it('retries until the reconcile does not fail', async () => {
    let attempts = 0;
    const succeeded = deferred();
    const queue = queueOf(async () => {
      attempts += 1;
      if (attempts < 3) {
        throw new Error('not yet');
      }
      succeeded.done();
    });
    queue.add('a');
    await succeeded.promise;
    expect(attempts).toBe(3);
  });

  it('reconciles again after requeueAfter', async () => {
    let passes = 0;
    const again = deferred();
    const queue = queueOf(async (_, requeueAfter) => {
      passes += 1;
      if (passes === 1) {
        requeueAfter(100);
      } else {
        again.done();
      }
    });
    queue.add('a');
    await again.promise;
    expect(passes).toBe(2);
  });

  it('reconciles nothing before startAfter resolves', async () => {
    const gate = deferred();
    const ran = deferred();
    let opened = false;
    const queue = queueOf(async () => {
      expect(opened).toBe(true);
      ran.done();
    }, gate.promise);
    queue.add('a');
    await new Promise(setImmediate);
    opened = true;
    gate.done();
    await ran.promise;
  });
});
