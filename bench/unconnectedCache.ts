// A hub's cache without a hub, and what an API server adds to the objects in it.
import { createFleetCache } from '../plugins/argocd-fleet-backend/src/fleet';
import {
  createConnector,
  createHttpClient,
} from '../plugins/argocd-fleet-backend/src/kubernetes/client';

/** The cache of the hub `hub`, to be filled by `applyWriteResult`, and the client that it would list with. */
export function createUnconnectedCache() {
  const log = { info() {}, warn() {}, error() {}, debug() {} };
  const logger = { ...log, child: () => logger };
  const server = 'hub "hub"';
  const client = createHttpClient({
    server,
    connector: createConnector({
      server,
      access: { kubeconfig: { path: '/nowhere' } },
    }),
    fieldManager: 'bench',
  });
  return { client, cache: createFleetCache({ hub: 'hub', client, logger }) };
}

let version = 0;

/** An object as the API server stores it: with a UID of its own, and a new version. */
export function stored<T extends { readonly metadata: object }>(object: T): T {
  version += 1;
  return {
    ...object,
    metadata: {
      uid: `uid-${version}`,
      ...object.metadata,
      resourceVersion: String(version),
    },
  };
}
