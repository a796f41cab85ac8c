// What the commands say on the terminal.
import { spawn } from 'node:child_process';

/** Ends the process with a message that says what to do. */
export function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

/** Runs a long step and says that it is still going, so that nobody wonders; returns what the step returns. */
export async function step(title, work) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  console.log(`• ${title} …`);
  const timer = setInterval(
    () => console.log(`  … ${title}: ${seconds()}`),
    10_000,
  );
  try {
    const result = await work();
    console.log(`✓ ${title} (${seconds()})`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** Runs a script on this Node; nothing is shown unless it fails, then the error's message is the end of what it printed. */
export function runQuietly(script, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
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
