import { startEmbeddedHub } from 'embedded-hub';
import type { KubernetesClient } from '../kubernetes/client/client';
import { BACKEND_USER, type RbacObject } from './deployedRbac';

/** A request to a hub, from the log of the embedded hub or the audit log of a real server. */
export interface LoggedRequest {
  readonly verb: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly userAgent?: string;
}

/** The server of a test's hub: the embedded hub, or a real kube-apiserver. */
export interface HubServer {
  readonly url: string;
  /** PEM of the CA that signed the server's certificate; undefined for plain HTTP. */
  readonly certificate?: string;
  /** @param user - `admin`, `backend`, or one of the further users that the server was started with */
  kubeconfig(user: string): string;
  /** Requests since the last call of `clearRequests`, of the backend and perhaps of others. */
  readonly requests: readonly LoggedRequest[];
  clearRequests(): void;
  /** Removes the objects, and reverts the definitions, of earlier tests. */
  empty(client: KubernetesClient): Promise<void>;
  /** Waits until the server applies these rules to the client. */
  untilInForce(
    client: KubernetesClient,
    rbac: readonly RbacObject[],
  ): Promise<void>;
  stop(): Promise<void>;
}

/** Field manager and user agent of the backend. */
export const BACKEND = 'argocd-fleet';

/** Names by which a hub knows the users, by the names by which the tests know them. */
export type HubUsers = Readonly<Record<string, string>>;

/**
 * Starts an embedded hub that enforces RBAC.
 * @param users - further users than `admin` and `backend`
 */
export async function startEmbeddedServer(
  users: HubUsers = {},
): Promise<HubServer> {
  const hub = await startEmbeddedHub({
    authorization: {
      // A user's token is the name by which the tests know them.
      tokens: {
        ...Object.fromEntries(
          Object.entries(users).map(([user, name]) => [user, { name }]),
        ),
        admin: { name: 'admin', groups: ['system:masters'] },
        backend: { name: BACKEND_USER },
      },
    },
  });
  return {
    url: hub.url,
    kubeconfig: user => hub.kubeconfig(user),
    get requests() {
      return hub.requests;
    },
    clearRequests: () => hub.clearRequests(),
    empty: async () => {},
    untilInForce: async () => {},
    stop: () => hub.stop(),
  };
}
