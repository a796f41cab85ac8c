import {
  createDeployedWorkloads,
  DeployedWorkloads,
} from './deployedWorkloads';
import { LiveEnvironment } from './environment';
import { createScenarioEnvironment } from './scenarioEnvironment';
import { GitSources } from './gitSources';
import { ClusterStore, createClusterStore } from './clusterStore';
import { Scenario } from '../scenario/schema';

/** Faults of a cluster as a whole. */
export interface ClusterFaults {
  /** The cluster's agents cannot reach the hub; its own Argo CD keeps running. */
  readonly offline: boolean;
  /** The cluster's API server does not answer: its controllers stop, and its agents report that. */
  readonly apiServerDown: boolean;
  /** Seconds by which the cluster's clock is ahead of the hub's; negative if it is behind. */
  readonly clockSkewSeconds: number;
}

/** One managed cluster: its objects, the environment of its Argo CD, and its faults. */
export interface SimulatedCluster {
  readonly name: string;
  readonly store: ClusterStore;
  readonly environment: LiveEnvironment;
  /** What the cluster's Argo CD has deployed and not deleted again. */
  readonly workloads: DeployedWorkloads;
  readonly faults: ClusterFaults;
  /** The time of the cluster's own clock. */
  now(): Date;
  setFaults(change: Partial<ClusterFaults>): void;
  /** Calls the listener after {@link faults} changed. */
  onFaultsChange(listener: (before: ClusterFaults) => void): void;
}

/** Whether the agents of a cluster can reconcile: both the hub and the cluster's API server answer. */
export function agentsAreActive({ faults }: SimulatedCluster): boolean {
  return !faults.offline && !faults.apiServerDown;
}

/** Creates the clusters of a scenario; each contains only its default namespaces. */
export function createSimulatedClusters(
  scenario: Scenario,
  git?: GitSources,
): ReadonlyMap<string, SimulatedCluster> {
  return new Map(
    scenario.clusters.map(({ name, stopsReportingAfterSeconds }) => [
      name,
      createSimulatedCluster(
        name,
        scenario,
        stopsReportingAfterSeconds === 0,
        git,
      ),
    ]),
  );
}

function createSimulatedCluster(
  name: string,
  scenario: Scenario,
  offline: boolean,
  git: GitSources | undefined,
): SimulatedCluster {
  const listeners: ((before: ClusterFaults) => void)[] = [];
  let faults = { offline, apiServerDown: false, clockSkewSeconds: 0 };
  const now = () => new Date(Date.now() + faults.clockSkewSeconds * 1000);
  const store = createClusterStore(
    name,
    ['default', 'kube-system', scenario.argocd.namespace],
    now,
  );
  return {
    name,
    store,
    environment: createScenarioEnvironment(scenario, store, git),
    workloads: createDeployedWorkloads(),
    get faults() {
      return faults;
    },
    now,
    setFaults(change) {
      const before = faults;
      faults = { ...faults, ...change };
      listeners.forEach(listener => listener(before));
    },
    onFaultsChange: listener => {
      listeners.push(listener);
    },
  };
}
