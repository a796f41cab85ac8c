export { observeFleetCounts } from './fleetGauges';
export { createFleetTelemetry, type HubTelemetry } from './fleetTelemetry';
