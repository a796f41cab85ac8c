// `npm run release:contents`: what a release would contain: the pending changesets, the version that each package gets
// by them, and the files of its tarball.
import { getReleasePlan } from '@changesets/get-release-plan';
import { run as packAndList } from './pack.mjs';
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
  await packAndList();
}
