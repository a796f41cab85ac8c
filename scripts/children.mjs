// Starts child processes that never outlive this process.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const STOP_WITH_PARENT = join(import.meta.dirname, 'stop-with-parent.cjs');
const STOP_TIMEOUT_MS = 10_000;

/** Starts a script with Node; `stdio` has no entry for the IPC channel, which is added here. */
export function startNode(
  args,
  { node = process.execPath, stdio, ...options } = {},
) {
  return spawn(node, ['--require', STOP_WITH_PARENT, ...args], {
    ...options,
    stdio: [...stdio, 'ipc'],
  });
}

/**
 * Runs a script without showing its output and resolves with it. If the script fails, the error's message is the end of
 * its output.
 */
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

/** Runs a script that uses the terminal itself; resolves with its exit code, or the signal that ended it. */
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

/**
 * A started process as a service: `ended` resolves with its exit code or signal when it has ended, `output()` returns
 * the end of its output, `stop()` ends it and waits, and kills it if it takes too long.
 *
 * @param {object} [options]
 * @param {(text: string) => void} [options.onText] - receives each piece of output
 * @param {(signal: string) => void} [options.kill] - how to send a signal; by default to the process alone
 */
export function asService(
  name,
  child,
  { onText, kill = signal => child.kill(signal) } = {},
) {
  const output = readOutput(child, onText);
  const ended = new Promise(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const send = signal => {
    if (
      child.pid !== undefined &&
      child.exitCode === null &&
      child.signalCode === null
    ) {
      kill(signal);
    }
  };
  return {
    name,
    ended,
    output,
    kill: () => send('SIGKILL'),
    /** It keeps its connections and does nothing, as a machine that hangs. */
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
    async stop(signal = 'SIGTERM') {
      send(signal);
      const timer = setTimeout(send, STOP_TIMEOUT_MS, 'SIGKILL');
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Reads the output of a process; the returned function returns the last pieces. */
function readOutput({ stdout, stderr }, onText) {
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
