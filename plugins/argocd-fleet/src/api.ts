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

/**
 * Client of the Argo CD Fleet backend's HTTP API.
 * @public
 */
export const argocdFleetApiRef = createApiRef<ArgocdFleetClient>({
  id: 'plugin.argocd-fleet.client',
});

/** Creates the client on the portal's discovery and fetch APIs; the fetch API adds the user's token. */
export const argocdFleetApiFactory = createApiFactory({
  api: argocdFleetApiRef,
  deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
  factory: deps => createArgocdFleetClient(deps),
});
