// `npm run release:contents`: what a release would contain: the pending changesets, the version that each package gets
// by them, and the files of its tarball.
import { getReleasePlan } from '@changesets/get-release-plan';
import { fail } from './output.mjs';
import { run as packAndList } from './pack.mjs';
import { lintPackages } from './package-lint.mjs';
import { ROOT } from './paths.mjs';

function printPlan({ changesets, releases }) {
  console.log(
    changesets.length === 0
      ? 'Nothing would be released: there is no changeset in .changeset/.'
      : 'Pending in .changeset/:',
  );
  for (const { id, summary } of changesets) {
    console.log(`  ${id}.md: ${summary.replaceAll('\n', ' ')}`);
  }
  for (const { name, type, oldVersion, newVersion } of releases) {
    if (type !== 'none') {
      console.log(`  ${name}: ${oldVersion} → ${newVersion} (${type})`);
    }
  }
}

export async function run() {
  printPlan(await getReleasePlan(ROOT));
  const packages = await packAndList();
  try {
    const accepted = await lintPackages(packages);
    console.log('\npublint and arethetypeswrong report only what is accepted:');
    accepted.forEach(line => console.log(`  ${line}`));
  } catch (error) {
    fail(`publint and arethetypeswrong:\n${error.message}`);
  }
}
