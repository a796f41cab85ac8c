import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process with the controllers of a hub, loaded and waiting. */
export interface MortalControllers {
  /** Has it begin to work. */
  begin(): void;
  /** SIGKILL: it has no chance to finish anything. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a process with all controllers; resolves once it could begin. */
export async function loadControllers(
  kubeconfigPath: string,
): Promise<MortalControllers> {
  const child = spawn(
    process.execPath,
    [
      ...[
        '--require',
        require.resolve('@backstage/cli/config/nodeTransform.cjs'),
      ],
      join(__dirname, 'controllersProcess.ts'),
      kubeconfigPath,
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const gone = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    // What compiles the sources speaks on the same channel.
    child.on('message', message => message === 'loaded' && resolve());
    gone.then(([code, signal]) =>
      reject(new Error(`The controllers ended (${signal ?? code})`)),
    );
  });
  return {
    begin: () => child.send('begin'),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
