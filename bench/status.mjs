// How what clusters report comes home, and what that costs. See README.md.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from './hub/processes.mjs';

/** What issue and documentation promise. */
const TARGETS = {
  rows: 100_000,
  fullPassCpuMs: 1_500,
  changeCpuMs: 20,
  heapBytesPerRow: 1_200,
  recordedP95Ms: 500,
  lateMs: 100,
  timelineP95Ms: 50,
};

/** Seconds in which each cluster of the fleet changes once. */
const CHANGE_SECONDS = 60;

const log = text => console.log(`• ${text}`);
const round = (value, digits = 1) =>
  Math.round(value * 10 ** digits) / 10 ** digits;
const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** A hub with a generated fleet. */
async function startFleetHub(folder, { clusters, applicationSets, seed }) {
  const snapshot = join(folder, 'fleet.ndjson.gz');
  const kubeconfig = join(folder, 'kubeconfig');
  const generator = start(
    'makeSnapshot.ts',
    [snapshot, clusters, applicationSets, seed].map(String),
  );
  await generator.message();
  const hub = start(
    '../controllers/benchHub.ts',
    [kubeconfig, snapshot],
    ['--max-old-space-size=8000'],
  );
  await hub.message();
  rmSync(snapshot);
  return { kubeconfig, stop: () => hub.stop() };
}

async function measureAggregation(folder, fleet) {
  log(`Reports of ${fleet.applicationSets} sets on ${fleet.clusters} clusters`);
  const hub = await startFleetHub(folder, fleet);
  const writer = start('../status/changeWork.ts', [hub.kubeconfig]);
  await writer.message();
  try {
    const measured = start(
      '../status/aggregation.ts',
      [hub.kubeconfig],
      ['--expose-gc', '--max-old-space-size=6000'],
    );
    for (;;) {
      const figures = await measured.message();
      if (!figures.change) {
        return figures;
      }
      await writer.ask(figures.change);
      measured.send('changed');
    }
  } finally {
    await writer.stop();
    await hub.stop();
  }
}

async function measureRecording(folder, fleet) {
  log(
    `${fleet.clusters} clusters with ${fleet.applicationSets} sets change within ${CHANGE_SECONDS} s`,
  );
  const hub = await startFleetHub(folder, fleet);
  const writer = start('../status/changeWork.ts', [hub.kubeconfig]);
  await writer.message();
  try {
    const measured = start(
      '../status/recording.ts',
      [hub.kubeconfig, join(folder, 'fleet.sqlite')],
      ['--expose-gc', '--max-old-space-size=6000'],
    );
    await measured.message();
    const { changedAt } = await writer.ask({ seconds: CHANGE_SECONDS });
    const { recordedAt, ...figures } = await measured.ask(
      Object.keys(changedAt).length,
    );
    const recordedMs = Object.entries(changedAt)
      .map(([key, at]) => recordedAt[key] - at)
      .sort((a, b) => a - b);
    return {
      ...figures,
      changes: recordedMs.length,
      recordedMs: {
        p50: percentile(recordedMs, 0.5),
        p95: percentile(recordedMs, 0.95),
        max: recordedMs.at(-1),
      },
    };
  } finally {
    await writer.stop();
    await hub.stop();
  }
}

async function measureTimelines(folder) {
  log('Timelines out of 1,000,000 transitions');
  return start('../status/timeline.ts', [folder], ['--expose-gc']).message();
}

function row(figure, target, ok) {
  return { figure: round(figure, 2), target, ok: ok ? 'yes' : 'NO' };
}

function judgeAggregation(figures, { sqlite }) {
  const heap = figures.heapBytesPerRow + sqlite.heapBytesPerRow;
  const scale = TARGETS.rows / figures.rows;
  const fullPass = percentile(figures.firstPassCpuMs, 0.5) * scale;
  const { changeCpuMs } = figures;
  const changeMean =
    changeCpuMs.reduce((sum, ms) => sum + ms, 0) / changeCpuMs.length;
  const change = percentile(changeCpuMs, 0.95);
  return {
    [`full aggregation of ${TARGETS.rows} rows (ms CPU)`]: row(
      fullPass,
      `< ${TARGETS.fullPassCpuMs}`,
      fullPass < TARGETS.fullPassCpuMs,
    ),
    'one changed work to its report, mean (ms CPU)': row(
      changeMean,
      `< ${TARGETS.changeCpuMs}`,
      changeMean < TARGETS.changeCpuMs,
    ),
    'one changed work to its report, p95 (ms CPU)': row(
      change,
      `< ${TARGETS.changeCpuMs}`,
      change < TARGETS.changeCpuMs,
    ),
    'reports written where nothing changed': row(
      figures.writesWithoutChange,
      '= 0',
      figures.writesWithoutChange === 0,
    ),
    'heap per row, of the report and of what is recorded (bytes)': row(
      heap,
      `< ${TARGETS.heapBytesPerRow}`,
      heap < TARGETS.heapBytesPerRow,
    ),
  };
}

function judgeRecording({ recordedMs, lateMs }) {
  return {
    'a change to the database, p95 (ms)': row(
      recordedMs.p95,
      `< ${TARGETS.recordedP95Ms}`,
      recordedMs.p95 < TARGETS.recordedP95Ms,
    ),
    'event loop late, at most (ms)': row(
      lateMs.max,
      `< ${TARGETS.lateMs}`,
      lateMs.max < TARGETS.lateMs,
    ),
  };
}

function judgeTimelines(timelines) {
  return Object.fromEntries(
    Object.entries(timelines).map(([database, { timelines: kinds }]) => {
      const p95Ms = Math.max(...Object.values(kinds).map(kind => kind.p95Ms));
      return [
        `a page of a timeline, ${database}, p95 (ms)`,
        row(p95Ms, `< ${TARGETS.timelineP95Ms}`, p95Ms < TARGETS.timelineP95Ms),
      ];
    }),
  );
}

/** Runs the benchmark; returns the figures. */
export async function benchStatus({
  directory,
  clusters,
  applicationSets,
  changingClusters = 3_500,
  changingSets = 20,
  seed,
}) {
  mkdirSync(directory, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-bench-'));
  try {
    const aggregation = await measureAggregation(folder, {
      clusters,
      applicationSets,
      seed,
    });
    const recording = await measureRecording(folder, {
      clusters: changingClusters,
      applicationSets: changingSets,
      seed,
    });
    const timelines = await measureTimelines(folder);
    const results = {
      ...judgeAggregation(aggregation, timelines),
      ...judgeRecording(recording),
      ...judgeTimelines(timelines),
    };
    console.table(results);
    return { seed, results, aggregation, recording, timelines };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
