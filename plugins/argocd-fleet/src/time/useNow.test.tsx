import { act, renderHook } from '@testing-library/react';
import { useNow } from './useNow';

afterEach(() => {
  jest.useRealTimers();
});

it('is one clock for all readers, whenever they came', () => {
  jest.useFakeTimers({ now: 100_000 });
  const first = renderHook(() => useNow(1_000));
  expect(first.result.current).toBe(101_000);
  act(() => jest.advanceTimersByTime(2_400));
  const second = renderHook(() => useNow(1_000));
  const slow = renderHook(() => useNow(10_000));
  expect(second.result.current).toBe(first.result.current);
  act(() => jest.advanceTimersByTime(8_000));
  expect(first.result.current).toBe(111_000);
  expect(second.result.current).toBe(111_000);
  expect(slow.result.current).toBe(120_000);
  act(() => jest.advanceTimersByTime(5_000));
  expect(slow.result.current).toBe(120_000);
  act(() => jest.advanceTimersByTime(5_000));
  expect(slow.result.current).toBe(130_000);
});

it('runs only while somebody reads it, and is right again afterwards', () => {
  jest.useFakeTimers({ now: 200_000 });
  const { unmount } = renderHook(() => useNow(1_000));
  expect(jest.getTimerCount()).toBe(1);
  unmount();
  expect(jest.getTimerCount()).toBe(0);
  act(() => jest.advanceTimersByTime(60_000));
  expect(renderHook(() => useNow(1_000)).result.current).toBe(261_000);
});
