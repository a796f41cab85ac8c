import type {
  HubState,
  Inventory,
  InventoryApplicationSet,
  InventoryCluster,
} from 'backstage-plugin-argocd-fleet-common';

/** A cluster of the hub `hub`, or of the hub before the slash: `west/cluster1`. */
export function aCluster(
  path: string,
  ...applicationSets: readonly string[]
): InventoryCluster {
  const [name, hub = 'hub'] = path.split('/').reverse();
  return {
    hub,
    name,
    isHub: false,
    applicationSets: applicationSets.map(set => ({
      namespace: 'openshift-gitops',
      name: set,
    })),
  };
}

/**
 * A pull-model ApplicationSet in the namespace `openshift-gitops`, which may define components; the hub is given as for
 * clusters.
 */
export function anApplicationSet(
  path: string,
  annotations?: Record<string, string>,
  more: {
    readonly namespace?: string;
    readonly createdAt?: string;
    readonly existingOnly?: true;
  } = {},
): InventoryApplicationSet {
  const [name, hub = 'hub'] = path.split('/').reverse();
  const { namespace = 'openshift-gitops', createdAt, existingOnly } = more;
  const {
    'argocd-fleet/component': component,
    'argocd-fleet/component-owner': owner,
    'argocd-fleet/component-title': title,
    'argocd-fleet/component-description': description,
  } = annotations ?? {};
  return {
    ref: { hub, namespace, name },
    deliveryModel: 'pull',
    ...(createdAt && { createdAt }),
    ...(component && {
      component: {
        name: component,
        ...(owner && { owner }),
        ...(title && { title }),
        ...(description && { description }),
        ...(existingOnly && { existingOnly }),
      },
    }),
    ...(annotations && { annotations }),
    sources: [
      {
        repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
        path: 'guestbook',
      },
    ],
  };
}

export function aHub(
  name: string,
  state: HubState['state'] = 'ready',
  unread: string[] = [],
): HubState {
  return { name, state, unread };
}

/** What is on the hubs. */
export interface Fleet {
  readonly hubs: readonly HubState[];
  readonly clusters: readonly InventoryCluster[];
  readonly applicationSets: readonly InventoryApplicationSet[];
}

/**
 * Answers as one replica of the API does.
 * @param replica - tokens of another one get a full answer
 */
export function createInventoryAnswers(replica = 'replica') {
  /** The fleet of each answer: the token is the index. */
  const answered: Fleet[] = [];

  return (fleet: Fleet, since?: string): Inventory => {
    const [from, number] = since?.split('.') ?? [];
    const before = from === replica ? answered[Number(number)] : undefined;
    answered.push(fleet);
    const unknownIn = <T>(list: readonly T[] | undefined) => {
      const known = new Set((list ?? []).map(item => JSON.stringify(item)));
      return (item: T) => !known.has(JSON.stringify(item));
    };
    const setName = ({ ref }: InventoryApplicationSet) => JSON.stringify(ref);
    const clusterName = ({ hub, name }: InventoryCluster) => `${hub}/${name}`;
    const gone = <T>(
      was: readonly T[] | undefined,
      is: readonly T[],
      nameOf: (item: T) => string,
    ) => {
      const names = new Set(is.map(nameOf));
      return (was ?? []).filter(item => !names.has(nameOf(item)));
    };
    return {
      full: before === undefined,
      next: `${replica}.${answered.length - 1}`,
      clusters: fleet.clusters.filter(unknownIn(before?.clusters)),
      applicationSets: fleet.applicationSets.filter(
        unknownIn(before?.applicationSets),
      ),
      removedClusters: gone(before?.clusters, fleet.clusters, clusterName).map(
        ({ hub, name }) => ({ hub, name }),
      ),
      removedApplicationSets: gone(
        before?.applicationSets,
        fleet.applicationSets,
        setName,
      ).map(({ ref }) => ref),
      hubs: [...fleet.hubs],
    };
  };
}
