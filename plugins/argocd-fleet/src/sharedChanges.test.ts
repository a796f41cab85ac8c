import type { ChangedEvent } from 'backstage-plugin-argocd-fleet-common';
import { shareChanges } from './sharedChanges';

const EVENT: ChangedEvent = { applicationSets: [], hubs: ['hub'] };

/** Streams that the test accepts, feeds and ends. */
function createSource() {
  const streams: {
    readonly signal: AbortSignal;
    readonly accept: () => void;
    readonly emit: (event: ChangedEvent) => void;
    readonly end: (error?: Error) => void;
  }[] = [];
  const changes = shareChanges(async function* source({
    signal,
    onOpen,
  }: Parameters<Parameters<typeof shareChanges>[0]>[0] = {}) {
    const reader = new ReadableStream<ChangedEvent>({
      start(controller) {
        streams.push({
          signal: signal!,
          accept: onOpen!,
          emit: event => controller.enqueue(event),
          end: error => (error ? controller.error(error) : controller.close()),
        });
        signal!.addEventListener('abort', () =>
          controller.error(signal!.reason),
        );
      },
    }).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      yield value;
    }
  });
  return { streams, changes };
}

/** Reads until the stream ends, and records what it is told. */
function subscribe(changes: ReturnType<typeof createSource>['changes']) {
  const abort = new AbortController();
  const events: ChangedEvent[] = [];
  const onOpen = jest.fn();
  const ended = (async () => {
    for await (const event of changes({ signal: abort.signal, onOpen })) {
      events.push(event);
    }
  })();
  return { abort: () => abort.abort(), events, onOpen, ended };
}

const settle = () => new Promise(resolve => setTimeout(resolve));

describe('a shared event stream', () => {
  it('is opened once, and each subscriber gets each event', async () => {
    const { streams, changes } = createSource();
    const readers = [subscribe(changes), subscribe(changes)];
    expect(streams).toHaveLength(1);
    streams[0].emit(EVENT);
    await settle();
    expect(readers.map(({ events }) => events)).toEqual([[EVENT], [EVENT]]);
    readers.forEach(({ abort, ended }) => {
      ended.catch(() => {});
      abort();
    });
  });

  it('tells each subscriber when it is open, also one that comes later', async () => {
    const { streams, changes } = createSource();
    const first = subscribe(changes);
    expect(first.onOpen).not.toHaveBeenCalled();
    streams[0].accept();
    expect(first.onOpen).toHaveBeenCalledTimes(1);
    // At once: a query that knows the stream to be open needs no second load.
    const second = subscribe(changes);
    expect(second.onOpen).toHaveBeenCalledTimes(1);
    expect(first.onOpen).toHaveBeenCalledTimes(1);
    for (const { abort, ended } of [first, second]) {
      abort();
      await expect(ended).rejects.toThrow(/abort/);
    }
  });

  it('is closed with the last subscriber, and opened again for the next', async () => {
    const { streams, changes } = createSource();
    const first = subscribe(changes);
    const second = subscribe(changes);
    first.abort();
    await expect(first.ended).rejects.toThrow(/abort/);
    expect(streams[0].signal.aborted).toBe(false);
    second.abort();
    await expect(second.ended).rejects.toThrow(/abort/);
    expect(streams[0].signal.aborted).toBe(true);

    const third = subscribe(changes);
    expect(streams).toHaveLength(2);
    await settle();
    streams[1].emit(EVENT);
    await settle();
    expect(third.events).toEqual([EVENT]);
    third.abort();
    await expect(third.ended).rejects.toThrow(/abort/);
  });

  it('stays open while one page replaces another', async () => {
    const { streams, changes } = createSource();
    const before = subscribe(changes);
    before.abort();
    const after = subscribe(changes);
    await expect(before.ended).rejects.toThrow(/abort/);
    expect(streams).toHaveLength(1);
    expect(streams[0].signal.aborted).toBe(false);
    after.abort();
    await expect(after.ended).rejects.toThrow(/abort/);
  });

  it.each([
    ['ends', undefined, 'fulfilled'],
    ['fails', new Error('socket hang up'), 'rejected'],
  ])('%s for all subscribers together', async (_how, error, status) => {
    const { streams, changes } = createSource();
    const readers = [subscribe(changes), subscribe(changes)];
    streams[0].end(error);
    const ends = await Promise.allSettled(readers.map(({ ended }) => ended));
    expect(ends).toEqual([
      expect.objectContaining({ status }),
      expect.objectContaining({ status }),
    ]);
    const next = subscribe(changes);
    expect(streams).toHaveLength(2);
    next.abort();
    await expect(next.ended).rejects.toThrow(/abort/);
  });
});
