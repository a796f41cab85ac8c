import {
  createApiFactory,
  createApiRef,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/core-plugin-api';
import {
  createArgocdFleetClient,
  type ArgocdFleetClient,
} from 'backstage-plugin-argocd-fleet-common';
import { shareChanges } from './sharedChanges';

/**
 * Client of the Argo CD Fleet backend's HTTP API.
 * @public
 */
export const argocdFleetApiRef = createApiRef<ArgocdFleetClient>({
  id: 'plugin.argocd-fleet.client',
});

/**
 * Creates the client on the portal's discovery and fetch APIs; the fetch API adds the user's token. All parts of a page
 * share one event stream.
 */
export const argocdFleetApiFactory = createApiFactory({
  api: argocdFleetApiRef,
  deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
  factory: deps => {
    const client = createArgocdFleetClient(deps);
    return { ...client, changes: shareChanges(client.changes) };
  },
});
