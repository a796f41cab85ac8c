import type { KubeConfig } from '@kubernetes/client-node';
import { Agent, type Dispatcher } from 'undici';
import {
  describeAccess,
  isLoopbackHttp,
  type ConnectionConfig,
} from './access';
import { credentialsProblem } from './credentialsProblem';
import { errorMessage } from './errorMessage';
import { KubernetesError } from './errors';
import { HTTP_1, readAccess } from './readAccess';

/** Where and how requests are sent. */
export interface Connection {
  readonly origin: string;
  /** Path of the API server behind a proxy, without a trailing slash; usually empty. */
  readonly basePath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
}

/** Keeps one connection pool to an API server, and its credentials fresh. */
export interface Connector {
  /**
   * @throws KubernetesError `unavailable` where the configuration, or a file that it names, cannot be read or
   * understood
   */
  connect(): Promise<Connection>;
  /**
   * Reads the credentials again, because the API server refused those of this connection. Resolves with a connection
   * that is worth another attempt; undefined where the credentials are still the same.
   * @throws KubernetesError as `connect`
   */
  renew(refused: Connection): Promise<Connection | undefined>;
  /** Makes the next `connect` read the configuration again; called when the API server does not answer. */
  reconsider(): void;
  /** Whether the certificate of the API server is not verified, as the last configuration that was read says. */
  readonly skipsTlsVerify: boolean;
  close(): Promise<void>;
}

/** Milliseconds after which credentials are read again: tokens in files and from plugins rotate. */
const CREDENTIALS_FRESH_MS = 30_000;

/**
 * Milliseconds between renewals: an API server that refuses good credentials must not start a credential plugin for
 * each request.
 */
const RENEW_EVERY_MS = 1_000;

/** Milliseconds until a connection attempt fails. */
const CONNECT_TIMEOUT_MS = 5_000;

interface OpenConnection {
  readonly fingerprint: string;
  readonly kubeConfig: KubeConfig;
  readonly connection: Connection;
}

/** Creates a connector that reads its configuration at the first request, not before: the files may appear later. */
export function createConnector(options: {
  /** What messages call the API server: `hub "production"`. */
  readonly server: string;
  readonly access: ConnectionConfig;
}): Connector {
  const { server, access } = options;
  let current: OpenConnection | undefined;
  let freshUntil = 0;
  let renewedAt = 0;
  let opening: Promise<OpenConnection> | undefined;
  let renewing: Promise<Connection | undefined> | undefined;

  async function open(renew: boolean): Promise<OpenConnection> {
    const reading = await readAccess(access).catch(error => {
      throw new KubernetesError(
        'unavailable',
        `Could not connect to ${server}: ${errorMessage(error)}`,
      );
    });
    const { fingerprint } = reading;
    // The same instance while nothing has changed: it caches the tokens of credential plugins.
    const kept =
      !renew && current?.fingerprint === fingerprint ? current : undefined;
    const { kubeConfig } = kept ?? reading;
    const { headers, dispatcher } = await authenticate(kubeConfig);
    const pool = kept?.connection.dispatcher;
    retire(pool ? dispatcher : current?.connection.dispatcher);
    const url = new URL(kubeConfig.getCurrentCluster()?.server ?? '');
    const connection = {
      origin: url.origin,
      basePath: url.pathname.replace(/\/$/, ''),
      headers,
      dispatcher:
        pool ??
        dispatcher ??
        new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS, ...HTTP_1 } }),
    };
    current = { fingerprint, kubeConfig, connection };
    freshUntil = Date.now() + CREDENTIALS_FRESH_MS;
    return current;
  }

  /**
   * The library applies authentication to requests of its own HTTP layer only. This takes what it sets: headers, and a
   * dispatcher with TLS and proxy.
   */
  async function authenticate(kubeConfig: KubeConfig) {
    const headers: Record<string, string> = {};
    const applied: { dispatcher?: Dispatcher } = {};
    const receiver: Pick<RequestContext, 'setHeaderParam' | 'setDispatcher'> = {
      setHeaderParam: (name, value) => {
        headers[name] = value;
      },
      setDispatcher: dispatcher => {
        applied.dispatcher = dispatcher;
      },
    };
    try {
      await kubeConfig.applySecurityAuthentication(receiver as RequestContext);
    } catch (error) {
      throw new KubernetesError(
        'unavailable',
        `Could not connect to ${server}: the credentials of ${describeAccess(access)} cannot be used: ${credentialsProblem(error, kubeConfig.getCurrentUser())}`,
      );
    }
    return { headers, dispatcher: applied.dispatcher };
  }

  async function renewOnce(refused: Connection) {
    await opening;
    if (current && current.connection !== refused) {
      return current.connection;
    }
    if (Date.now() < renewedAt + RENEW_EVERY_MS) {
      return undefined;
    }
    renewedAt = Date.now();
    const before = current;
    const { fingerprint, connection } = await open(true);
    const isSame =
      fingerprint === before?.fingerprint &&
      JSON.stringify(connection.headers) === JSON.stringify(refused.headers);
    return isSame ? undefined : connection;
  }

  return {
    async connect() {
      await renewing?.catch(() => undefined);
      if (current && Date.now() < freshUntil) {
        return current.connection;
      }
      opening ??= open(false).finally(() => {
        opening = undefined;
      });
      return (await opening).connection;
    },
    renew(refused) {
      renewing ??= renewOnce(refused).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    reconsider() {
      freshUntil = 0;
    },
    get skipsTlsVerify() {
      const { server: url = '', skipTLSVerify } =
        current?.kubeConfig.getCurrentCluster() ?? {};
      return skipTLSVerify === true && !isLoopbackHttp(url);
    },
    async close() {
      await current?.connection.dispatcher.destroy();
      current = undefined;
      freshUntil = 0;
    },
  };
}

/** Lets requests under way on the old pool finish; a watch on it ends by its own timeout. */
function retire(dispatcher: Dispatcher | undefined) {
  dispatcher?.close(() => {});
}

type RequestContext = Parameters<KubeConfig['applySecurityAuthentication']>[0];
