// Measures how fast reported statuses reach reports and database, and at what cost. See README.md.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { log, percentile, row } from './figures.mjs';
import { start } from './processes.mjs';

/** The documented limits. */
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

/** Starts a hub with a generated fleet and the process that changes its works; stops both when `measure` has ended. */
async function onFleet(folder, { clusters, applicationSets, seed }, measure) {
  const snapshot = join(folder, 'fleet.ndjson.gz');
  const kubeconfig = join(folder, 'kubeconfig');
  const generator = start(
    'makeSnapshot.ts',
    [snapshot, clusters, applicationSets, seed].map(String),
  );
  await generator.message();
  const hub = start(
    'controllers/benchHub.ts',
    [kubeconfig, snapshot],
    ['--max-old-space-size=8000'],
  );
  await hub.message();
  rmSync(snapshot);
  const writer = start('status/changeWork.ts', [kubeconfig]);
  await writer.message();
  try {
    return await measure(kubeconfig, writer);
  } finally {
    await writer.stop();
    await hub.stop();
  }
}

function startMeasured(entry, args) {
  return start(entry, args, ['--expose-gc', '--max-old-space-size=6000']);
}

function measureAggregation(folder, fleet) {
  log(`Reports of ${fleet.applicationSets} sets on ${fleet.clusters} clusters`);
  return onFleet(folder, fleet, async (kubeconfig, writer) => {
    const measured = startMeasured('status/aggregation.ts', [kubeconfig]);
    for (;;) {
      const figures = await measured.message();
      if (!figures.change) {
        return figures;
      }
      await writer.request(figures.change);
      measured.send('changed');
    }
  });
}

function measureRecording(folder, fleet) {
  log(
    `${fleet.clusters} clusters with ${fleet.applicationSets} sets change within ${CHANGE_SECONDS} s`,
  );
  return onFleet(folder, fleet, async (kubeconfig, writer) => {
    const measured = startMeasured('status/recording.ts', [
      kubeconfig,
      join(folder, 'fleet.sqlite'),
    ]);
    await measured.message();
    const { changedAt } = await writer.request({ seconds: CHANGE_SECONDS });
    const { recordedAt, ...figures } = await measured.request(
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
  });
}

async function measureTimelines(folder) {
  log('Timelines from 1,000,000 transitions');
  return start('status/timeline.ts', [folder], ['--expose-gc']).message();
}

function compareAggregation(figures, { sqlite }) {
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
      '<',
      TARGETS.fullPassCpuMs,
    ),
    'one changed work to its report, mean (ms CPU)': row(
      changeMean,
      '<',
      TARGETS.changeCpuMs,
    ),
    'one changed work to its report, p95 (ms CPU)': row(
      change,
      '<',
      TARGETS.changeCpuMs,
    ),
    'reports written without a change': row(
      figures.writesWithoutChange,
      '=',
      0,
    ),
    'heap per row, of the report and of what is recorded (bytes)': row(
      heap,
      '<',
      TARGETS.heapBytesPerRow,
    ),
  };
}

function compareRecording({ recordedMs, lateMs }) {
  return {
    'a change to the database, p95 (ms)': row(
      recordedMs.p95,
      '<',
      TARGETS.recordedP95Ms,
    ),
    'event loop delay, max (ms)': row(lateMs.max, '<', TARGETS.lateMs),
  };
}

function compareTimelines(timelines) {
  return Object.fromEntries(
    Object.entries(timelines).map(([database, { timelines: kinds }]) => {
      const p95Ms = Math.max(...Object.values(kinds).map(kind => kind.p95Ms));
      return [
        `a page of a timeline, ${database}, p95 (ms)`,
        row(p95Ms, '<', TARGETS.timelineP95Ms),
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
      ...compareAggregation(aggregation, timelines),
      ...compareRecording(recording),
      ...compareTimelines(timelines),
    };
    console.table(results);
    return { seed, results, aggregation, recording, timelines };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
