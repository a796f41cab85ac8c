/**
 * Catalog backend module of Argo CD Fleet.
 * @packageDocumentation
 */
export { catalogModuleArgocdFleet as default } from './module';
