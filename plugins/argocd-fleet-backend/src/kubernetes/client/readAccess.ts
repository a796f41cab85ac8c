import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type {
  Cluster,
  DispatcherOptions,
  KubeConfig,
  User,
} from '@kubernetes/client-node';
import { parse } from 'yaml';
import {
  addressProblem,
  inClusterAccess,
  isLoopbackHttp,
  type ConnectionConfig,
  type KubeconfigAccess,
  type UrlAccess,
} from './access';
import { errorMessage } from './errorMessage';
import { kubeconfigProblem } from './kubeconfigProblem';

/** The content of an access and of all files that it names, at one moment. */
export interface AccessReading {
  /** Equal while nothing has changed. Contains secrets: never log it. */
  readonly fingerprint: string;
  readonly kubeConfig: KubeConfig;
}

/**
 * Reads an access.
 * @throws Error that names the file that cannot be read or parsed
 */
export function readAccess(access: ConnectionConfig): Promise<AccessReading> {
  if ('kubeconfig' in access) {
    return readKubeconfig(access.kubeconfig);
  }
  return readUrl('inCluster' in access ? inClusterAccess(process.env) : access);
}

/**
 * Options of a connection that keep HTTP/2 from being negotiated. When requests are aborted, an HTTP/2 session of Node 24
 * sometimes sends its pending data for ever: the process answers nothing any more, and its memory grows by a gigabyte
 * in a few seconds (docs/decisions.md).
 */
export const HTTP_1 = { allowH2: false };

/**
 * Loads the library only where a hub is reached: it is the largest dependency of the plugin by far. Backstage's build
 * makes `require` of an import as well, and Jest runs no `import()`.
 */
function createKubeConfig(): KubeConfig {
  const library: typeof import('@kubernetes/client-node') = require('@kubernetes/client-node');
  return new (class extends library.KubeConfig {
    createDispatcherOptions(
      ...parameters: Parameters<KubeConfig['createDispatcherOptions']>
    ): DispatcherOptions {
      const options = super.createDispatcherOptions(...parameters);
      switch (options.type) {
        case 'agent':
          return { ...options, connect: { ...options.connect, ...HTTP_1 } };
        case 'proxy':
          return {
            ...options,
            requestTls: { ...options.requestTls, ...HTTP_1 },
          };
        default:
          return options;
      }
    }
  })();
}

async function readUrl(access: UrlAccess): Promise<AccessReading> {
  const { url, caFile, tokenFile, skipTLSVerify = false } = access;
  const token = tokenFile ? await readToken(tokenFile) : access.token;
  const caData = caFile
    ? Buffer.from(await readText('CA file', caFile)).toString('base64')
    : access.caData;
  const kubeConfig = createKubeConfig();
  kubeConfig.loadFromClusterAndUser(
    withLoopbackHttp({ name: 'server', server: url, caData, skipTLSVerify }),
    { name: 'server', token },
  );
  return { fingerprint: JSON.stringify([token, caData]), kubeConfig };
}

async function readKubeconfig({
  path,
  context,
}: KubeconfigAccess['kubeconfig']): Promise<AccessReading> {
  const text = await readText('kubeconfig', path).catch(error => {
    throw new Error(
      `${errorMessage(error)}. It is tried again until it exists; check kubeconfig.path`,
    );
  });
  const kubeConfig = createKubeConfig();
  let tokenFile: string | undefined;
  try {
    kubeConfig.loadFromString(text);
    kubeConfig.makePathsAbsolute(dirname(path));
    if (context) {
      kubeConfig.setCurrentContext(context);
    }
    kubeConfig.clusters = kubeConfig.clusters.map(withLoopbackHttp);
    tokenFile = tokenFileOf(text, kubeConfig.getCurrentUser());
  } catch (error) {
    throw new Error(
      `the kubeconfig ${path} is not valid: ${kubeconfigProblem(text, error)}`,
    );
  }
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster) {
    throw new Error(
      `the kubeconfig ${path} has no cluster for its current context. Set current-context, or kubeconfig.context`,
    );
  }
  const problem = addressProblem(cluster.server);
  if (problem) {
    throw new Error(
      `the server of the current cluster in the kubeconfig ${path} ${problem}`,
    );
  }
  const user = kubeConfig.getCurrentUser();
  const files = [cluster.caFile, user?.certFile, user?.keyFile];
  const contents = await Promise.all(
    files.map(file => file && readText('certificate or key', file)),
  );
  if (tokenFile) {
    const token = await readToken(resolve(dirname(path), tokenFile));
    kubeConfig.users = kubeConfig.users.map(each =>
      each.name === user?.name ? { ...each, token } : each,
    );
    contents.push(token);
  }
  return { fingerprint: JSON.stringify([text, ...contents]), kubeConfig };
}

interface RawKubeconfig {
  readonly users?: readonly {
    readonly name?: string;
    readonly user?: { readonly tokenFile?: string };
  }[];
}

/** The library ignores `tokenFile`, which `kubectl` reads. */
function tokenFileOf(text: string, user: User | null): string | undefined {
  const { users = [] } = parse(text) as RawKubeconfig;
  return users.find(({ name }) => name === user?.name)?.user?.tokenFile;
}

/**
 * The library refuses every address without TLS; `kubectl proxy` and local API servers have none, and `kubectl` accepts
 * them.
 */
function withLoopbackHttp(cluster: Cluster): Cluster {
  return isLoopbackHttp(cluster.server)
    ? { ...cluster, skipTLSVerify: true }
    : cluster;
}

async function readToken(path: string): Promise<string> {
  const token = (await readText('token file', path)).trim();
  if (!token) {
    throw new Error(`the token file ${path} is empty`);
  }
  return token;
}

async function readText(what: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(
      `the ${what} ${path} cannot be read (${errorMessage(error)})`,
    );
  }
}
