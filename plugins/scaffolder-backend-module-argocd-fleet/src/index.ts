/**
 * Scaffolder backend module of Argo CD Fleet.
 * @packageDocumentation
 */
export { scaffolderModuleArgocdFleet as default } from './module';
