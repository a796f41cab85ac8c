import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Runs a program and ends it when this process ends, even if this process is killed. */
const WITH_PARENT = join(
  __dirname,
  '../../../../../scripts/real-hub/with-parent.mjs',
);

/** A running program of another project. */
export interface Program {
  stop(): Promise<void>;
}

/** Starts a program in a process group of its own. */
export function startProgram(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(process.execPath, [WITH_PARENT, path, ...args], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return {
    async stop() {
      if (child.exitCode === null && child.pid !== undefined) {
        const ended = once(child, 'exit');
        process.kill(-child.pid, 'SIGKILL');
        await ended;
      }
    },
  };
}

/** A port of loopback that nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
