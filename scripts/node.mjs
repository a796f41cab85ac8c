// Backstage 1.55 needs Node 22.19 or 24. With another version, this repository's commands run on a Node from npm.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { startNode } from './children.mjs';
import { fail, step } from './output.mjs';

const NODE_VERSION = '24.21.0';

export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return (major === 22 && minor >= 19) || major === 24;
}

function npmPackage() {
  return `node-${process.platform}-${process.arch}@${NODE_VERSION}`;
}

function installWithNpm() {
  const found = spawnSync(
    'npx',
    ['-y', '-p', npmPackage(), '--', 'node', '-p', 'process.execPath'],
    { encoding: 'utf8' },
  );
  if (found.status === 0) {
    return found.stdout.trim();
  }
  return fail(
    [
      `This is Node ${process.versions.node}; Argo CD Fleet needs Node 22.19 or later, or 24.`,
      `Getting ${npmPackage()} from npm failed:`,
      (found.stderr ?? String(found.error)).trim(),
      'Install Node 24 (https://nodejs.org) or give npm access to its registry, and run the command again.',
    ].join('\n'),
  );
}

/**
 * Returns true if this process can continue. Otherwise runs the same command on a supported Node, forwards signals to
 * it and takes over its exit code.
 */
export async function continueOnSupportedNode(script) {
  if (isSupported(process.versions.node)) {
    // Child processes that run `node` from the PATH must use the same version.
    process.env.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    return true;
  }
  const node = await step(
    `Getting Node ${NODE_VERSION} (this is ${process.versions.node})`,
    async () => installWithNpm(),
  );
  const child = startNode([script, ...process.argv.slice(2)], {
    node,
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : code;
  });
  return false;
}
