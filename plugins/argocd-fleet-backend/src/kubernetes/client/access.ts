/** Access by a kubeconfig. */
export interface KubeconfigAccess {
  readonly kubeconfig: { readonly path: string; readonly context?: string };
}

/** Access to the cluster that this process runs in, with the service account of its pod. */
export interface InClusterAccess {
  readonly inCluster: true;
}

/** Access by URL and bearer token. A token or CA that comes from a file is read again when the file changes. */
export interface UrlAccess {
  /** `https:`; `http:` on loopback only. */
  readonly url: string;
  readonly token?: string;
  readonly tokenFile?: string;
  /** PEM certificates in base64; by default the CAs that Node.js trusts. */
  readonly caData?: string;
  readonly caFile?: string;
  readonly skipTLSVerify?: boolean;
}

/** Where an API server is, and as whom it is accessed. */
export type ConnectionConfig = KubeconfigAccess | InClusterAccess | UrlAccess;

const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The access of a pod to its own cluster.
 * @throws Error outside of a pod
 */
export function inClusterAccess(
  environment: Readonly<Record<string, string | undefined>>,
): UrlAccess {
  const host = environment.KUBERNETES_SERVICE_HOST;
  const port = environment.KUBERNETES_SERVICE_PORT;
  if (!host || !port) {
    throw new Error(
      'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set, as they are in every pod: inCluster is for a process in a pod of that cluster',
    );
  }
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tokenFile: `${SERVICE_ACCOUNT_FOLDER}/token`,
    caFile: `${SERVICE_ACCOUNT_FOLDER}/ca.crt`,
  };
}

/** The access as messages say it. */
export function describeAccess(access: ConnectionConfig): string {
  if ('inCluster' in access) {
    return 'the in-cluster service account';
  }
  return 'url' in access
    ? `the token for ${access.url}`
    : `the kubeconfig ${access.kubeconfig.path}`;
}

/** Hosts as the URL parser writes them: it resolves other spellings of an IPv4 address. */
const LOOPBACK = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)$/;

/** Whether an address may be used without TLS: traffic on the loopback interface does not leave the machine. */
export function isLoopbackHttp(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
}

/**
 * Why credentials may not be sent to an address, without the address itself: it may contain a password. Undefined where
 * they may.
 */
export function addressProblem(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.username || url?.password) {
    return 'must be an address without user name and password: set a token, or the user of a kubeconfig, instead';
  }
  return url?.protocol === 'https:' || isLoopbackHttp(address)
    ? undefined
    : 'must be an address that begins with https:// (http:// is accepted on loopback only)';
}
