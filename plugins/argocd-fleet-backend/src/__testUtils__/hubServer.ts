import { startEmbeddedHub } from 'embedded-hub';
import type { KubernetesClient } from '../kubernetes/client/client';
import { BACKEND_USER, type RbacObject } from './deployedRbac';

/** A request to a hub, as the log of either server has it. */
export interface LoggedRequest {
  readonly verb: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly userAgent?: string;
}

/** The server that a test's hub stands on: the embedded hub, or a real kube-apiserver. */
export interface HubServer {
  readonly url: string;
  /** PEM of the authority that answers for the server; undefined where it speaks plain HTTP. */
  readonly certificate?: string;
  kubeconfig(user: 'admin' | 'backend'): string;
  /** What was asked for since the last call of `clearRequests`: by the backend, and perhaps by others. */
  readonly requests: readonly LoggedRequest[];
  clearRequests(): void;
  /** Leaves no object and no changed definition of an earlier test. */
  empty(client: KubernetesClient): Promise<void>;
  /** Waits until the server goes by what was applied to give the client its rights. */
  untilInForce(
    client: KubernetesClient,
    rbac: readonly RbacObject[],
  ): Promise<void>;
  stop(): Promise<void>;
}

/** Field manager, and so user agent, of the backend. */
export const BACKEND = 'argocd-fleet';

const ADMIN_TOKEN = 'admin';
const BACKEND_TOKEN = 'backend';

/** Starts an embedded hub that goes by roles and bindings. */
export async function startEmbeddedServer(): Promise<HubServer> {
  const hub = await startEmbeddedHub({
    authorization: {
      tokens: {
        [ADMIN_TOKEN]: { name: 'admin', groups: ['system:masters'] },
        [BACKEND_TOKEN]: { name: BACKEND_USER },
      },
    },
  });
  return {
    url: hub.url,
    kubeconfig: user =>
      hub.kubeconfig(user === 'admin' ? ADMIN_TOKEN : BACKEND_TOKEN),
    get requests() {
      return hub.requests;
    },
    clearRequests: () => hub.clearRequests(),
    empty: async () => {},
    untilInForce: async () => {},
    stop: () => hub.stop(),
  };
}
