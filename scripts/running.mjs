// Runs services until a signal, and stops all of them however this process ends.
import { join } from 'node:path';
import { asService, startNode } from './children.mjs';
import { fail } from './output.mjs';
import { ROOT } from './paths.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Services that were started and have not ended, including those that are not ready yet; in the order of their start.
 */
const running = new Set();

/** Starts a TypeScript entry point of this repository as a service; shows the output for which `echo` returns true. */
export function startService(
  name,
  entry,
  args,
  { env = {}, echo, cwd = ROOT, nodeOptions = [] } = {},
) {
  const child = startNode(
    [
      ...nodeOptions,
      ...['--require', '@backstage/cli/config/nodeTransform.cjs'],
      '--enable-source-maps',
      ...[join(ROOT, entry), ...args],
    ],
    {
      cwd,
      env: { ...process.env, ...env },
      // A process group of its own: Ctrl-C reaches only this process, which stops the services in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const service = asService(name, child, {
    onText(text) {
      if (echo?.(text)) {
        process.stdout.write(text.replace(/^(?=.)/gm, `[${name}] `));
      }
    },
  });
  running.add(service);
  service.ended.then(() => running.delete(service));
  return service;
}

/**
 * Runs the services that `start` adds to its argument until a signal arrives (also while they start) or a service ends
 * by itself; then stops all of them, the last started first.
 */
export async function runUntilStopped(start) {
  const signalled = new Promise(resolve => {
    // The terminal and npm may both send a signal, and people press Ctrl-C again: later signals are ignored.
    SIGNALS.forEach(signal => process.on(signal, () => resolve()));
  });
  const services = [];
  const failed = (async () => {
    await start(services);
    return Promise.race(
      services.map(async ({ name, ended, output }) => {
        const end = await ended;
        return `The ${name} ended (${end}):\n${output().slice(-3000)}`;
      }),
    );
  })().catch(error => error.message);
  const reason = await Promise.race([signalled, failed]);
  const stopping = [...services, ...running].reverse();
  if (stopping.length > 0) {
    console.log('Stopping …');
  }
  for (const service of stopping) {
    await service.stop();
  }
  if (reason) {
    fail(reason);
  }
  console.log('Stopped.');
  process.exit(0);
}
