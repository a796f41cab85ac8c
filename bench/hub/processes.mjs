// Children of the benchmark, in TypeScript, that talk over IPC.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const TRANSFORM = '@backstage/cli/config/nodeTransform.cjs';

/** Starts an entry point, named from this folder. `ask` sends a question and gives the next message. */
export function start(entry, args, nodeOptions = []) {
  const child = fork(join(import.meta.dirname, entry), args, {
    execArgv: ['--require', TRANSFORM, ...nodeOptions],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${entry} ended (${signal ?? `code ${code}`})`);
  });
  // Whoever waits for a message learns of the end; nobody else has to.
  ended.catch(() => {});
  const message = () =>
    Promise.race([
      new Promise(resolve => {
        const listen = value => {
          // The transform of TypeScript sends messages of its own.
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
    send: question => child.send(question),
    ask(question) {
      const answer = message();
      child.send(question);
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
