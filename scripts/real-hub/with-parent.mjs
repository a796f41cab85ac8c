// Runs a program of another project: `node with-parent.mjs PATH [ARGUMENT…]`. Started with an IPC channel as the leader
// of a process group, it kills the whole group when its parent is killed.
import { spawn } from 'node:child_process';

const [path, ...args] = process.argv.slice(2);
const child = spawn(path, args, { stdio: ['ignore', 'inherit', 'inherit'] });

// A signal goes to the whole group, so the program receives it too; this process only waits for it to end.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
SIGNALS.forEach(signal => process.on(signal, () => {}));

process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

child.once('error', error => {
  console.error(error.message);
  process.exit(1);
});
child.once('exit', (code, signal) => {
  if (signal) {
    SIGNALS.forEach(name => process.removeAllListeners(name));
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
