import { AgentOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { startEmbeddedHub } from 'embedded-hub';
import { HttpClient } from '../contract/httpClient';
import { deployedObjects, DeployedObject } from './deployedRoles';

/** The kubeconfig of a real server; without it an embedded hub is started. */
const KUBECONFIG = process.env.ARGOCD_FLEET_TEST_HUB_KUBECONFIG;

const ACCOUNT = '/api/v1/namespaces/argocd-fleet/serviceaccounts/argocd-fleet';
const USER = 'system:serviceaccount:argocd-fleet:argocd-fleet';

/** A hub on which `deploy/rbac` is applied. */
export interface HubWithRoles {
  /** May do everything. */
  readonly admin: HttpClient;
  /** The service account of `deploy/rbac`, by a token of its own. */
  readonly backend: HttpClient;
  stop(): Promise<void>;
}

interface Server {
  connect(token?: string): Promise<HttpClient>;
  /** A token of the service account, which exists by now. */
  tokenOfAccount(admin: HttpClient): Promise<string>;
  stop(): Promise<void>;
}

async function realServer(path: string): Promise<Server> {
  const config = new KubeConfig();
  config.loadFromFile(path);
  const options: AgentOptions & { headers?: { [name: string]: string } } = {};
  await config.applyToHTTPSOptions(options);
  const { headers = {}, ...tls } = options;
  const url = config.getCurrentCluster()!.server;
  return {
    connect: async token =>
      new HttpClient(
        token
          ? {
              url,
              tls: { ca: tls.ca },
              headers: { authorization: `Bearer ${token}` },
            }
          : { url, tls, headers },
      ),
    async tokenOfAccount(admin) {
      const { body } = await admin.call('POST', `${ACCOUNT}/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      });
      const { token } = body.status as { readonly token: string };
      return token;
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
  return {
    connect: async (token = 'admin') =>
      new HttpClient({
        url: hub.url,
        tls: {},
        headers: { authorization: `Bearer ${token}` },
      }),
    tokenOfAccount: async () => 'backend',
    stop: () => hub.stop(),
  };
}

function collectionOf({ apiVersion, kind, metadata }: DeployedObject): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const within = metadata.namespace ? `/namespaces/${metadata.namespace}` : '';
  return `${root}/${apiVersion}${within}/${kind.toLowerCase()}s`;
}

/** Finds or starts a hub and applies `deploy/rbac` as it is, with a new namespace of that name for an Argo CD. */
export async function startHubWithRoles(
  argoNamespace: string,
): Promise<HubWithRoles> {
  const server = await (KUBECONFIG ? realServer(KUBECONFIG) : embeddedServer());
  const admin = await server.connect();
  const namespace: DeployedObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: argoNamespace },
  };
  for (const object of [namespace, ...deployedObjects(argoNamespace)]) {
    const { status, text } = await admin.call(
      'PATCH',
      `${collectionOf(object)}/${object.metadata.name}?fieldManager=rbac-test&force=true`,
      object,
      { 'content-type': 'application/apply-patch+yaml' },
    );
    if (status >= 300) {
      throw new Error(`${object.kind} ${object.metadata.name}: ${text}`);
    }
  }
  const backend = await server.connect(await server.tokenOfAccount(admin));
  return {
    admin,
    backend,
    async stop() {
      await admin.call('DELETE', `/api/v1/namespaces/${argoNamespace}`);
      admin.close();
      backend.close();
      await server.stop();
    },
  };
}
