import { LiveEnvironment } from './argocd/environment';
import { createScenarioEnvironment } from './argocd/scenarioEnvironment';
import { ClusterStore, createClusterStore } from './cluster/clusterStore';
import { Scenario } from './scenario/schema';

/** What is wrong with a cluster as a whole. */
export interface ClusterTrouble {
  /** Its agents cannot reach the hub; what runs on the cluster goes on. */
  readonly offline: boolean;
  /** Its own API server does not answer: nothing on the cluster goes on, its agents say so. */
  readonly apiServerDown: boolean;
  /** How far its clock is ahead of the hub's, negative for behind. */
  readonly clockSkewSeconds: number;
}

/** One managed cluster: what it holds, what its Argo CD meets there, and what ails it. */
export interface SimulatedCluster {
  readonly name: string;
  readonly store: ClusterStore;
  readonly environment: LiveEnvironment;
  readonly trouble: ClusterTrouble;
  /** The time by the cluster's own clock. */
  now(): Date;
  setTrouble(change: Partial<ClusterTrouble>): void;
  /** Told after {@link trouble} changed. */
  onTroubleChange(listener: (before: ClusterTrouble) => void): void;
}

/** Whether the agents of a cluster can do their work. */
export function agentsWork({ trouble }: SimulatedCluster): boolean {
  return !trouble.offline && !trouble.apiServerDown;
}

/** The clusters of a scenario, empty but for what every cluster has. */
export function createSimulatedClusters(
  scenario: Scenario,
): ReadonlyMap<string, SimulatedCluster> {
  return new Map(
    scenario.clusters.map(({ name, stopsReportingAfterSeconds }) => [
      name,
      createSimulatedCluster(name, scenario, stopsReportingAfterSeconds === 0),
    ]),
  );
}

function createSimulatedCluster(
  name: string,
  scenario: Scenario,
  offline: boolean,
): SimulatedCluster {
  const listeners: ((before: ClusterTrouble) => void)[] = [];
  let trouble = { offline, apiServerDown: false, clockSkewSeconds: 0 };
  const now = () => new Date(Date.now() + trouble.clockSkewSeconds * 1000);
  const store = createClusterStore(
    name,
    ['default', 'kube-system', scenario.argocd.namespace],
    now,
  );
  return {
    name,
    store,
    environment: createScenarioEnvironment(scenario, store),
    get trouble() {
      return trouble;
    },
    now,
    setTrouble(change) {
      const before = trouble;
      trouble = { ...trouble, ...change };
      listeners.forEach(listener => listener(before));
    },
    onTroubleChange: listener => {
      listeners.push(listener);
    },
  };
}
