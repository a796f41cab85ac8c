import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { openAuditLog } from './auditLog';
import { BACKEND_USER } from './deployedRbac';
import { emptyHub } from './emptyHub';
import { BACKEND, type HubServer, type HubUsers } from './hubServer';
import { untilInForce } from './rightsInForce';

/** A real kube-apiserver that the tests use one after the other. */
export interface RealServer {
  /** For a user with every right, impersonation included. */
  readonly kubeconfigPath: string;
  /** In a folder that is removed with the server. */
  readonly auditLogPath: string;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: {
      readonly server: string;
      readonly 'certificate-authority-data': string;
    };
  }[];
  readonly users: readonly { readonly user: object }[];
}

/**
 * The real server that the environment names, in lists of one entry for each worker of Jest; undefined where the tests
 * are to start an embedded hub.
 */
export function realServer(): RealServer | undefined {
  if (!process.env.ARGOCD_FLEET_TEST_HUB_KUBECONFIG) {
    return undefined;
  }
  const worker = Number(process.env.JEST_WORKER_ID ?? 1);
  const entry = (variable: string) =>
    process.env[variable]?.split(',')[worker - 1];
  const kubeconfigPath = entry('ARGOCD_FLEET_TEST_HUB_KUBECONFIG');
  const auditLogPath = entry('ARGOCD_FLEET_TEST_HUB_AUDIT_LOG');
  if (!kubeconfigPath || !auditLogPath) {
    throw new Error(
      `ARGOCD_FLEET_TEST_HUB_KUBECONFIG is set, but worker ${worker} of Jest has no server and audit log in it and ARGOCD_FLEET_TEST_HUB_AUDIT_LOG: name one of each for each worker, or let \`npm run test:real-hub\` do so`,
    );
  }
  return { kubeconfigPath, auditLogPath };
}

/** Uses a real server as a test's hub; its users but `admin` are impersonated. */
export async function useRealServer(
  real: RealServer,
  users: HubUsers = {},
): Promise<HubServer> {
  const admin = await readFile(real.kubeconfigPath, 'utf8');
  const { clusters, users: administrators, ...rest }: Kubeconfig = parse(admin);
  const [{ cluster }] = clusters;
  const kubeconfigAs = (name: string) =>
    stringify({
      ...rest,
      clusters,
      users: administrators.map(each => ({
        ...each,
        user: { ...each.user, as: name },
      })),
    });
  const log = openAuditLog(real.auditLogPath, BACKEND);
  return {
    url: cluster.server,
    certificate: Buffer.from(
      cluster['certificate-authority-data'],
      'base64',
    ).toString(),
    kubeconfig: user =>
      user === 'admin'
        ? admin
        : kubeconfigAs(user === 'backend' ? BACKEND_USER : users[user]),
    get requests() {
      return log.requests();
    },
    clearRequests: log.clear,
    empty: client =>
      emptyHub(client, join(dirname(real.auditLogPath), 'definitions.json')),
    untilInForce,
    stop: async () => log.close(),
  };
}
