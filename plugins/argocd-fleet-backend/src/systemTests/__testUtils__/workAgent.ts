import { freePort, startProgram, type Program } from './program';

/** Starts the work agent of Open Cluster Management for a managed cluster. */
export async function startWorkAgent(options: {
  /** Path of OCM's program `work`. */
  readonly binary: string;
  readonly cluster: string;
  readonly hubKubeconfig: string;
  readonly clusterKubeconfig: string;
}): Promise<Program> {
  const { binary, cluster, hubKubeconfig, clusterKubeconfig } = options;
  return startProgram(binary, [
    'agent',
    ...['--spoke-cluster-name', cluster, '--agent-id', `${cluster}-agent`],
    ...['--workload-source-config', hubKubeconfig],
    ...['--kubeconfig', clusterKubeconfig],
    ...['--namespace', 'default', '--disable-leader-election'],
    ...['--listen', `127.0.0.1:${await freePort()}`],
    ...['--status-sync-interval', '1s'],
  ]);
}
