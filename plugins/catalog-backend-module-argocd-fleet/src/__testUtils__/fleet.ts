import type {
  ApplicationSet,
  Cluster,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';

/** A cluster of the hub `hub`, or of the hub before the slash: `west/cluster1`. */
export function aCluster(
  path: string,
  ...applicationSets: readonly string[]
): Cluster {
  const [name, hub = 'hub'] = path.split('/').reverse();
  return {
    hub,
    name,
    available: 'True',
    stale: false,
    applicationSets: applicationSets.map(set => ({
      namespace: 'openshift-gitops',
      name: set,
    })),
  };
}

/** A pull-model ApplicationSet in the namespace `openshift-gitops`; the hub is given as for clusters. */
export function anApplicationSet(
  path: string,
  annotations?: Record<string, string>,
): ApplicationSet {
  const [name, hub = 'hub'] = path.split('/').reverse();
  return {
    ref: { hub, namespace: 'openshift-gitops', name },
    uid: `uid-of-${path}`,
    deliveryModel: 'pull',
    annotations,
    sources: [
      {
        repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
        path: 'guestbook',
      },
    ],
    summary: {
      clusters: 0,
      applications: 0,
      sync: { Synced: 0, OutOfSync: 0, Unknown: 0 },
      health: {
        Healthy: 0,
        Progressing: 0,
        Degraded: 0,
        Suspended: 0,
        Missing: 0,
        Unknown: 0,
      },
      stale: 0,
    },
    findings: [],
  };
}

export function aHub(
  name: string,
  state: HubState['state'] = 'ready',
  unread: string[] = [],
): HubState {
  return { name, state, unread };
}
