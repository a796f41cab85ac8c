// How a command starts processes of its own: none of them outlives it, however it ends.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const STOP_WITH_PARENT = join(import.meta.dirname, 'stop-with-parent.cjs');

/** Starts a script on a Node; `stdio` is that of the child without its channel to us. */
export function startNode(
  args,
  { node = process.execPath, stdio, ...options } = {},
) {
  return spawn(node, ['--require', STOP_WITH_PARENT, ...args], {
    ...options,
    stdio: [...stdio, 'ipc'],
  });
}

/** Runs a script; nothing is shown unless it fails, then the error's message is the end of what it printed. */
export function runQuietly(script, args, options) {
  return new Promise((resolve, reject) => {
    const child = startNode([script, ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    child.stdout.on('data', chunk => output.push(chunk));
    child.stderr.on('data', chunk => output.push(chunk));
    child.on('error', reject);
    child.on('close', code => {
      const text = Buffer.concat(output).toString().trim();
      if (code === 0) {
        resolve(text);
      } else {
        reject(new Error(text.slice(-6000)));
      }
    });
  });
}

/** Runs a script that talks to the terminal itself; resolves with its exit code, or the signal that ended it. */
export function runShown(script, args, options) {
  return new Promise((resolve, reject) => {
    const child = startNode([script, ...args], {
      ...options,
      stdio: ['inherit', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
}

/** Reads what a process prints, and gives each piece to `onText`; the returned function tells the last of it. */
export function readOutput({ stdout, stderr }, onText) {
  const last = [];
  for (const stream of [stdout, stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', text => {
      last.push(text);
      if (last.length > 1_000) {
        last.shift();
      }
      onText?.(text);
    });
  }
  return () => last.join('');
}
