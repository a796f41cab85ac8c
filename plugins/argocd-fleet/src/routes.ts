import {
  createExternalRouteRef,
  createRouteRef,
  createSubRouteRef,
} from '@backstage/core-plugin-api';

/** The page with every ApplicationSet. */
export const rootRouteRef = createRouteRef({ id: 'argocd-fleet' });

/** One ApplicationSet, below the page. */
export const applicationSetRouteRef = createSubRouteRef({
  id: 'argocd-fleet/application-set',
  parent: rootRouteRef,
  path: '/:hub/:namespace/:name',
});

/** The entity page's "Fleet" tab. */
export const entityContentRouteRef = createRouteRef({
  id: 'argocd-fleet/entity-content',
});

/**
 * Target of the card's link: the Fleet tab. External and optional, because an app may have the card without the tab,
 * and a plugin's own route reference throws if it is not mounted.
 */
export const fleetTabRouteRef = createExternalRouteRef({
  id: 'argocd-fleet/fleet-tab',
  optional: true,
  defaultTarget: 'argocd-fleet.entityContent',
});
