/** Names of the controllers, as in the configuration. */
export const CONTROLLER_NAMES = [
  'clusterImport',
  'propagation',
  'applicationStatus',
  'aggregation',
  'resourceSync',
] as const;
export type ControllerName = (typeof CONTROLLER_NAMES)[number];
