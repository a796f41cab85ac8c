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
export function loadControllers(
  kubeconfigPath: string,
): Promise<MortalControllers> {
  return loadMortal('controllersProcess.ts', [kubeconfigPath]);
}

/**
 * Starts a process that runs a file of this folder, and says `loaded` when it could begin.
 * @param onMessage - hears whatever it says later
 */
export async function loadMortal(
  file: string,
  args: readonly string[],
  onMessage: (message: unknown) => void = () => {},
): Promise<MortalControllers> {
  const child = spawn(
    process.execPath,
    [
      ...['--require', join(__dirname, 'withoutModuleHooks.cjs')],
      ...[
        '--require',
        require.resolve('@backstage/cli/config/nodeTransform.cjs'),
      ],
      join(__dirname, file),
      ...args,
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const gone = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    // What compiles the sources speaks on the same channel.
    child.on('message', message =>
      message === 'loaded' ? resolve() : onMessage(message),
    );
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
