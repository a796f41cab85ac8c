import { mockLogger } from './__testUtils__/mockLogger';
import { createHistoryCleaningTask } from './historyCleaning';

const DAY_MS = 86_400_000;

describe('the history cleaning task', () => {
  const logger = mockLogger();
  const { signal } = new AbortController();

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('removes history that is older than the configured time', async () => {
    const asked: Date[] = [];
    const task = createHistoryCleaningTask({
      database: {
        async retireUnconfiguredHubs(configured, startedBefore) {
          expect(configured).toEqual(['hub']);
          expect(startedBefore.getTime()).toBeLessThan(
            Date.now() - 89 * DAY_MS,
          );
          return 5;
        },
        async removeHistory(before) {
          asked.push(before);
          return { transitions: 3, applications: 1 };
        },
      },
      hubNames: ['hub'],
      keepHistoryMs: 90 * DAY_MS,
      logger,
    });
    await task.fn(signal);
    expect(asked).toEqual([new Date(Date.now() - 90 * DAY_MS)]);
    expect(logger.info).toHaveBeenCalledWith(
      expect.stringMatching(/^Removed 3 transitions and 1 gone Applications/),
    );
    expect(logger.info).toHaveBeenCalledWith(
      expect.stringMatching(
        /^Marked 5 Applications as gone: their hubs are no longer/,
      ),
    );
  });

  it('runs on one replica, and fails when the database fails', async () => {
    const task = createHistoryCleaningTask({
      database: {
        retireUnconfiguredHubs: async () => 0,
        async removeHistory() {
          throw new Error('no connection');
        },
      },
      hubNames: ['hub'],
      keepHistoryMs: DAY_MS,
      logger,
    });
    expect(task.scope).toBe('global');
    await expect(task.fn(signal)).rejects.toThrow('no connection');
  });
});
