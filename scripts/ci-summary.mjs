// The end of a CI run: `node ci-summary.mjs COMMAND=STATUS…` repeats what the commands skipped and what failed, prints
// the sum of their counts as the last line, and fails if one of them failed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { summaryOf } from './test-runs.mjs';

const total = { passed: 0, failed: 0, skipped: 0 };
for (const run of process.argv.slice(2)) {
  const [command, status] = run.split('=');
  const file = join(ROOT, '.cache', command, 'counts.json');
  const result = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0, failures: [], notes: [] };
  if (status !== '0' && result.failed === 0) {
    // The command crashed before or after it counted its tests.
    result.failed = 1;
    result.failures.push(`${command} ended with status ${status}`);
  }
  for (const key of Object.keys(total)) {
    total[key] += result[key];
  }
  console.log(`\n${command}: ${summaryOf(result)}`);
  result.notes.forEach(note => console.log(`○ ${note}`));
  result.failures.forEach(failure => console.log(`✗ ${failure}`));
}
console.log(`\n${summaryOf(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
