import { AddressInfo } from 'node:net';
import { kubeconfigFor, listen, writeKubeconfig } from 'apimachinery';
import { ResourceRegistry } from './resources/resourceRegistry';
import { ARGO_CD_CRDS } from './builtin/argoCdCrds';
import { CLUSTER_CRDS } from './builtin/clusterCrds';
import { CORE_RESOURCES } from './builtin/coreResources';
import { toCustomResourceDefinition } from './builtin/crdDeclaration';
import { CRD_COLLECTION, CRD_RESOURCE } from './builtin/customResources';
import { GITOPS_CLUSTER_CRDS } from './builtin/gitOpsClusterCrds';
import { WORK_CRDS } from './builtin/workCrds';
import { startCustomResourceController } from './controllers/customResourceController';
import { startGarbageCollector } from './controllers/garbageCollector';
import { startNamespaceController } from './controllers/namespaceController';
import { createAuthorizer } from './authorization/authorizer';
import { ensureBootstrapRoles } from './authorization/bootstrapRoles';
import { HubUser } from './authorization/hubUser';
import { createHubServer } from './http/server';
import { createObject } from './operations/createObject';
import { HubContext, serverWrite } from './operations/hubContext';
import { RequestLog, RequestLogEntry } from './http/requestLog';
import { restoreObjects } from './snapshot/restoreObjects';
import { SavedSnapshot, SnapshotSource } from './snapshot/snapshotObject';
import { writeSnapshot } from './snapshot/writeSnapshot';
import { ObjectStore } from './store/objectStore';

/** Changes that each resource keeps for watches and paginated lists. */
const DEFAULT_EVENT_HISTORY = 10_000;

const DEFAULT_BOOKMARK_INTERVAL_MS = 60_000;

const INITIAL_NAMESPACES = [
  'default',
  'kube-system',
  'kube-public',
  'kube-node-lease',
];

/** Logger for failures of the hub itself; `console` and Backstage's loggers fit. */
export interface HubLogger {
  error(message: string): void;
}

export interface EmbeddedHubOptions {
  /** TCP port; 0, the default, takes a free one. */
  readonly port?: number;
  /** Address to listen on; default 127.0.0.1. By default the hub has no authentication: keep it on loopback. */
  readonly host?: string;
  /** File to write a kubeconfig without a token to; its directory is created. */
  readonly kubeconfigPath?: string;
  /** Whether requests are logged; default true. The last 50,000 are kept. */
  readonly requestLog?: boolean;
  readonly logger?: HubLogger;
  /** Changes that each resource keeps; older revisions answer 410 Gone. Default 10,000. */
  readonly eventHistory?: number;
  /** Milliseconds between the bookmarks of a watch; default one minute. */
  readonly bookmarkInterval?: number;
  /**
   * Bearer tokens and their users. With this option, RBAC authorizes requests by the roles and bindings on the hub, and
   * a request without a token is anonymous. Without it, every request is allowed.
   */
  readonly authorization?: {
    readonly tokens: Readonly<Record<string, HubUser>>;
  };
  /** Initial state: a file that `saveSnapshot` or `writeSnapshot` wrote, or objects. Default: an empty hub. */
  readonly snapshot?: SnapshotSource;
}

/** A running hub. */
export interface EmbeddedHub {
  /** Base URL, for example `http://127.0.0.1:41234`. */
  readonly url: string;
  /** A kubeconfig for this hub, as YAML, with the bearer token if one is given. */
  kubeconfig(token?: string): string;
  /** Requests answered so far, the oldest first. */
  readonly requests: readonly RequestLogEntry[];
  clearRequests(): void;
  /** Drops all past changes, as etcd's compaction does: older watches and pages answer 410 Gone. */
  compact(): void;
  /**
   * Saves the current state, including uids and resourceVersions, while the hub continues to serve; compressed when the
   * name of the file ends in `.gz`. A hub that starts from it has no history: older watches answer 410.
   */
  saveSnapshot(path: string): Promise<SavedSnapshot>;
  /** Closes watches and connections and frees the port. */
  stop(): Promise<void>;
}

function seed(context: HubContext): void {
  const options = serverWrite('kube-apiserver');
  for (const name of INITIAL_NAMESPACES) {
    createObject(
      context,
      context.registry.find('', 'v1', 'namespaces')!,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      options,
    );
  }
  for (const declaration of [
    ...ARGO_CD_CRDS,
    ...CLUSTER_CRDS,
    ...WORK_CRDS,
    ...GITOPS_CLUSTER_CRDS,
  ]) {
    createObject(
      context,
      CRD_RESOURCE,
      toCustomResourceDefinition(declaration),
      options,
    );
  }
}

/**
 * Starts an in-memory Kubernetes API server with the resources of Argo CD, Open Cluster Management and RHACM that a
 * fleet needs.
 *
 * @throws Error when the port is in use, the kubeconfig cannot be written, or the snapshot cannot be read.
 */
export async function startEmbeddedHub(
  options: EmbeddedHubOptions = {},
): Promise<EmbeddedHub> {
  const { host = '127.0.0.1', port = 0, kubeconfigPath, logger } = options;
  const { authorization } = options;
  const context: HubContext = {
    store: new ObjectStore(options.eventHistory ?? DEFAULT_EVENT_HISTORY),
    registry: new ResourceRegistry(),
    now: () => new Date(),
  };
  const onError = (message: string, error: unknown) =>
    logger?.error(
      `embedded hub: ${message}: ${
        error instanceof Error ? error.stack : String(error)
      }`,
    );
  for (const resource of [...CORE_RESOURCES, CRD_RESOURCE]) {
    context.registry.register(resource);
  }
  const controllers = [startCustomResourceController(context, onError)];
  try {
    if (options.snapshot === undefined) {
      seed(context);
    } else {
      await restoreObjects(context, options.snapshot, () => seed(context));
    }
    if (authorization) {
      ensureBootstrapRoles(context);
    }
  } catch (error) {
    controllers.forEach(controller => controller.stop());
    throw error;
  }
  // These two delete objects by their relations, so they must not start with half of a snapshot.
  controllers.push(
    startNamespaceController(context, onError),
    startGarbageCollector(context, onError),
  );

  const log = new RequestLog(options.requestLog ?? true);
  const server = createHubServer({
    context,
    log,
    host,
    authorizer:
      authorization && createAuthorizer(context.store, authorization.tokens),
    bookmarkInterval: options.bookmarkInterval ?? DEFAULT_BOOKMARK_INTERVAL_MS,
    onError,
  });
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const urlHost = address.family === 'IPv6' ? `[${host}]` : host;
  const url = `http://${urlHost}:${address.port}`;

  const kubeconfig = (token?: string) =>
    kubeconfigFor({ name: 'embedded-hub', server: url, token });
  const stop = async () => {
    controllers.forEach(controller => controller.stop());
    context.store.closeWatches();
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  if (kubeconfigPath) {
    try {
      writeKubeconfig(kubeconfigPath, kubeconfig());
    } catch (error) {
      await stop();
      throw new Error(
        `The hub's kubeconfig cannot be written to ${kubeconfigPath} (${error}): choose another file or make it writable`,
      );
    }
  }
  return {
    url,
    kubeconfig,
    get requests() {
      return log.entries;
    },
    clearRequests: () => log.clear(),
    compact: () => context.store.compact(),
    saveSnapshot: path =>
      writeSnapshot(
        path,
        context.store.listAll(CRD_COLLECTION, '/namespaces'),
        context.store.revision,
      ),
    stop,
  };
}
