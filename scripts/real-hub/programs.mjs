// Runs programs of other projects, each in a process group of its own, and ends the whole group.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { asService } from '../children.mjs';

/** No operating system ends a program because its parent was killed: this script watches for that. */
const WITH_PARENT = join(import.meta.dirname, 'with-parent.mjs');

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: the group has ended already.
    if (error.code !== 'ESRCH') {
      throw error;
    }
  }
}

/** Starts a program as a service; `stop` ends its process group. */
export function startProgram(name, path, args, env = {}) {
  const child = spawn(process.execPath, [WITH_PARENT, path, ...args], {
    // A process group of its own: Ctrl-C reaches only this process, which stops the programs in order.
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const service = asService(name, child, {
    kill: signal => signalGroup(child.pid, signal),
  });
  // Ends the program however this process ends; if this process is killed, the IPC channel breaks.
  process.once('exit', service.kill);
  service.ended.then(() => process.off('exit', service.kill));
  return service;
}
