import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Runs a program and ends it when this process ends, even if this process is killed. */
const WITH_PARENT = join(
  __dirname,
  '../../../../../scripts/real-hub/with-parent.mjs',
);

/** A running work agent of Open Cluster Management. */
export interface WorkAgent {
  /** The end of what it logged. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts the agent of a managed cluster. */
export async function startWorkAgent(options: {
  /** Path of OCM's program `work`. */
  readonly binary: string;
  readonly cluster: string;
  readonly hubKubeconfig: string;
  readonly clusterKubeconfig: string;
}): Promise<WorkAgent> {
  const { binary, cluster, hubKubeconfig, clusterKubeconfig } = options;
  const child = spawn(
    process.execPath,
    [
      ...[WITH_PARENT, binary, 'agent'],
      ...['--spoke-cluster-name', cluster, '--agent-id', `${cluster}-agent`],
      ...['--workload-source-config', hubKubeconfig],
      ...['--kubeconfig', clusterKubeconfig],
      ...['--namespace', 'default', '--disable-leader-election'],
      ...['--listen', `127.0.0.1:${await freePort()}`],
      ...['--status-sync-interval', '1s'],
    ],
    { detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let log = '';
  [child.stdout, child.stderr].forEach(stream =>
    stream?.on('data', chunk => {
      log = (log + chunk).slice(-10_000);
    }),
  );
  return {
    log: () => log,
    async stop() {
      if (child.exitCode === null && child.pid !== undefined) {
        const ended = once(child, 'exit');
        process.kill(-child.pid, 'SIGKILL');
        await ended;
      }
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
