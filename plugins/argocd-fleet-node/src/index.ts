/**
 * For modules and permission policies that extend the Argo CD Fleet backend plugin: the extension point for sources of
 * resource lists and errors, and the rules of its permissions.
 * @packageDocumentation
 */
export * from './accessFacts';
export * from './applicationSetRules';
export * from './clusterRules';
export * from './ownerRef';
export * from './resourceSource';
export * from './resourceSourcesExtensionPoint';
