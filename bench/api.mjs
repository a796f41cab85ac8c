// Measures what it costs to answer a caller who may see some of a large fleet. See README.md.
import { log, percentile, round, row } from './figures.mjs';
import { start } from './processes.mjs';

/** Milliseconds of CPU time that an answer may take more for a caller with conditions. */
const MAX_EXTRA_P95_MS = 20;

const times = all => {
  const sorted = [...all].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
};

/** Runs the benchmark; returns the figures. */
export async function benchApi({ clusters, applicationSets }) {
  log(
    `Lists of ${applicationSets} ApplicationSets and ${clusters} clusters, filtered by owner`,
  );
  const figures = await start('api/lists.ts', [
    String(clusters),
    String(applicationSets),
  ]).message();
  const results = {};
  const table = [];
  for (const { path, callers } of figures) {
    const unfiltered = times(callers.unfiltered.cpu);
    for (const [caller, { items, bytes, ms, cpu }] of Object.entries(callers)) {
      const { p50, p95 } = times(cpu);
      table.push({
        path,
        caller,
        items,
        KB: round(bytes / 1024, 0),
        'p50 (ms CPU)': round(p50),
        'p95 (ms CPU)': round(p95),
        'p50 (ms)': round(times(ms).p50),
      });
      if (caller !== 'unfiltered') {
        results[`${path}: ${caller}, p95 more than unfiltered (ms CPU)`] = row(
          p95 - unfiltered.p95,
          '<',
          MAX_EXTRA_P95_MS,
        );
      }
    }
  }
  console.table(table);
  console.table(results);
  return { clusters, applicationSets, results, figures: table };
}
