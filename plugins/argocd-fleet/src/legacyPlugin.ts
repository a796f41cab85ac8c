import {
  createComponentExtension,
  createPlugin,
  createRoutableExtension,
} from '@backstage/core-plugin-api';
import {
  createScaffolderFieldExtension,
  type FieldExtensionComponentProps,
} from '@backstage/plugin-scaffolder-react';
import type { JSX } from 'react';
import { argocdFleetApiFactory } from './api';
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
import { lazyField } from './template/lazyField';
import {
  APPLICATION_SET_FIELD,
  PLACEMENT_CHANGE_FIELD,
  TARGET_FIELD,
  type PlacementChangeValue,
  type Target,
} from './template/target';

/**
 * Argo CD Fleet for classic apps.
 * @public
 */
export const argocdFleetPlugin = createPlugin({
  id: 'argocd-fleet',
  apis: [argocdFleetApiFactory],
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
});

/**
 * The page with every ApplicationSet, for a `Route` at `/argocd-fleet`.
 * @public
 */
export const ArgocdFleetPage: () => JSX.Element = argocdFleetPlugin.provide(
  createRoutableExtension({
    name: 'ArgocdFleetPage',
    mountPoint: rootRouteRef,
    component: () =>
      import('./list/ClassicFleetPage').then(m => m.ClassicFleetPage),
  }),
);

/**
 * The content of an `EntityLayout.Route` at `/fleet`.
 * @public
 */
export const EntityArgocdFleetContent: () => JSX.Element =
  argocdFleetPlugin.provide(
    createRoutableExtension({
      name: 'EntityArgocdFleetContent',
      mountPoint: entityContentRouteRef,
      component: () =>
        import('./entity/EntityFleetContent').then(m => m.EntityFleetContent),
    }),
  );

/**
 * The card for an entity's overview.
 * @public
 */
export const EntityArgocdFleetCard: () => JSX.Element =
  argocdFleetPlugin.provide(
    createComponentExtension({
      name: 'EntityArgocdFleetCard',
      component: {
        lazy: () =>
          import('./entity/EntityFleetCard').then(m => m.EntityFleetCard),
      },
    }),
  );

/**
 * A warning for the entity page, while one of the entity's ApplicationSets is in trouble on more than a share of its
 * clusters; by default, a fifth.
 * @public
 */
export const EntityArgocdFleetWarning: (props: {
  /** From 0 to 1. */
  readonly share?: number;
}) => JSX.Element | null = argocdFleetPlugin.provide(
  createComponentExtension({
    name: 'EntityArgocdFleetWarning',
    component: {
      lazy: () =>
        import('./entity/EntityFleetWarning').then(m => m.EntityFleetWarning),
    },
  }),
);

/**
 * The form field of the template _New pull-model application_, for `ScaffolderFieldExtensions`.
 * @public
 */
export const ArgocdFleetTargetPicker = argocdFleetPlugin.provide(
  createScaffolderFieldExtension({
    name: TARGET_FIELD,
    component: lazyField<FieldExtensionComponentProps<Target>>(async () => {
      const { TargetPicker } = await import('./template/TargetPicker');
      return TargetPicker;
    }),
    validation: async (target, field, context) => {
      const { validateTarget } = await import('./template/validateTarget');
      return validateTarget(target, field, context);
    },
  }),
);

/**
 * The form field of templates that change an ApplicationSet, for `ScaffolderFieldExtensions`.
 * @public
 */
export const ArgocdFleetApplicationSetPicker = argocdFleetPlugin.provide(
  createScaffolderFieldExtension({
    name: APPLICATION_SET_FIELD,
    component: lazyField<FieldExtensionComponentProps<string>>(async () => {
      const { ApplicationSetPicker } =
        await import('./template/ApplicationSetPicker');
      return ApplicationSetPicker;
    }),
  }),
);

/**
 * The form field of the template _Change where it runs_, for `ScaffolderFieldExtensions`.
 * @public
 */
export const ArgocdFleetPlacementChangePicker = argocdFleetPlugin.provide(
  createScaffolderFieldExtension({
    name: PLACEMENT_CHANGE_FIELD,
    component: lazyField<FieldExtensionComponentProps<PlacementChangeValue>>(
      async () => {
        const { PlacementChangePicker } =
          await import('./template/PlacementChangePicker');
        return PlacementChangePicker;
      },
    ),
    validation: async (value, field, context) => {
      const { validatePlacementChange } =
        await import('./template/validatePlacementChange');
      return validatePlacementChange(value, field, context);
    },
  }),
);
