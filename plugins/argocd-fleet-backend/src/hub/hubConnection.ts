import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { Agent, type Dispatcher } from 'undici';
import { errorMessage } from './errorMessage';
import { HubError } from './hubError';

/** Where a hub is and who we are there. */
export type HubAccess =
  | {
      readonly kubeconfig: { readonly path: string; readonly context?: string };
    }
  | { readonly inCluster: true };

/** What a request needs. */
export interface HubConnection {
  readonly origin: string;
  /** Path of the API server behind a proxy, without a slash at its end; mostly empty. */
  readonly basePath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
}

/** Keeps one connection pool to a hub, and its credentials fresh. */
export interface HubConnector {
  /** @throws HubError `unavailable` where the kubeconfig cannot be read or understood */
  connect(): Promise<HubConnection>;
  /** Has the next `connect` read the configuration again; called when the hub does not answer or refuses our credentials. */
  reconsider(): void;
  close(): Promise<void>;
}

/** How long credentials are used before they are looked up again: tokens in files and from plugins rotate. */
const CREDENTIALS_FRESH_MS = 30_000;

/** Milliseconds until a connection attempt is given up. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Creates a connector that reads its configuration at the first request, not before: the file may appear later. */
export function createHubConnector(options: {
  readonly hub: string;
  readonly access: HubAccess;
}): HubConnector {
  const { hub, access } = options;
  let current:
    | {
        readonly source: string;
        readonly kubeConfig: KubeConfig;
        readonly connection: HubConnection;
      }
    | undefined;
  let freshUntil = 0;
  let inDoubt = false;
  let pending: Promise<HubConnection> | undefined;

  async function open(): Promise<HubConnection> {
    const source = await readSource(hub, access);
    const previous = current;
    // The same instance as long as nothing changed: it remembers the tokens that it had to ask for.
    const kubeConfig =
      previous?.source === source
        ? previous.kubeConfig
        : parseSource(hub, access, source);
    const cluster = kubeConfig.getCurrentCluster();
    if (!cluster) {
      throw new HubError(
        'unavailable',
        `Hub "${hub}": ${describeAccess(access)} has no cluster for its current context. Set current-context, or argocdFleet.hubs[].kubeconfig.context.`,
      );
    }
    const headers: Record<string, string> = {};
    const credentials: { dispatcher?: Dispatcher } = {};
    try {
      await kubeConfig.applySecurityAuthentication(
        credentialsReceiver(headers, credentials),
      );
    } catch (error) {
      throw new HubError(
        'unavailable',
        `Hub "${hub}": the credentials of ${describeAccess(access)} cannot be used: ${errorMessage(error)}`,
        { cause: error },
      );
    }
    const url = new URL(cluster.server);
    const kept =
      previous?.source === source && !inDoubt
        ? previous.connection.dispatcher
        : undefined;
    retire(kept ? credentials.dispatcher : previous?.connection.dispatcher);
    const connection = {
      origin: url.origin,
      basePath: url.pathname.replace(/\/$/, ''),
      headers,
      dispatcher:
        kept ??
        credentials.dispatcher ??
        new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } }),
    };
    current = { source, kubeConfig, connection };
    inDoubt = false;
    freshUntil = Date.now() + CREDENTIALS_FRESH_MS;
    return connection;
  }

  /** Lets requests under way on the old pool finish; a watch on it ends by its own timeout. */
  function retire(dispatcher: Dispatcher | undefined) {
    dispatcher?.close(() => {});
  }

  return {
    async connect() {
      if (current && Date.now() < freshUntil) {
        return current.connection;
      }
      pending ??= open().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    reconsider() {
      // Certificates in files may have been renewed without a change of the kubeconfig.
      inDoubt = true;
      freshUntil = 0;
    },
    async close() {
      await current?.connection.dispatcher.destroy();
      current = undefined;
      freshUntil = 0;
    },
  };
}

/** What the configuration says now; equal texts mean the same access. */
async function readSource(hub: string, access: HubAccess): Promise<string> {
  if ('inCluster' in access) {
    return 'in-cluster';
  }
  const { path } = access.kubeconfig;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new HubError(
      'unavailable',
      `Hub "${hub}": the kubeconfig ${path} cannot be read (${errorMessage(error)}). It is tried again until it is there; check argocdFleet.hubs[].kubeconfig.path.`,
      { cause: error },
    );
  }
}

function parseSource(
  hub: string,
  access: HubAccess,
  source: string,
): KubeConfig {
  const kubeConfig = new KubeConfig();
  if ('inCluster' in access) {
    kubeConfig.loadFromCluster();
    return kubeConfig;
  }
  const { path, context } = access.kubeconfig;
  try {
    kubeConfig.loadFromString(source);
    kubeConfig.makePathsAbsolute(dirname(path));
    if (context) {
      kubeConfig.setCurrentContext(context);
    }
    allowPlainHttpOnLoopback(kubeConfig);
  } catch (error) {
    throw new HubError(
      'unavailable',
      `Hub "${hub}": the kubeconfig ${path} is not valid: ${errorMessage(error)}`,
      { cause: error },
    );
  }
  return kubeConfig;
}

/**
 * The library refuses every address without TLS. On this machine's own loopback there is nobody to hide anything from: so it is with
 * `kubectl proxy` and with local hubs, and `kubectl` takes their kubeconfig as it is.
 */
function allowPlainHttpOnLoopback(kubeConfig: KubeConfig) {
  kubeConfig.clusters = kubeConfig.clusters.map(cluster =>
    /^http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:|\/|$)/.test(
      cluster.server,
    )
      ? { ...cluster, skipTLSVerify: true }
      : cluster,
  );
}

/**
 * The library applies authentication to a request of its own HTTP layer only. This receives what it would set: headers, and a
 * dispatcher that carries TLS and proxy.
 */
function credentialsReceiver(
  headers: Record<string, string>,
  credentials: { dispatcher?: Dispatcher },
) {
  const receiver: Pick<RequestContext, 'setHeaderParam' | 'setDispatcher'> = {
    setHeaderParam: (name, value) => {
      headers[name] = value;
    },
    setDispatcher: dispatcher => {
      credentials.dispatcher = dispatcher;
    },
  };
  return receiver as RequestContext;
}

type RequestContext = Parameters<KubeConfig['applySecurityAuthentication']>[0];

function describeAccess(access: HubAccess): string {
  return 'inCluster' in access
    ? 'the in-cluster service account'
    : `the kubeconfig ${access.kubeconfig.path}`;
}
