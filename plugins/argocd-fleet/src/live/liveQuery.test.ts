import type { ChangedEvent } from 'backstage-plugin-argocd-fleet-common';
import { LIVE_TIMING, startLiveQuery, type LiveState } from './liveQuery';

const CHANGE: ChangedEvent = {
  applicationSets: [{ hub: 'hub', namespace: 'argocd', name: 'guestbook' }],
  hubs: [],
};
const OTHER: ChangedEvent = { applicationSets: [], hubs: ['elsewhere'] };

/**
 * A query whose results and stream are controlled by the test.
 * @param shared - the stream is open already, by another query of the page
 */
function createSource(shared = false) {
  let answer = 0;
  let failing: Error | undefined;
  let pending: (() => void)[] = [];
  let hold = false;
  let running = 0;
  let most = 0;
  let loads = 0;
  let connections = 0;
  let streamError: Error | undefined;
  let streamEnded = false;
  let wake: (() => void) | undefined;
  let queue: ChangedEvent[] = [];
  const states: LiveState<number>[] = [];

  const nextEvent = (signal: AbortSignal) =>
    new Promise<void>(resolve => {
      wake = resolve;
      signal.addEventListener('abort', () => resolve());
    });

  const stop = startLiveQuery<number>(
    {
      async load(signal) {
        loads += 1;
        running += 1;
        most = Math.max(most, running);
        if (hold) {
          await new Promise<void>(resolve => pending.push(resolve));
        }
        running -= 1;
        signal.throwIfAborted();
        if (failing) {
          throw failing;
        }
        answer += 1;
        return answer;
      },
      async *changes(signal, onOpen) {
        connections += 1;
        if (streamError) {
          throw streamError;
        }
        if (!shared) {
          await undefined;
        }
        onOpen();
        while (!signal.aborted) {
          if (streamError) {
            throw streamError;
          }
          const events = queue;
          queue = [];
          yield* events;
          if (streamEnded) {
            streamEnded = false;
            return;
          }
          await nextEvent(signal);
        }
      },
      concerns: event => event === CHANGE,
      isPermanent: error => error.message === 'forbidden',
    },
    state => states.push(state),
  );

  return {
    stop,
    states,
    latest: () => states[states.length - 1],
    counts: () => ({ loads, connections, most }),
    emit(...events: ChangedEvent[]) {
      queue.push(...events);
      wake?.();
    },
    breakStream() {
      streamError = new Error('stream is down');
      wake?.();
    },
    endStream() {
      streamEnded = true;
      wake?.();
    },
    repairStream() {
      streamError = undefined;
    },
    fail(error: Error | undefined) {
      failing = error;
    },
    holdAnswers() {
      hold = true;
    },
    release() {
      hold = false;
      pending.forEach(resolve => resolve());
      pending = [];
    },
  };
}

const pass = (milliseconds: number) =>
  jest.advanceTimersByTimeAsync(milliseconds);

