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

/** Changes that each resource remembers for watches and paged lists. */
const DEFAULT_HISTORY = 10_000;

const DEFAULT_BOOKMARK_INTERVAL = 60_000;

const INITIAL_NAMESPACES = [
  'default',
  'kube-system',
  'kube-public',
  'kube-node-lease',
];

/** Where the hub reports its own failures; `console` and Backstage's loggers fit. */
export interface HubLogger {
  error(message: string): void;
}

export interface EmbeddedHubOptions {
  /** TCP port; 0, the default, takes a free one. */
  readonly port?: number;
  /** Address to listen on; default 127.0.0.1. The hub asks for no credentials: keep it on loopback. */
  readonly host?: string;
  /** File to write a kubeconfig to, one without a token; its directory is made. */
  readonly kubeconfigPath?: string;
  /** Whether requests are recorded; default true. The last 50,000 are kept. */
  readonly requestLog?: boolean;
  readonly logger?: HubLogger;
  /** Changes that each resource remembers; older revisions answer 410 Gone. Default 10,000. */
  readonly eventHistory?: number;
  /** Milliseconds between the bookmarks of a watch; default one minute. */
  readonly bookmarkInterval?: number;
  /**
   * Has requests allowed by the roles and bindings on the hub, and says who has which bearer token. A request without one is anonymous.
   * Without this option every request is allowed.
   */
  readonly authorization?: {
    readonly tokens: Readonly<Record<string, HubUser>>;
  };
  /** What to start from: a file that `saveSnapshot` or `writeSnapshot` wrote, or objects. Default: an empty hub. */
  readonly snapshot?: SnapshotSource;
}

/** A running hub. */
export interface EmbeddedHub {
  /** Base URL, for example `http://127.0.0.1:41234`. */
  readonly url: string;
  /** A kubeconfig, as YAML, that leads here; with that bearer token where one is given. */
  kubeconfig(token?: string): string;
  /** Requests answered so far, oldest first. */
  readonly requests: readonly RequestLogEntry[];
  clearRequests(): void;
  /** Forgets all past changes, as etcd's compaction does: watches and pages from before answer 410 Gone. */
  compact(): void;
  /**
   * Saves the state of this moment, uids and resourceVersions included, while
   * the hub goes on; compressed when the name of the file ends in `.gz`.
   * A hub that starts from it has no history: watches from before get a 410.
   */
  saveSnapshot(path: string): Promise<SavedSnapshot>;
  /** Ends watches and connections and frees the port. */
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
 * Starts a Kubernetes API server with the resources of Argo CD, Open Cluster
 * Management and RHACM that a fleet needs, holding everything in memory.
 *
 * @throws when the port is taken, the kubeconfig cannot be written, or the
 * snapshot cannot be read.
 */
export async function startEmbeddedHub(
  options: EmbeddedHubOptions = {},
): Promise<EmbeddedHub> {
  const { host = '127.0.0.1', port = 0, kubeconfigPath, logger } = options;
  const { authorization } = options;
  const context: HubContext = {
    store: new ObjectStore(options.eventHistory ?? DEFAULT_HISTORY),
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
  // These two judge what belongs to what, and so must not see half of a snapshot.
  controllers.push(
    startNamespaceController(context, onError),
    startGarbageCollector(context, onError),
  );

  const log = new RequestLog(options.requestLog ?? true);
  const server = createHubServer({
    context,
    log,
    authorizer:
      authorization && createAuthorizer(context.store, authorization.tokens),
    bookmarkInterval: options.bookmarkInterval ?? DEFAULT_BOOKMARK_INTERVAL,
    onError,
  });
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${host}]` : host;
  const url = `http://${shownHost}:${address.port}`;

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
