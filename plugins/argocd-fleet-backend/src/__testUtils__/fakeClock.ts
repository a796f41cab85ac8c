/** For each test of a `describe`: time, also that of the monotonic clock, goes on only where the test advances it. */
export function useFakeClock(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    jest
      .spyOn(performance, 'now')
      .mockImplementation(() => Date.now() - performance.timeOrigin);
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
}
