// Measures the pure functions of the model on the largest objects that a hub accepts. See README.md.
import { log, round, row } from './figures.mjs';
import { start } from './processes.mjs';

/** Milliseconds of CPU time for one call. */
const MAX_MS = 50;
/** For the largest object, as a multiple of that for half of it. */
const MAX_RATIO = 3;
/** Shorter times differ by more than the objects do. */
const MIN_RATIO_MS = 5;

const ratioOf = ({ largest, half }) => largest.least / half.least;

/** The element with the greatest figure; undefined where there is none. */
const most = (all, figureOf) =>
  all.toSorted((a, b) => figureOf(b) - figureOf(a))[0];

/** Runs the benchmark; returns the figures. */
export async function benchModel() {
  log('Pure functions on objects of 1.5 MB, and on half of them');
  const figures = await start('model/largeObjects.ts', []).message();
  const results = {};
  const table = [];
  for (const { shape, count, entryPoints } of figures) {
    const slowest = most(entryPoints, ({ largest }) => largest.median);
    const steepest = most(
      entryPoints.filter(({ largest }) => largest.least >= MIN_RATIO_MS),
      ratioOf,
    );
    table.push({
      shape,
      elements: count,
      slowest: slowest.name,
      'ms CPU': round(slowest.largest.median),
      'of half': round(slowest.half.median),
      ...(steepest && {
        steepest: steepest.name,
        ratio: round(ratioOf(steepest)),
      }),
    });
    results[`${shape}: slowest function (ms CPU)`] = row(
      slowest.largest.median,
      '≤',
      MAX_MS,
    );
    if (steepest) {
      results[`${shape}: largest, as a multiple of half`] = row(
        ratioOf(steepest),
        '≤',
        MAX_RATIO,
      );
    }
  }
  console.table(table);
  console.table(results);
  return { results, figures };
}
