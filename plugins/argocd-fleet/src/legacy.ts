/**
 * Argo CD Fleet for classic apps, those on `@backstage/core-plugin-api`.
 * @packageDocumentation
 */
export { argocdFleetApiRef } from './api';
export { isArgocdFleetAvailable } from './availability';
export {
  ArgocdFleetApplicationSetPicker,
  ArgocdFleetPage,
  ArgocdFleetPlacementChangePicker,
  argocdFleetPlugin,
  ArgocdFleetTargetPicker,
  EntityArgocdFleetCard,
  EntityArgocdFleetContent,
  EntityArgocdFleetWarning,
} from './legacyPlugin';
export { argocdFleetTranslationRef } from './messages';
export { entityContentRouteRef, rootRouteRef } from './routes';
export type {
  ClusterChoice as ArgocdFleetClusterChoice,
  PlacementChangeValue as ArgocdFleetPlacementChange,
  Target as ArgocdFleetTarget,
} from './template/target';
