// Runs programs that are not ours, each in a process group of its own, and ends all of a group.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readOutput } from '../children.mjs';

const STOP_TIMEOUT_MS = 10_000;
/** No system ends a program because its parent was killed: somebody has to watch. */
const WITH_PARENT = join(import.meta.dirname, 'with-parent.mjs');

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Nobody left to hear it is what was wanted.
    if (error.code !== 'ESRCH') {
      throw error;
    }
  }
}

/**
 * Starts a program. `ended` settles with how it ended, `output` is what it printed last, `stop` ends its process group and waits.
 */
export function startProgram(name, path, args, env = {}) {
  const child = spawn(process.execPath, [WITH_PARENT, path, ...args], {
    // A group of its own: Ctrl-C in the terminal reaches us first, and we stop the programs in their order.
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = readOutput(child);
  const isRunning = () =>
    child.pid !== undefined &&
    child.exitCode === null &&
    child.signalCode === null;
  const killNow = () => {
    if (isRunning()) {
      signalGroup(child.pid, 'SIGKILL');
    }
  };
  // Whatever way this process goes, nothing goes on without it; where it is killed, the channel breaks.
  process.once('exit', killNow);
  const ended = new Promise(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  }).finally(() => process.off('exit', killNow));
  return {
    name,
    ended,
    output,
    async stop() {
      if (isRunning()) {
        signalGroup(child.pid, 'SIGTERM');
        const timer = setTimeout(killNow, STOP_TIMEOUT_MS);
        await ended;
        clearTimeout(timer);
      }
    },
  };
}
