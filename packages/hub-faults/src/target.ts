import { existsSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';

/** The API server behind the faults. */
export interface TargetSource {
  /** A kubeconfig: its text, or the path of its file. */
  readonly kubeconfig: string;
  /** Default: the current one. */
  readonly context?: string;
}

/** Where requests go on to. */
export interface Target {
  readonly server: string;
  /** Starts a request with the target's own trust, and its credentials unless the client brings some. */
  request(
    path: string,
    method: string,
    headers: http.IncomingHttpHeaders,
  ): Promise<http.ClientRequest>;
  close(): void;
}

/** Reads a kubeconfig. @throws when it is not there, or its context names no server. */
export function loadTarget({ kubeconfig, context }: TargetSource): Target {
  const config = new KubeConfig();
  if (kubeconfig.includes('\n') || kubeconfig.trimStart().startsWith('{')) {
    config.loadFromString(kubeconfig);
  } else if (existsSync(kubeconfig)) {
    config.loadFromFile(kubeconfig);
  } else {
    throw new Error(
      `There is no kubeconfig at ${kubeconfig}: name the file of the hub that the faults are to stand in front of`,
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
  // Made once: the library's own would not keep connections from one request to the next.
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
      // A client certificate would be stronger than the token that the client sends.
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
