import { createReportPacing } from './reportPacing';

const REPORT = 'ns/shop';

/** A report whose pacing the test drives through time; `writes` has the times of its writes, in milliseconds. */
function paced(options: { tookMs?: number } = {}) {
  const { tookMs = 10 } = options;
  const state = { urgent: false };
  const pacing = createReportPacing(() => state.urgent);
  const writes: number[] = [];
  let pending = false;
  const start = performance.now();
  const now = () => Math.round(performance.now() - start);

  /** Lets time pass; the report is written as soon as it may be. */
  function pass(ms: number) {
    for (const end = now() + ms; now() < end;) {
      if (pending && pacing.waitOf(REPORT) === 0) {
        writes.push(now());
        pacing.wrote(REPORT, tookMs);
        pending = false;
      }
      jest.advanceTimersByTime(10);
    }
  }

  return {
    state,
    pacing,
    writes,
    now,
    pass,
    change() {
      pacing.changed(REPORT);
      pending = true;
    },
    /** A change every `everyMs`, for so long. */
    changes(everyMs: number, ms: number) {
      for (const end = now() + ms; now() < end;) {
        this.change();
        pass(everyMs);
      }
      return now() - everyMs;
    },
  };
}

describe('the pace of a report', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('writes the first change at once', () => {
    const report = paced();
    report.change();
    report.pass(20);
    expect(report.writes).toEqual([0]);
  });

  it.each([
    ['fast', 10, 21, 100],
    ['slow', 200, 16, 400],
    ['very slow', 2_000, 12, 1_000],
  ])(
    'is at most one write a second while it changes all the time on a %s hub, and the last state within 2 s',
    (_, tookMs, most, everyMs) => {
      const report = paced({ tookMs });
      const lastChange = report.changes(everyMs, 20_000);
      expect(report.writes.length).toBeLessThanOrEqual(most);
      report.pass(2_000);
      expect(report.writes.at(-1)).toBeGreaterThanOrEqual(lastChange);
      const gaps = report.writes.slice(1).map((at, i) => at - report.writes[i]);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    },
  );

  it('writes rarely where a write takes long, and never waits longer than thirty seconds', () => {
    const report = paced({ tookMs: 2_000 });
    report.changes(100, 65_000);
    expect(report.writes).toHaveLength(3);
  });

  it('waits for urgent writes until it stops changing, or for thirty seconds', () => {
    const report = paced();
    report.state.urgent = true;
    const lastChange = report.changes(100, 65_000);
    expect(report.writes).toEqual([30_000, 60_100]);
    report.pass(5_000);
    expect(report.writes).toHaveLength(3);
    expect(report.writes[2] - lastChange).toBe(1_500);
  });

  it('is no longer than usual once the urgent writes are made', () => {
    const report = paced();
    report.state.urgent = true;
    report.changes(100, 3_000);
    expect(report.writes).toEqual([]);
    report.state.urgent = false;
    report.pass(20);
    expect(report.writes).toEqual([3_000]);
  });

  it('counts from the next change after a comparison without a difference', () => {
    const report = paced();
    report.state.urgent = true;
    report.changes(100, 19_900);
    report.pacing.unchanged(REPORT);
    report.changes(100, 5_000);
    expect(report.writes).toEqual([]);
  });

  it('begins anew for a report that was forgotten', () => {
    const report = paced();
    report.change();
    report.pass(20);
    report.pacing.changed(REPORT);
    expect(report.pacing.waitOf(REPORT)).toBeGreaterThan(0);
    report.pacing.forget(REPORT);
    expect(report.pacing.waitOf(REPORT)).toBe(0);
  });
});
