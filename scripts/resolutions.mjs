// Each entry of `resolutions` in package.json forces a version on packages that ask for another one, also when the reason
// is long gone. JSON has no comments, so the reasons are in CONTRIBUTING.md, and are compared here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

const HEADING = '## Forced versions';

export async function checkResolutions() {
  const read = name => readFileSync(join(ROOT, name), 'utf8');
  const forced = Object.entries(JSON.parse(read('package.json')).resolutions)
    .map(([name, version]) => `${name} ${version}`)
    .sort();
  const [, section = ''] = read('CONTRIBUTING.md').split(`${HEADING}\n`);
  const rows = section
    .split('\n## ')[0]
    .split('\n')
    .flatMap(line => {
      const [, names, version, reason] =
        line.match(/^\| ((?:`[^`]+`(?:, )?)+) +\| `([^`]+)` +\| (\S.*)\|$/) ??
        [];
      return reason?.trim()
        ? [...names.matchAll(/`([^`]+)`/g)].map(
            ([, name]) => `${name} ${version}`,
          )
        : [];
    })
    .sort();
  const problems = [
    ...forced
      .filter(entry => !rows.includes(entry))
      .map(entry => `${entry} has no reason`),
    ...rows
      .filter(row => !forced.includes(row))
      .map(row => `${row} has a reason, and is not in package.json`),
  ];
  if (problems.length > 0) {
    throw new Error(
      `CONTRIBUTING.md, "${HEADING.slice(3)}", and resolutions of package.json differ:\n${problems.join('\n')}`,
    );
  }
}
