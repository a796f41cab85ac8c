import {
  ApiBlueprint,
  createFrontendPlugin,
  PageBlueprint,
} from '@backstage/frontend-plugin-api';
import {
  EntityCardBlueprint,
  EntityContentBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { FormFieldBlueprint } from '@backstage/plugin-scaffolder-react/alpha';
import DeviceHubIcon from '@material-ui/icons/DeviceHub';
import { APPLICATION_SET_RESOURCE_TYPE } from 'backstage-plugin-argocd-fleet-common';
import { z } from 'zod';
import { argocdFleetApiFactory } from './api';
import { isArgocdFleetAvailable } from './availability';
import {
  applicationSetLinkRouteRef,
  applicationSetRouteRef,
  entityContentRouteRef,
  findingLinkRouteRef,
  findingRouteRef,
  fleetTabRouteRef,
  rootRouteRef,
  templateRouteRef,
} from './routes';

const fleetIcon = <DeviceHubIcon fontSize="inherit" />;

const fleetApi = ApiBlueprint.make({
  name: 'client',
  params: defineParams => defineParams(argocdFleetApiFactory),
});

const fleetPage = PageBlueprint.make({
  params: {
    path: '/argocd-fleet',
    title: 'Fleet',
    icon: fleetIcon,
    routeRef: rootRouteRef,
    loader: () =>
      import('./list/FleetPageContent').then(m => <m.FleetPageContent />),
  },
});

const fleetEntityContent = EntityContentBlueprint.make({
  name: 'fleet',
  params: {
    path: 'fleet',
    title: 'Fleet',
    group: 'deployment',
    icon: fleetIcon,
    routeRef: entityContentRouteRef,
    // Every component, linked or not: without a link, the tab says how to add one.
    filter: {
      $any: [
        { kind: 'component' },
        { kind: 'resource', 'spec.type': APPLICATION_SET_RESOURCE_TYPE },
      ],
    },
    loader: () =>
      import('./entity/EntityFleetContent').then(m => <m.EntityFleetContent />),
  },
});

const fleetEntityCard = EntityCardBlueprint.make({
  name: 'fleet',
  params: {
    type: 'info',
    filter: isArgocdFleetAvailable,
    loader: () =>
      import('./entity/EntityFleetCard').then(m => <m.EntityFleetCard />),
  },
});

/** Off by default: the card says the same of every state. Other entity pages place it above their tabs' content. */
const fleetEntityWarning = EntityCardBlueprint.makeWithOverrides({
  name: 'warning',
  disabled: true,
  configSchema: { share: z.number().min(0).max(1).optional() },
  factory: (original, { config }) =>
    original({
      type: 'content',
      filter: isArgocdFleetAvailable,
      loader: () =>
        import('./entity/EntityFleetWarning').then(m => (
          <m.EntityFleetWarning share={config.share} />
        )),
    }),
});

const targetFormField = FormFieldBlueprint.make({
  name: 'target',
  params: {
    field: () => import('./template/formField').then(m => m.targetFormField),
  },
});

const applicationSetFormField = FormFieldBlueprint.make({
  name: 'application-set',
  params: {
    field: () =>
      import('./template/formField').then(m => m.applicationSetFormField),
  },
});

const placementChangeFormField = FormFieldBlueprint.make({
  name: 'placement-change',
  params: {
    field: () =>
      import('./template/formField').then(m => m.placementChangeFormField),
  },
});

/**
 * Argo CD Fleet for apps on the new frontend system: the page, the entity tab, the overview card, the
 * form fields of the templates and the API client.
 * @public
 */
export const argocdFleetPlugin = createFrontendPlugin({
  pluginId: 'argocd-fleet',
  title: 'Fleet',
  icon: fleetIcon,
  info: { packageJson: () => import('../package.json') },
  routes: {
    root: rootRouteRef,
    applicationSet: applicationSetRouteRef,
    entityContent: entityContentRouteRef,
    finding: findingRouteRef,
  },
  externalRoutes: {
    fleetTab: fleetTabRouteRef,
    findingLink: findingLinkRouteRef,
    applicationSetLink: applicationSetLinkRouteRef,
    template: templateRouteRef,
  },
  extensions: [
    fleetApi,
    fleetPage,
    fleetEntityContent,
    fleetEntityCard,
    fleetEntityWarning,
    targetFormField,
    applicationSetFormField,
    placementChangeFormField,
  ],
});
