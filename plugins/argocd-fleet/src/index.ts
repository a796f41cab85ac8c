/**
 * Multicluster sync and health of Argo CD applications in the Backstage catalog, for the new frontend system.
 * @packageDocumentation
 */
export { argocdFleetApiRef } from './api';
export { isArgocdFleetAvailable } from './availability';
export { argocdFleetTranslationRef } from './messages';
export { argocdFleetPlugin as default } from './plugin';
