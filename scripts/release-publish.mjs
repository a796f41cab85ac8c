// `npm run release:publish`: publishes the tarballs of `npm run pack` whose version the registry does not have, and tags
// them in Git. Neither Changesets nor Yarn can publish a tarball, so npm does.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runShown } from './children.mjs';
import { fail, step } from './output.mjs';
import { packAll } from './pack.mjs';
import { ROOT } from './paths.mjs';

const execute = promisify(execFile);

async function isPublished({ name, version }) {
  try {
    await execute('npm', ['view', `${name}@${version}`, 'version', '--json']);
    return true;
  } catch (error) {
    if (error.stdout && JSON.parse(error.stdout).error?.code === 'E404') {
      return false;
    }
    throw error;
  }
}

export async function run() {
  try {
    for (const { name, version, tarball } of await packAll(
      join(ROOT, 'dist'),
    )) {
      if (await isPublished({ name, version })) {
        console.log(`○ ${name} ${version} is published already`);
        continue;
      }
      await step(`Publishing ${name} ${version}`, () =>
        execute('npm', ['publish', tarball, '--access', 'public']),
      );
    }
  } catch (error) {
    fail(error.message);
  }
  // The release workflow reads the tags from it and makes a GitHub release of each.
  process.exitCode = await runShown(
    join(ROOT, 'node_modules', '.bin', 'changeset'),
    ['git-tag'],
    { cwd: ROOT, env: process.env },
  );
}
