// Child processes of the benchmarks: TypeScript entry points that exchange messages with the benchmark over IPC.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const TRANSFORM = '@backstage/cli/config/nodeTransform.cjs';

/**
 * Starts an entry point; its path is relative to this folder. `request` sends a message and resolves with the next one
 * received.
 */
export function start(entry, args, nodeOptions = []) {
  const child = fork(join(import.meta.dirname, entry), args, {
    execArgv: ['--require', TRANSFORM, ...nodeOptions],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${entry} ended (${signal ?? `code ${code}`})`);
  });
  // The rejection matters only while `message` is awaited.
  ended.catch(() => {});
  const message = () =>
    Promise.race([
      new Promise(resolve => {
        const listen = value => {
          // The TypeScript transform sends messages of its own.
          if (value.bench) {
            child.off('message', listen);
            resolve(value.bench);
          }
        };
        child.on('message', listen);
      }),
      ended,
    ]);
  return {
    message,
    send: text => child.send(text),
    request(text) {
      const answer = message();
      child.send(text);
      return answer;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.send('stop');
        await exited;
      }
    },
    kill: () => child.kill(),
  };
}
