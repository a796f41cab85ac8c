/**
 * The HTTP API of src/schema/openapi.yaml. Main entry: `createRouter`. `createFleetViews` builds the answers from the
 * caches, `createChangeFeed` publishes their changes. `access.ts` asks the portal's policy, `visibility.ts` leaves out what
 * the caller may not see. Reading must not send a request to a hub; writes go to the hub's
 * API server, and only to objects that the API created.
 */
export { createChangeFeed } from './changeFeed';
export type { ComponentFindings } from './componentFindings';
export { createFleetFacts } from './fleetFacts';
export { registerPermissions } from './fleetPermissions';
export { createFleetViews } from './fleetViews';
export { createRouter, uncached } from './router';
