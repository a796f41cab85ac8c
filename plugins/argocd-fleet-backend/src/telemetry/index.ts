/**
 * Metrics and traces, recorded with Backstage's services. docs/metrics.md lists them.
 * Main entries: `createFleetTelemetry` for hubs and controllers, and `observeFleetCounts` for gauges from the database.
 * This room measures only: no other room may depend on a metric, and no metric has the name of an object.
 */
export { observeFleetCounts } from './fleetGauges';
export { createFleetTelemetry, type HubTelemetry } from './fleetTelemetry';
