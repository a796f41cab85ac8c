/**
 * Extension points of the Argo CD Fleet backend plugin.
 * @packageDocumentation
 */
export * from './resourceSource';
export * from './resourceSourcesExtensionPoint';
