import { existsSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';

/** The API server behind the faults. */
export interface TargetSource {
  /** A kubeconfig: its text, or the path of its file. */
  readonly kubeconfig: string;
  /** Context of the kubeconfig; default: its current one. */
  readonly context?: string;
}

/** The API server that requests are forwarded to. */
export interface Target {
  readonly server: string;
  /** Starts a request with the kubeconfig's certificate authority, and its credentials unless the client sends some. */
  request(
    path: string,
    method: string,
    headers: http.IncomingHttpHeaders,
  ): Promise<http.ClientRequest>;
  close(): void;
}

/** Reads a kubeconfig. @throws Error when there is none, or its context names no cluster. */
export function loadTarget({ kubeconfig, context }: TargetSource): Target {
  const config = new KubeConfig();
  if (kubeconfig.includes('\n') || kubeconfig.trimStart().startsWith('{')) {
    config.loadFromString(kubeconfig);
  } else if (existsSync(kubeconfig)) {
    config.loadFromFile(kubeconfig);
  } else {
    throw new Error(
      `There is no kubeconfig at ${kubeconfig}: name the kubeconfig file of the hub that the proxy forwards to`,
    );
  }
  if (context !== undefined) {
    config.setCurrentContext(context);
  }
  const cluster = config.getCurrentCluster();
  if (!cluster) {
    throw new Error(
      `The context "${config.getCurrentContext()}" of the hub's kubeconfig names no cluster: use one of ${config
        .getContexts()
        .map(({ name }) => name)
        .join(', ')}`,
    );
  }
  return createTarget(config, cluster.server);
}

function createTarget(config: KubeConfig, server: string): Target {
  const secure = server.startsWith('https:');
  const client = secure ? https : http;
  // Made once: the library's own agents do not keep connections from one request to the next.
  const agents: Record<'own' | 'anonymous', http.Agent | undefined> = {
    own: undefined,
    anonymous: undefined,
  };

  async function options(hasCredentials: boolean) {
    const own: https.RequestOptions = {};
    await config.applyToHTTPSOptions(own);
    const { ca, cert, key, passphrase, rejectUnauthorized, servername } = own;
    const trust = { keepAlive: true, ca, rejectUnauthorized, servername };
    if (!secure) {
      agents.own ??= new http.Agent({ keepAlive: true });
      return { agent: agents.own, headers: own.headers };
    }
    if (hasCredentials) {
      // No client certificate: the server would authenticate by it, and not by the token that the client sends.
      agents.anonymous ??= new https.Agent(trust);
      return { agent: agents.anonymous };
    }
    agents.own ??= new https.Agent({ ...trust, cert, key, passphrase });
    return { agent: agents.own, headers: own.headers, auth: own.auth };
  }

  return {
    server,
    async request(path, method, headers) {
      const own = await options(headers.authorization !== undefined);
      const { host, connection, ...rest } = headers;
      return client.request(new URL(server.replace(/\/$/, '') + path), {
        method,
        agent: own.agent,
        auth: 'auth' in own ? (own.auth ?? undefined) : undefined,
        headers: { ...(own.headers as http.OutgoingHttpHeaders), ...rest },
      });
    },
    close() {
      agents.own?.destroy();
      agents.anonymous?.destroy();
    },
  };
}
