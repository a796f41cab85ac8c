import { ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a program and ends it with us, should we be killed. */
const WITH_PARENT = join(
  __dirname,
  '../../../scripts/real-hub/with-parent.mjs',
);

/** Argo CD's own ApplicationSet controller, while it runs. */
export interface ArgoCdController {
  stop(): Promise<void>;
}

/** Starts the ApplicationSet controller that an Argo CD binary is, progressive syncs enabled, for one namespace. */
export async function startArgoCdController(options: {
  binary: string;
  kubeconfig: string;
  namespace: string;
}): Promise<ArgoCdController> {
  const folder = mkdtempSync(join(tmpdir(), 'applicationset-controller-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, options.kubeconfig, { mode: 0o600 });
  const [metrics, probe, webhook] = await freePorts(3);
  const child = spawn(
    process.execPath,
    [
      ...[WITH_PARENT, options.binary],
      ...['--kubeconfig', kubeconfig, '--namespace', options.namespace],
      ...['--metrics-addr', `127.0.0.1:${metrics}`],
      ...['--probe-addr', `127.0.0.1:${probe}`],
      ...['--webhook-addr', `127.0.0.1:${webhook}`],
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
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.pid === undefined) {
      resolve();
      return;
    }
    child.once('exit', () => resolve());
    process.kill(-child.pid, 'SIGTERM');
  });
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>(resolve => {
        server.listen(0, '127.0.0.1', resolve);
      });
      return server;
    }),
  );
  return Promise.all(
    servers.map(async server => {
      const address = server.address();
      await new Promise(resolve => {
        server.close(resolve);
      });
      return typeof address === 'object' && address ? address.port : 0;
    }),
  );
}
