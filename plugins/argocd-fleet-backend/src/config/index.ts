/**
 * The configuration under `argocdFleet`, as config.d.ts describes it.
 * Main entry: `readFleetConfig`, which validates every key, sets the defaults and names every mistake at once.
 * This room does not read files, connect to hubs, or follow changes of the configuration.
 */
export type { ControllerName } from './controllerNames';
export { readFleetConfig, type FleetConfig } from './fleetConfig';
export type { HubConfig } from './hubConfig';
