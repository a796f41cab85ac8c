import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** A loaded process that waits for `begin`. */
export interface KillableProcess {
  /** Starts its work. */
  begin(): void;
  /** Sends SIGKILL, so that nothing can finish. Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** A file of this folder that is compiled once for all processes that run it. */
export interface KillableProgram {
  /**
   * Starts a process; resolves when it has loaded all code and sent `loaded`.
   * @param onMessage - receives the messages that follow
   */
  load(
    args: readonly string[],
    onMessage?: (message: unknown) => void,
  ): Promise<KillableProcess>;
  /** Removes what was compiled. */
  remove(): Promise<void>;
}

/** Ignored by git, and below the package, so that its dependencies are found from there. */
const CACHE = join(__dirname, '..', '..', '..', '..', '.cache');

/** Our packages are sources, which Node.js does not run; all others are loaded as they are installed. */
const onlyOurPackages: Plugin = {
  name: 'only-our-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.startsWith('backstage-plugin-argocd-fleet')
        ? undefined
        : { path, external: true },
    );
  },
};

/** Compiles a file of this folder: to compile it again at each start takes longer than the work before a kill. */
export async function compileKillable(file: string): Promise<KillableProgram> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'killable-'));
  const outfile = join(folder, 'program.cjs');
  await build({
    entryPoints: [join(__dirname, file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    sourcemap: 'inline',
    plugins: [onlyOurPackages],
  });
  return {
    load: (args, onMessage) => loadProcess(outfile, args, onMessage),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function loadProcess(
  file: string,
  args: readonly string[],
  onMessage: (message: unknown) => void = () => {},
): Promise<KillableProcess> {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', file, ...args],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const gone = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
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
