import {
  createExternalRouteRef,
  createRouteRef,
  createSubRouteRef,
  type ExternalRouteRef,
} from '@backstage/core-plugin-api';

/** The page with every ApplicationSet. @public */
export const rootRouteRef = createRouteRef({ id: 'argocd-fleet' });

/** One ApplicationSet, below the page. */
export const applicationSetRouteRef = createSubRouteRef({
  id: 'argocd-fleet/application-set',
  parent: rootRouteRef,
  path: '/:hub/:namespace/:name',
});

/** The codes of all findings, below the page. */
export const findingsRouteRef = createSubRouteRef({
  id: 'argocd-fleet/findings',
  parent: rootRouteRef,
  path: '/findings',
});

/** What one code means, below the page. */
export const findingRouteRef = createSubRouteRef({
  id: 'argocd-fleet/finding',
  parent: rootRouteRef,
  path: '/findings/:code',
});

/**
 * Target of a code's link. External and optional, because an app may have the tab without the page, and a plugin's own
 * route reference throws if it is not mounted.
 */
export const findingLinkRouteRef = createExternalRouteRef({
  id: 'argocd-fleet/finding-link',
  params: ['code'],
  optional: true,
  defaultTarget: 'argocd-fleet.finding',
});

/** The entity page's "Fleet" tab. @public */
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

/**
 * Target of links from an entity's page to an ApplicationSet's own. External and optional for the same reason as
 * {@link findingLinkRouteRef}. Its type is written out: the order of inferred parameters differs between compilations, and
 * so would the API report.
 */
export const applicationSetLinkRouteRef: ExternalRouteRef<
  { hub: string; namespace: string; name: string },
  true
> = createExternalRouteRef({
  id: 'argocd-fleet/application-set-link',
  params: ['hub', 'namespace', 'name'],
  optional: true,
  defaultTarget: 'argocd-fleet.applicationSet',
});

/** The form of a scaffolder template. */
export const templateRouteRef: ExternalRouteRef<
  { namespace: string; templateName: string },
  true
> = createExternalRouteRef({
  id: 'argocd-fleet/template',
  params: ['namespace', 'templateName'],
  optional: true,
  defaultTarget: 'scaffolder.selectedTemplate',
});
