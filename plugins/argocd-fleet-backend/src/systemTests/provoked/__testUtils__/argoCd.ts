import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse, stringify } from 'yaml';
import {
  freePort,
  startProgram,
  type Program,
} from '../../__testUtils__/program';

const ACCOUNT = 'openshift-gitops-argocd-application-controller';

/** The namespace of Argo CD on the cluster. */
export const ARGOCD = 'openshift-gitops';

/** The user that Argo CD is for the API server of its cluster. */
export const ARGOCD_USER = `system:serviceaccount:${ARGOCD}:${ACCOUNT}`;

/** Argo CD's application controller and repo server of a managed cluster. */
export interface ArgoCd {
  /** The repo server ends, as if its Pod were gone. */
  stopRepoServer(): Promise<void>;
  startRepoServer(): void;
  /** A controller with an empty cache. */
  restartController(): Promise<void>;
  /** The controller does not reach the API server of its cluster any more, as the destination of Applications. */
  cut(): Promise<unknown>;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** A proxy to the API server that can be cut; TLS goes through it. */
async function startLink(server: string) {
  const target = new URL(server);
  const sockets = new Set<Socket>();
  const proxy = createServer(socket => {
    const upstream = connect(Number(target.port), target.hostname);
    [socket, upstream].forEach(each => {
      sockets.add(each);
      each.on('close', () => sockets.delete(each));
      each.on('error', () => {
        socket.destroy();
        upstream.destroy();
      });
    });
    socket.pipe(upstream).pipe(socket);
  });
  const port = await freePort();
  const restore = () =>
    new Promise<void>(resolve => {
      proxy.listen(port, '127.0.0.1', resolve);
    });
  const cut = () =>
    new Promise<unknown>(resolve => {
      proxy.close(resolve);
      sockets.forEach(socket => socket.destroy());
    });
  await restore();
  return { url: `https://127.0.0.1:${port}`, cut, restore };
}

/**
 * Starts Argo CD for a cluster. For the destination `https://kubernetes.default.svc` it has the rights of its service
 * account and no others; for its own objects it is an administrator.
 */
export async function startArgoCd(options: {
  /** Every component of Argo CD. */
  readonly binary: string;
  /** Debian's Redis. */
  readonly redis: string;
  /** A folder with `helm` and `kustomize`. */
  readonly tools: string | undefined;
  /** Of an administrator of the cluster. */
  readonly kubeconfigPath: string;
  /** The known hosts of SSH. */
  readonly knownHosts: string;
}): Promise<ArgoCd> {
  const folder = mkdtempSync(join(tmpdir(), 'argocd-'));
  const admin = readFileSync(options.kubeconfigPath, 'utf8');
  const config = parse(admin);
  const link = await startLink(config.clusters[0].cluster.server);
  config.clusters[0].cluster.server = link.url;
  config.users[0].user.as = ARGOCD_USER;
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, stringify(config), { mode: 0o600 });
  writeFileSync(join(folder, 'ssh_known_hosts'), options.knownHosts);
  const ports = { redis: await freePort(), repoServer: await freePort() };
  const redis = startProgram(options.redis, [
    ...['--port', String(ports.redis), '--bind', '127.0.0.1'],
    ...['--save', '', '--dir', folder],
  ]);
  const common = {
    PATH: [options.tools, process.env.PATH].filter(Boolean).join(delimiter),
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_SSH_DATA_PATH: folder,
    TMPDIR: folder,
  };
  const startRepoServer = () =>
    startProgram(
      options.binary,
      [
        ...['--port', String(ports.repoServer), '--address', '127.0.0.1'],
        ...['--metrics-address', '127.0.0.1', '--metrics-port', '0'],
        ...['--redis', `127.0.0.1:${ports.redis}`, '--disable-tls'],
        ...['--revision-cache-expiration', '2s', '--loglevel', 'warn'],
      ],
      {
        ...common,
        ARGOCD_BINARY_NAME: 'argocd-repo-server',
        KUBECONFIG: options.kubeconfigPath,
      },
    );
  const startController = () =>
    startProgram(
      options.binary,
      [
        ...['--kubeconfig', options.kubeconfigPath, '--namespace', ARGOCD],
        ...['--redis', `127.0.0.1:${ports.redis}`],
        ...['--repo-server', `127.0.0.1:${ports.repoServer}`],
        ...['--repo-server-plaintext', '--app-resync', '5'],
        // By default, it keeps quiet about repositories for three minutes.
        ...['--repo-error-grace-period-seconds', '1'],
        ...['--metrics-port', '0', '--loglevel', 'warn'],
      ],
      {
        ...common,
        ARGOCD_BINARY_NAME: 'argocd-application-controller',
        ARGOCD_FAKE_IN_CLUSTER: 'true',
        // It reads a cluster again ten seconds after it could not, by default.
        ARGOCD_CLUSTER_SYNC_RETRY_TIMEOUT_DURATION: '1s',
        ARGOCD_APPLICATION_CONTROLLER_PERSIST_RESOURCE_HEALTH: 'true',
        KUBECONFIG: kubeconfig,
      },
    );
  let repoServer: Program = startRepoServer();
  let controller: Program = startController();
  return {
    stopRepoServer: () => repoServer.stop(),
    startRepoServer() {
      repoServer = startRepoServer();
    },
    async restartController() {
      await controller.stop();
      controller = startController();
    },
    cut: link.cut,
    restore: link.restore,
    async stop() {
      await controller.stop();
      await repoServer.stop();
      await redis.stop();
      await link.cut();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