describe('a live query', () => {
  let source: ReturnType<typeof createSource>;

  beforeEach(async () => {
    jest.useFakeTimers();
    source = createSource();
    await pass(LIVE_TIMING.coalesce);
  });
  afterEach(() => {
    source.stop();
    jest.useRealTimers();
  });

  it('loads immediately, and once more when the stream is open', () => {
    expect(source.latest()).toMatchObject({ data: 2, connection: 'live' });
  });

  it('loads once where the stream is open already', async () => {
    const second = createSource(true);
    await pass(LIVE_TIMING.coalesce);
    expect(second.latest()).toMatchObject({ data: 1, connection: 'live' });
    second.stop();
  });

  it('loads once for a burst of changes', async () => {
    const before = source.counts().loads;
    source.emit(CHANGE, CHANGE);
    await pass(100);
    source.emit(CHANGE);
    await pass(LIVE_TIMING.coalesce);
    expect(source.counts().loads).toBe(before + 1);
  });

  it('ignores changes of other objects', async () => {
    const before = source.counts().loads;
    source.emit(OTHER);
    await pass(LIVE_TIMING.poll);
    expect(source.counts().loads).toBe(before);
  });

  it('never runs two requests at a time, and loses no change', async () => {
    source.holdAnswers();
    source.emit(CHANGE);
    await pass(LIVE_TIMING.coalesce);
    const before = source.counts().loads;
    source.emit(CHANGE);
    await pass(LIVE_TIMING.longestCoalesce);
    expect(source.counts()).toMatchObject({ loads: before, most: 1 });
    source.release();
    await pass(LIVE_TIMING.longestCoalesce);
    expect(source.counts()).toMatchObject({ loads: before + 1, most: 1 });
  });

  it('polls at long intervals while the stream is open', async () => {
    const before = source.counts().loads;
    await pass(LIVE_TIMING.safetyPoll);
    expect(source.counts().loads).toBe(before + 1);
  });

  it('polls while the stream is closed, and reconnects with growing delays', async () => {
    source.breakStream();
    await pass(0);
    expect(source.latest().connection).toBe('polling');
    const { loads, connections } = source.counts();
    await pass(20_000);
    expect(source.counts().loads).toBe(loads + 4);
    // After 1, 2, 4 and 8 seconds.
    expect(source.counts().connections).toBe(connections + 4);

    source.repairStream();
    await pass(LIVE_TIMING.longestRetry);
    expect(source.latest().connection).toBe('live');
  });

  it('stays live while the backend renews the stream, and loads what changed meanwhile', async () => {
    await pass(LIVE_TIMING.shortestStream);
    const { loads, connections } = source.counts();
    const { length } = source.states;
    source.endStream();
    await pass(LIVE_TIMING.renewal + LIVE_TIMING.coalesce);
    expect(source.counts()).toMatchObject({
      loads: loads + 1,
      connections: connections + 1,
    });
    const shown = source.states.slice(length);
    expect(shown.map(({ connection }) => connection)).toEqual(['live']);
  });

  it('stays live where the backend renews a stream that other pages opened long ago', async () => {
    const late = createSource(true);
    await pass(LIVE_TIMING.coalesce);
    late.endStream();
    await pass(LIVE_TIMING.renewal + LIVE_TIMING.coalesce);
    expect(late.counts().connections).toBe(2);
    const shown = new Set(late.states.map(({ connection }) => connection));
    late.stop();
    expect([...shown]).toEqual(['live']);
  });

  it('polls where a stream ends as soon as it is open, and does not open it all the time', async () => {
    source.endStream();
    await pass(LIVE_TIMING.renewal);
    const { connections } = source.counts();
    source.endStream();
    await pass(0);
    expect(source.latest().connection).toBe('polling');
    await pass(LIVE_TIMING.firstRetry - 1);
    expect(source.counts().connections).toBe(connections);
  });

  it('keeps the last result while requests fail, with the error', async () => {
    const { updatedAt, data } = source.latest();
    source.fail(new Error('backend is down'));
    source.emit(CHANGE);
    await pass(LIVE_TIMING.coalesce);
    expect(source.latest()).toMatchObject({
      connection: 'reconnecting',
      data,
      updatedAt,
      error: { message: 'backend is down' },
    });

    source.fail(undefined);
    await pass(LIVE_TIMING.poll);
    expect(source.latest()).toMatchObject({ connection: 'live', data: 3 });
    expect(source.latest().error).toBeUndefined();
  });

  it('gives up a request that gets no answer, says so, and tries again', async () => {
    source.holdAnswers();
    source.emit(CHANGE);
    await pass(LIVE_TIMING.coalesce);
    const { loads } = source.counts();
    await pass(LIVE_TIMING.answer - 1);
    expect(source.latest().connection).toBe('live');
    await pass(1);
    expect(source.latest()).toMatchObject({
      connection: 'reconnecting',
      data: 2,
      error: { message: 'No answer within 30 s' },
    });
    await pass(LIVE_TIMING.poll);
    expect(source.counts().loads).toBe(loads + 1);
  });

  it('retries a permanent error less often', async () => {
    source.fail(new Error('forbidden'));
    source.emit(CHANGE);
    await pass(LIVE_TIMING.coalesce);
    const before = source.counts().loads;
    await pass(LIVE_TIMING.safetyPoll - 1);
    expect(source.counts().loads).toBe(before);
    await pass(1);
    expect(source.counts().loads).toBe(before + 1);
  });

  it('publishes nothing and requests nothing after stop', async () => {
    source.holdAnswers();
    source.emit(CHANGE);
    await pass(LIVE_TIMING.coalesce);
    const { length } = source.states;
    const before = source.counts();
    source.stop();
    source.release();
    await pass(120_000);
    expect(source.states).toHaveLength(length);
    expect(source.counts()).toEqual(before);
    expect(jest.getTimerCount()).toBe(0);
  });
});
