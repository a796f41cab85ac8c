import { act, renderHook } from '@testing-library/react';
import type { LiveQuery } from './liveQuery';
import { useLive } from './useLive';

/** A query whose result is its name, and whose stream stays open until its signal is aborted. */
function createQuery(name: string) {
  const load = jest.fn(async () => name);
  const streams: AbortSignal[] = [];
  const query: LiveQuery<string> = {
    load,
    async *changes(signal) {
      streams.push(signal);
      await new Promise<void>(resolve =>
        signal.addEventListener('abort', () => resolve()),
      );
    },
    concerns: () => true,
    isPermanent: () => false,
  };
  return { query, load, streams };
}

function setVisibility(visibility: DocumentVisibilityState) {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange'));
}

const pass = (milliseconds: number) =>
  act(() => jest.advanceTimersByTimeAsync(milliseconds));

describe('useLive', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('drops the data of the previous query, and aborts it', async () => {
    const first = createQuery('first');
    const second = createQuery('second');
    const { result, rerender } = renderHook(({ query }) => useLive(query), {
      initialProps: first,
    });
    await pass(0);
    expect(result.current.data).toBe('first');

    rerender(second);
    expect(result.current.data).toBeUndefined();
    expect(first.streams[0].aborted).toBe(true);
    await pass(0);
    expect(result.current.data).toBe('second');
  });

  it('aborts when the component unmounts', async () => {
    const { query, streams } = createQuery('only');
    const { unmount } = renderHook(() => useLive(query));
    await pass(0);
    unmount();
    expect(streams.map(({ aborted }) => aborted)).toEqual([true]);
    await pass(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('closes the stream in a hidden browser tab, and reloads when it is visible again', async () => {
    const { query, load, streams } = createQuery('only');
    const { result } = renderHook(() => useLive(query));
    await pass(2_000);
    act(() => setVisibility('hidden'));
    await pass(30_000);
    expect(streams[0].aborted).toBe(true);
    const requested = load.mock.calls.length;
    await pass(300_000);
    expect(load).toHaveBeenCalledTimes(requested);

    act(() => setVisibility('visible'));
    expect(result.current.data).toBe('only');
    await pass(0);
    expect(load).toHaveBeenCalledTimes(requested + 1);
  });

  it('keeps the stream while the browser tab is hidden only for a short time', async () => {
    const { query, streams } = createQuery('only');
    renderHook(() => useLive(query));
    await pass(2_000);
    act(() => setVisibility('hidden'));
    await pass(10_000);
    act(() => setVisibility('visible'));
    await pass(0);
    expect(streams[0].aborted).toBe(false);
  });
});
