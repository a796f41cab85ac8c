import { readFileSync } from 'node:fs';
import { startEmbeddedHub } from 'embedded-hub';
import { REAL_HUB_KUBECONFIG } from '../environment';
import { readConnection } from '../hub/connection';
import { HttpClient } from '../hub/httpClient';
import { namespaceManifest } from '../hub/manifests';
import { resourcePath } from '../hub/resourcePath';
import { deployedObjects, DeployedObject } from './deployedRoles';

const ACCOUNT = '/api/v1/namespaces/argocd-fleet/serviceaccounts/argocd-fleet';

/** User name of the service account of `deploy/rbac`. */
export const USER = 'system:serviceaccount:argocd-fleet:argocd-fleet';

/** A hub on which `deploy/rbac` is applied. */
export interface HubWithRoles {
  /** A client of the service account of `deploy/rbac`. */
  readonly backend: HttpClient;
  stop(): Promise<void>;
}

interface Server {
  /** A client with all rights. */
  readonly admin: HttpClient;
  /** A client of the service account, which must exist. */
  connectServiceAccount(): Promise<HttpClient>;
  stop(): Promise<void>;
}

async function realServer(kubeconfigPath: string): Promise<Server> {
  const connection = await readConnection(readFileSync(kubeconfigPath, 'utf8'));
  const admin = new HttpClient(connection);
  return {
    admin,
    async connectServiceAccount() {
      const { body } = await admin.call('POST', `${ACCOUNT}/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      });
      const { token } = body.status as { readonly token: string };
      return new HttpClient({
        url: connection.url,
        tls: { ca: connection.tls.ca },
        headers: bearer(token),
      });
    },
    stop: async () => {},
  };
}

async function embeddedServer(): Promise<Server> {
  const hub = await startEmbeddedHub({
    authorization: {
      tokens: {
        admin: { name: 'admin', groups: ['system:masters'] },
        backend: { name: USER },
      },
    },
  });
  const connect = (token: string) =>
    new HttpClient({ url: hub.url, tls: {}, headers: bearer(token) });
  return {
    admin: connect('admin'),
    connectServiceAccount: async () => connect('backend'),
    stop: () => hub.stop(),
  };
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

function pathOf({ apiVersion, kind, metadata }: DeployedObject): string {
  const resource = `${kind.toLowerCase()}s`;
  const { namespace, name } = metadata;
  return resourcePath(apiVersion, resource, namespace, name);
}

/** Finds or starts a hub, creates the namespace for an Argo CD and applies `deploy/rbac` unchanged. */
export async function startHubWithRoles(
  argoNamespace: string,
): Promise<HubWithRoles> {
  const server = await (REAL_HUB_KUBECONFIG
    ? realServer(REAL_HUB_KUBECONFIG)
    : embeddedServer());
  const { admin } = server;
  for (const object of [
    namespaceManifest(argoNamespace),
    ...deployedObjects(argoNamespace),
  ]) {
    const { status, text } = await admin.call(
      'PATCH',
      `${pathOf(object)}?fieldManager=rbac-test&force=true`,
      object,
      { 'content-type': 'application/apply-patch+yaml' },
    );
    if (status >= 300) {
      throw new Error(`${object.kind} ${object.metadata.name}: ${text}`);
    }
  }
  const backend = await server.connectServiceAccount();
  return {
    backend,
    async stop() {
      await admin.call('DELETE', `/api/v1/namespaces/${argoNamespace}`);
      admin.close();
      backend.close();
      await server.stop();
    },
  };
}
