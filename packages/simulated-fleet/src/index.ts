/**
 * Simulates the controllers around Argo CD Fleet: placement, registration,
 * ApplicationSet generation, work agents and Argo CDs. They are clients of any
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
export { workStatus } from './agent/workStatus';
export type { AppliedObjects } from './agent/workStatus';
export type { FleetLogger } from './runtime/logger';
export type { KubeConfigSource } from './kubernetes/kubeConfig';
export { generateFleet } from './generator/generateFleet';
export type { FleetPlan } from './generator/fleetPlan';
export type {
  ClusterFaults,
  SimulatedCluster,
} from './cluster/simulatedCluster';
export type {
  DeployedWorkload,
  DeployedWorkloads,
} from './cluster/deployedWorkloads';
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
export type { SearchFaults } from './search/searchFaults';
export type { SearchInput, SearchItem } from './search/searchSchema';
