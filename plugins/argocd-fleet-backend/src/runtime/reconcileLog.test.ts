import { mockLogger } from '../__testUtils__/mockLogger';
import { createReconcileLog } from './reconcileLog';

describe('the log of a controller', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function write(count: number, log: ReturnType<typeof createReconcileLog>) {
    for (let i = 0; i < count; i += 1) {
      log.wrote('create', 'ManifestWork', {
        namespace: 'cluster1',
        name: `w${i}`,
      });
    }
  }

  it('counts the writes of ten seconds in one line, and names the objects at debug', () => {
    const logger = mockLogger();
    const log = createReconcileLog(logger);
    write(1_704, log);
    log.wrote('patch', 'ManifestWork', { namespace: 'cluster1', name: 'w1' });
    expect(logger.info).not.toHaveBeenCalled();
    jest.advanceTimersByTime(10_000);
    expect(logger.info.mock.calls).toEqual([
      ['Writes in 10 s: create ManifestWork: 1704, patch ManifestWork: 1'],
    ]);
    const named = logger.debug.mock.calls.flatMap(([message, details]) =>
      String((details as { objects: string }).objects)
        .split(' ')
        .map(object => `${message} ${object}`),
    );
    expect(logger.debug).toHaveBeenCalledTimes(19);
    expect(named).toHaveLength(1_705);
    expect(new Set(named)).toContain('create ManifestWork cluster1/w1703');
    expect(named.at(-1)).toBe('patch ManifestWork cluster1/w1');
    jest.advanceTimersByTime(60_000);
    expect(logger.info).toHaveBeenCalledTimes(1);
    write(1, log);
    jest.advanceTimersByTime(10_000);
    expect(logger.info).toHaveBeenLastCalledWith(
      'Writes in 10 s: create ManifestWork: 1',
    );
  });

  it('logs what is left when it is flushed', () => {
    const logger = mockLogger();
    const log = createReconcileLog(logger);
    log.flush();
    expect(logger.info).not.toHaveBeenCalled();
    write(2, log);
    log.flush();
    jest.advanceTimersByTime(20_000);
    expect(logger.info.mock.calls).toEqual([
      ['Writes in 1 s: create ManifestWork: 2'],
    ]);
  });

  it('lists the first failures, and counts all of them', () => {
    const logger = mockLogger();
    const log = createReconcileLog(logger);
    for (let attempts = 1; attempts <= 5_000; attempts += 1) {
      log.failed('the hub does not answer', { attempts });
    }
    expect(logger.warn).toHaveBeenCalledTimes(10);
    expect(logger.warn).toHaveBeenCalledWith('the hub does not answer', {
      attempts: 1,
    });
    expect(logger.debug).toHaveBeenCalledTimes(4_990);
    jest.advanceTimersByTime(10_000);
    expect(logger.warn).toHaveBeenCalledTimes(11);
    expect(logger.warn).toHaveBeenLastCalledWith(
      expect.stringMatching(/^Failures in 10 s: 5000, of which the first 10 /),
    );
    log.failed('the hub does not answer', { attempts: 2 });
    jest.advanceTimersByTime(10_000);
    expect(logger.warn).toHaveBeenCalledTimes(12);
  });
});
