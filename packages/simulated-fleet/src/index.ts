/**
 * Everything around Argo CD Fleet that is not Argo CD Fleet: placement,
 * ApplicationSet generation, work agents and Argo CDs, as clients of any
 * Kubernetes API.
 *
 * @packageDocumentation
 */
export { startSimulatedFleet } from './startSimulatedFleet';
export type {
  SimulatedFleet,
  SimulatedFleetOptions,
} from './startSimulatedFleet';
export {
  defaultScenario,
  loadScenario,
  parseScenario,
} from './scenario/loadScenario';
export type { Scenario } from './scenario/schema';
export { evaluateMessage, evaluateRule } from './agent/cel/evaluateCel';
export { readFeedback } from './agent/statusFeedback';
export type { FleetLogger } from './logger';
export type { KubeConfigSource } from './kubernetes/kubeConfig';
export { generateFleet } from './generator/generateFleet';
export type { FleetPlan } from './generator/fleetPlan';
export type { ClusterTrouble, SimulatedCluster } from './simulatedCluster';
export type { FleetFaults } from './cluster/fleetFaults';
export type {
  RolloutControl,
  RolloutName,
} from './argocd/rollouts/rolloutControl';
export { startSearchEndpoint } from './search/searchEndpoint';
export type {
  SearchEndpoint,
  SearchEndpointOptions,
} from './search/searchEndpoint';
export type { SearchTrouble } from './search/searchFaults';
export type { SearchInput, SearchItem } from './search/searchSchema';
