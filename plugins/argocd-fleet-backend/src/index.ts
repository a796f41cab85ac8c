/**
 * The backend plugin of Argo CD Fleet.
 * @packageDocumentation
 */
export { argocdFleetPlugin, argocdFleetPlugin as default } from './feature';
