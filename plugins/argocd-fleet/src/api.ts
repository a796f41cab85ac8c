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
 * Client of the Argo CD Fleet backend, as the portal's components use it.
 * @public
 */
export const argocdFleetApiRef = createApiRef<ArgocdFleetClient>({
  id: 'plugin.argocd-fleet.client',
});

/** The client on the portal's own discovery and fetch, which add the user's token. */
export const argocdFleetApiFactory = createApiFactory({
  api: argocdFleetApiRef,
  deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
  factory: deps => createArgocdFleetClient(deps),
});
