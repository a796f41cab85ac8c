/**
 * The HTTP API of src/schema/openapi.yaml. Main entry: `createRouter`. `createFleetViews` builds the answers from the
 * caches, `createChangeFeed` publishes their changes. Reading must not send a request to a hub; writes go to the hub's
 * API server, and only to objects that the API created.
 */
export { createChangeFeed } from './changeFeed';
export { createFleetViews } from './fleetViews';
export { createRouter } from './router';
