export type { ControllerName } from './controllerNames';
export { readFleetConfig, type FleetConfig } from './fleetConfig';
export type { HubConfig } from './hubConfig';
