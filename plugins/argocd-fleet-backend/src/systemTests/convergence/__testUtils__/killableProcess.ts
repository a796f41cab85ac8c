import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A loaded process that waits for `begin`. */
export interface KillableProcess {
  /** Starts its work. */
  begin(): void;
  /** Sends SIGKILL, so that nothing can finish. Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts a process with all controllers; resolves when it is loaded. */
export function loadControllersProcess(
  kubeconfigPath: string,
): Promise<KillableProcess> {
  return loadKillableProcess('controllersProcess.ts', [kubeconfigPath]);
}

/**
 * Starts a process that runs a file of this folder and sends `loaded`.
 * @param onMessage - receives the messages that follow
 */
export async function loadKillableProcess(
  file: string,
  args: readonly string[],
  onMessage: (message: unknown) => void = () => {},
): Promise<KillableProcess> {
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
    // The loader that compiles the sources uses the same channel.
    child.on('message', message =>
      message === 'loaded' ? resolve() : onMessage(message),
    );
    gone.then(([code, signal]) =>
      reject(new Error(`The process exited (${signal ?? code})`)),
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
