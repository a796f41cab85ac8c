import { ApplicationStatus, ResourceStatus } from '../kubernetes/argocdTypes';

/** A resource that a cluster's Argo CD has deployed. */
export interface DeployedWorkload {
  group: string;
  kind: string;
  namespace: string;
  name: string;
}

/**
 * What the Applications of a cluster have deployed there. A workload outlives
 * its Application unless the deletion of the Application deletes it. It belongs
 * to the Application that deployed it last.
 */
export interface DeployedWorkloads {
  /** All resources that are deployed on the cluster. */
  list(): DeployedWorkload[];
  /** Records what an Application, `<namespace>/<name>`, has deployed according to its status. */
  update(application: string, status: ApplicationStatus | undefined): void;
  /** Deletes all that belongs to an Application. */
  delete(application: string): void;
}

/** Creates the record of a cluster on which nothing is deployed. */
export function createDeployedWorkloads(): DeployedWorkloads {
  // By the resource's key.
  const deployed = new Map<
    string,
    { workload: DeployedWorkload; application: string }
  >();

  function keep(application: string, isKept: (key: string) => boolean) {
    for (const [key, entry] of deployed) {
      if (entry.application === application && !isKept(key)) {
        deployed.delete(key);
      }
    }
  }

  return {
    list: () => [...deployed.values()].map(({ workload }) => workload),
    update(application, status) {
      const resources = status?.resources ?? [];
      if (resources.length === 0) {
        return;
      }
      const keys = new Set<string>();
      for (const resource of resources) {
        const workload = workloadOf(resource);
        const key = Object.values(workload).join('/');
        keys.add(key);
        if (isDeployed(resource)) {
          deployed.set(key, { workload, application });
        }
      }
      keep(application, key => keys.has(key));
    },
    delete: application => keep(application, () => false),
  };
}

function isDeployed({ status, health }: ResourceStatus): boolean {
  return status === 'Synced' || (health?.status ?? 'Missing') !== 'Missing';
}

function workloadOf({
  group = '',
  kind,
  namespace = '',
  name,
}: ResourceStatus): DeployedWorkload {
  return { group, kind, namespace, name };
}
