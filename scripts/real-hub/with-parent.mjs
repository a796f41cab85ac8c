// Runs a program that is not ours and ends with it: `node with-parent.mjs PATH [ARGUMENT…]`. Started with a channel to its parent, as the
// leader of a process group, it also takes the whole group along when the parent is gone without having stopped it.
import { spawn } from 'node:child_process';

const [path, ...args] = process.argv.slice(2);
const child = spawn(path, args, { stdio: ['ignore', 'inherit', 'inherit'] });

// A signal goes to the group, so the program has it too: how that ends is its own affair.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
SIGNALS.forEach(signal => process.on(signal, () => {}));

process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

child.once('error', error => {
  console.error(error.message);
  process.exit(1);
});
child.once('exit', (code, signal) => {
  if (signal) {
    SIGNALS.forEach(each => process.removeAllListeners(each));
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
