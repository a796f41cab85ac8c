/** A hub that a kubeconfig leads to. */
export interface KubeconfigAccess {
  readonly kubeconfig: { readonly path: string; readonly context?: string };
}

/** The hub that this process runs on, with the service account of its pod. */
export interface InClusterAccess {
  readonly inCluster: true;
}

/** A hub by its address, with a bearer token. Of token and CA, what comes from a file is followed when it changes there. */
export interface UrlAccess {
  /** `https:`; `http:` on loopback only. */
  readonly url: string;
  readonly token?: string;
  readonly tokenFile?: string;
  /** Certificates in PEM, in base64; without any, those that Node.js trusts. */
  readonly caData?: string;
  readonly caFile?: string;
  readonly skipTLSVerify?: boolean;
}

/** Where a hub is and who we are there. */
export type ConnectionConfig = KubeconfigAccess | InClusterAccess | UrlAccess;

const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * What a pod is given to reach its own cluster.
 * @throws Error outside of a pod
 */
export function inClusterAccess(
  environment: Readonly<Record<string, string | undefined>>,
): UrlAccess {
  const host = environment.KUBERNETES_SERVICE_HOST;
  const port = environment.KUBERNETES_SERVICE_PORT;
  if (!host || !port) {
    throw new Error(
      'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set, as they are in every pod: inCluster is for a backend that runs on the hub itself',
    );
  }
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tokenFile: `${SERVICE_ACCOUNT_FOLDER}/token`,
    caFile: `${SERVICE_ACCOUNT_FOLDER}/ca.crt`,
  };
}

/** The access in a sentence. */
export function describeAccess(access: ConnectionConfig): string {
  if ('inCluster' in access) {
    return 'the in-cluster service account';
  }
  return 'url' in access
    ? `the token for ${access.url}`
    : `the kubeconfig ${access.kubeconfig.path}`;
}

/** Whether an address may be spoken to in the clear: there is nobody on this machine's own loopback to hide anything from. */
export function isLoopbackHttp(url: string): boolean {
  return /^http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:|\/|$)/.test(url);
}
