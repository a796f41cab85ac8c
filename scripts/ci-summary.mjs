// The end of a CI run: `node ci-summary.mjs COMMAND=STATUS…` repeats what the commands skipped and what failed, prints
// the sum of their counts as the last line, and fails if one of them failed. A green run is remembered for
// `npm test -- --changed`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rememberGreenRun } from './changes.mjs';
import { ROOT } from './paths.mjs';
import { flakyLines, withTooManyFlaky } from './second-run.mjs';
import { addCounts, NO_COUNTS, summaryOf } from './test-parts.mjs';

let total = NO_COUNTS;
for (const run of process.argv.slice(2)) {
  const [command, status] = run.split('=');
  const file = join(ROOT, '.cache', command, 'counts.json');
  const { seconds, ...counts } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : NO_COUNTS;
  const result =
    status !== '0' && counts.failed === 0
      ? // The command crashed before or after it counted its tests.
        addCounts(counts, {
          ...NO_COUNTS,
          failed: 1,
          failures: [`${command} ended with status ${status}`],
        })
      : counts;
  total = addCounts(total, result);
  const times = Object.entries(seconds ?? {}).map(
    ([name, count]) => `${name} ${count} s`,
  );
  console.log(`\n${command}: ${summaryOf(result)} (${times.join(', ')})`);
  result.notes?.forEach(note => console.log(`○ ${note}`));
  result.failures?.forEach(failure => console.log(`✗ ${failure}`));
}
total = withTooManyFlaky(total);
flakyLines(total.flaky).forEach(line => console.log(line));
if (total.failed === 0) {
  await rememberGreenRun();
}
console.log(`\n${summaryOf(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
