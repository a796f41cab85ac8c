import { ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a program and ends it when this process ends, even if this process is killed. */
const WITH_PARENT = join(
  __dirname,
  '../../../scripts/real-hub/with-parent.mjs',
);

/** A running ApplicationSet controller of Argo CD. */
export interface ArgoCdController {
  stop(): Promise<void>;
}

/** Starts the ApplicationSet controller of an `argocd` binary for one namespace, with progressive syncs enabled. */
export async function startArgoCdController(options: {
  binary: string;
  kubeconfig: string;
  namespace: string;
}): Promise<ArgoCdController> {
  const folder = mkdtempSync(join(tmpdir(), 'applicationset-controller-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, options.kubeconfig, { mode: 0o600 });
  const child = spawn(
    process.execPath,
    [
      ...[WITH_PARENT, options.binary],
      ...['--kubeconfig', kubeconfig, '--namespace', options.namespace],
      // Nobody asks there. A port that is found free beforehand may be taken by then, and the controller would end.
      ...['metrics', 'probe', 'webhook'].flatMap(what => [
        `--${what}-addr`,
        '127.0.0.1:0',
      ]),
      ...['--enable-progressive-syncs', '--loglevel', 'warn'],
    ],
    {
      env: {
        ...process.env,
        ARGOCD_BINARY_NAME: 'argocd-applicationset-controller',
        KUBECONFIG: kubeconfig,
      },
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  );
  return {
    async stop() {
      await stopGroup(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stops the process group of a child and waits for the child's end. */
function stopGroup(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.pid === undefined) {
      resolve();
      return;
    }
    child.once('exit', () => resolve());
    process.kill(-child.pid, 'SIGTERM');
  });
}
