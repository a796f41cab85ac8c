// Measures every regular expression of the plugins on the text that takes it longest. See README.md.
import { log, round, row } from './figures.mjs';
import { start } from './hub/processes.mjs';

/** Of 1 MB; messages are cut to 4 KB where they are stored, so this is far more than any pattern gets. */
const MAX_MS = 1_000;

const SHOWN = 15;

/** Runs the benchmark on texts of `length` characters; returns the figures, the slowest pattern first. */
export async function benchPatterns({ length }) {
  log(`Every regular expression of the plugins on ${length} characters`);
  const figures = await start('../patterns/measure.ts', [
    String(length),
  ]).message();
  figures.sort((a, b) => b.ms - a.ms);
  console.table(
    figures.slice(0, SHOWN).map(({ place, pattern, ms, text }) => ({
      place,
      pattern: pattern.slice(0, 40),
      ms: round(ms),
      text,
    })),
  );
  const results = {
    patterns: row(figures.length, '≥', 60),
    'the slowest pattern (ms)': row(figures[0].ms, '<', MAX_MS),
  };
  console.table(results);
  return { length, results, figures };
}
