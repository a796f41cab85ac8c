import {
  MANAGED_CLUSTER_ANNOTATION,
  PLACEMENT_LABEL,
  PULL_LABEL,
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManagedClusterSet,
  type ManagedClusterSetBinding,
  type OwnerReference,
  type Placement,
} from 'backstage-plugin-argocd-fleet-common';

/** Namespace of the Applications of the tests' fleet. */
export const NAMESPACE = 'argocd';

export function namespace(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

export function managedCluster(
  name: string,
  labels: Record<string, string> = {},
) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels },
    spec: { hubAcceptsClient: true },
  };
}

/** A ManagedClusterSet of the clusters with its label. */
export function clusterSet(name: string): ManagedClusterSet {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta2',
    kind: 'ManagedClusterSet',
    metadata: { name },
    spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
  };
}

/** Binds a ManagedClusterSet to the namespace. */
export function boundSet(
  name: string,
  inNamespace = NAMESPACE,
): ManagedClusterSetBinding {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta2',
    kind: 'ManagedClusterSetBinding',
    metadata: { name, namespace: inNamespace },
    spec: { clusterSet: name },
  };
}

/** A ManagedClusterSet of all clusters, as Open Cluster Management has it by default. */
export const GLOBAL_SET: ManagedClusterSet = {
  ...clusterSet('global'),
  spec: {
    clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} },
  },
};

/** A Placement of all sets that are bound to its namespace. */
export function placement(name: string, ns = NAMESPACE): Placement {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name, namespace: ns },
    spec: {},
  };
}

/** The ownerReference by which a Placement controls its decisions. */
export function controlledBy({ metadata }: Placement): OwnerReference {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    name: metadata.name,
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** A decision that names a Placement, and that no Placement controls: anybody may have made it. */
export function placementDecision(name: string, ns = NAMESPACE, number = 1) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: {
      name: `${name}-decision-${number}`,
      namespace: ns,
      labels: { [PLACEMENT_LABEL]: name },
    },
  };
}

/** Status of a PlacementDecision that selects these clusters. */
export function decisionStatus(clusters: readonly string[]) {
  return {
    decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
  };
}

/** The Placement of {@link namespacesAndClusters}, with a UID of its own. */
export const SEEDED_PLACEMENT: Placement = {
  ...placement('all'),
  metadata: {
    ...placement('all').metadata,
    uid: '9a7c1f52-0000-4000-8000-000000000001',
  },
};

/**
 * A PlacementDecision of the Placement of {@link namespacesAndClusters} that selects these clusters, as part of a
 * snapshot.
 */
export function decisionFor(
  clusters: readonly string[],
  name = 'all-decision-1',
): KubernetesObject {
  const { metadata, ...rest } = placementDecision('all');
  return {
    ...rest,
    metadata: {
      ...metadata,
      name,
      ownerReferences: [controlledBy(SEEDED_PLACEMENT)],
    },
    status: decisionStatus(clusters),
  } as KubernetesObject;
}

/** {@link NAMESPACE} with a Placement that may use all clusters, and the clusters with their namespaces. */
export function namespacesAndClusters(
  clusters: readonly string[],
): KubernetesObject[] {
  return [
    ...[NAMESPACE, ...clusters].map(namespace),
    ...clusters.map(name => managedCluster(name)),
    GLOBAL_SET,
    boundSet(GLOBAL_SET.metadata.name),
    SEEDED_PLACEMENT,
  ];
}

/** A pull-model Application in {@link NAMESPACE} for a cluster. */
export function pullApplication(
  name: string,
  cluster: string,
  metadata: Partial<ArgoApplication['metadata']> = {},
): ArgoApplication {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      namespace: NAMESPACE,
      labels: { [PULL_LABEL]: 'true' },
      annotations: {
        [MANAGED_CLUSTER_ANNOTATION]: cluster,
        [SKIP_RECONCILE_ANNOTATION]: 'true',
      },
      ...metadata,
      name,
    },
    spec: {
      project: 'default',
      source: {
        repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
        path: 'guestbook',
        targetRevision: 'main',
      },
      destination: {
        server: 'https://kubernetes.default.svc',
        namespace: 'guestbook',
      },
    },
  };
}

/** An ApplicationSet with the template of {@link pullApplication} and no generators: it generates nothing. */
export function pullApplicationSet(name: string): KubernetesObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { namespace: NAMESPACE, name },
    spec: {
      generators: [],
      template: {
        metadata: { name, labels: { [PULL_LABEL]: 'true' } },
        spec: pullApplication(name, '').spec,
      },
    },
  } as KubernetesObject;
}

/** Metadata of an Application that the ApplicationSet owns. */
export function ownedBy(
  set: KubernetesObject | undefined,
): Pick<ArgoApplication['metadata'], 'ownerReferences'> {
  const { name = '', uid = '' } = set?.metadata ?? {};
  return {
    ownerReferences: [
      { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name, uid },
    ],
  };
}

/** The CRD of ManagedServiceAccount, for a hub without Open Cluster Management's add-on. */
export function managedServiceAccountDefinition(): KubernetesObject {
  return openDefinition({
    group: 'authentication.open-cluster-management.io',
    version: 'v1beta1',
    scope: 'Namespaced',
    kind: 'ManagedServiceAccount',
    plural: 'managedserviceaccounts',
  });
}

/** The CRD in which the agent of a managed cluster notes what it has applied. */
export function appliedWorkDefinition(): KubernetesObject {
  return openDefinition({
    group: 'work.open-cluster-management.io',
    version: 'v1',
    scope: 'Cluster',
    kind: 'AppliedManifestWork',
    plural: 'appliedmanifestworks',
  });
}

/** A CRD whose objects may have any content. */
function openDefinition(resource: {
  readonly group: string;
  readonly version: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly kind: string;
  readonly plural: string;
}): KubernetesObject {
  const { group, version, scope, kind, plural } = resource;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: open, status: open },
            },
          },
        },
      ],
    },
  } as KubernetesObject;
}
