export { observeFleet } from './fleetGauges';
export { createFleetTelemetry, type HubTelemetry } from './fleetTelemetry';
