import { DeploymentEnvironment } from './argocd/environment';
import { createScenarioEnvironment } from './argocd/scenarioEnvironment';
import { ClusterStore, createClusterStore } from './cluster/clusterStore';
import { Scenario } from './scenario/schema';

/** One managed cluster: what it holds, and what its Argo CD meets there. */
export interface SimulatedCluster {
  readonly name: string;
  readonly store: ClusterStore;
  readonly environment: DeploymentEnvironment;
  /** False once the cluster has fallen silent: its agents do nothing then. */
  reports: boolean;
}

/** The clusters of a scenario, empty but for what every cluster has. */
export function createSimulatedClusters(
  scenario: Scenario,
): ReadonlyMap<string, SimulatedCluster> {
  return new Map(
    scenario.clusters.map(({ name, stopsReportingAfterSeconds }) => {
      const store = createClusterStore(name, [
        'default',
        'kube-system',
        scenario.argocd.namespace,
      ]);
      return [
        name,
        {
          name,
          store,
          environment: createScenarioEnvironment(scenario, store),
          reports: stopsReportingAfterSeconds !== 0,
        },
      ];
    }),
  );
}
