/**
 * For modules and permission policies that extend the Argo CD Fleet backend plugin: the extension point for sources of
 * resource lists and errors, the rules of its permissions, and the names of its entities in the catalog.
 * @packageDocumentation
 */
export * from './accessFacts';
export * from './applicationSetRules';
export * from './clusterRules';
export * from './ownerRef';
export * from './resourceNames';
export * from './resourceSource';
export * from './resourceSourcesExtensionPoint';
