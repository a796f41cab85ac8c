/**
 * The extension point of the Argo CD Fleet backend plugin, for sources of resource lists and errors.
 * @packageDocumentation
 */
export * from './resourceSource';
export * from './resourceSourcesExtensionPoint';
