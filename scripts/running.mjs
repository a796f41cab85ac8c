// Runs processes that go on until somebody stops them, and stops all of them however this one is asked to.
import { join } from 'node:path';
import { readOutput, startNode } from './children.mjs';
import { fail } from './output.mjs';
import { ROOT } from './paths.mjs';

const STOP_TIMEOUT_MS = 10_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What was started and has not ended, also what is still on its way up; in the order of its start. */
const running = new Set();

/**
 * Starts a TypeScript entry point of this repository.
 * `ended` settles when the process has ended; `stop` ends it and waits; `output` is what it has printed last.
 */
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
      // A group of its own: Ctrl-C in the terminal reaches us first, and we stop the services in their order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const output = readOutput(child, text => {
    if (echo?.(text)) {
      process.stdout.write(text.replace(/^(?=.)/gm, `[${name}] `));
    }
  });
  const ended = new Promise(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const service = {
    name,
    ended,
    output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
        await ended;
        clearTimeout(timer);
      }
    },
  };
  running.add(service);
  ended.then(() => running.delete(service));
  return service;
}

/**
 * Runs the services that `start` adds to its argument until a signal asks to stop, also while they start, or one of them ends by itself;
 * then stops all of them, last started first.
 */
export async function runUntilStopped(start) {
  const asked = new Promise(resolve => {
    // A terminal and npm may both send one, and people press Ctrl-C again: everything is on its way down then.
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
  const reason = await Promise.race([asked, failed]);
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
