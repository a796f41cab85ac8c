import {
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplication,
  type ArgoApplicationSet,
  type ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';

/** Message of a cluster's API server if Argo CD may not create a Deployment. */
export const forbidden =
  'deployments.apps is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot create resource "deployments" in API group "apps" in the namespace "guestbook"';

export const revision = '53e28ff20cc530b9ada2173fbbd64d48338583ba';

const source = {
  repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
  path: 'guestbook',
  targetRevision: 'main',
};

/** Makes a change of the value fail. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** The Application of the product documentation on one of its clusters, as the ApplicationSet controller creates it. */
export function application(
  parts: {
    cluster?: string;
    metadata?: Partial<ArgoApplication['metadata']>;
    spec?: Partial<ArgoApplication['spec']>;
    status?: object;
  } = {},
): ArgoApplication {
  const { cluster = 'cluster1', metadata, spec, status } = parts;
  return deepFreeze({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: `${cluster}-guestbook-app`,
      namespace: 'openshift-gitops',
      uid: '2fc44e07-6c4c-4b0e-9a49-2f2d7f9d3c11',
      creationTimestamp: '2026-11-21T10:00:00Z',
      labels: { [PULL_LABEL]: 'true' },
      annotations: {
        [MANAGED_CLUSTER_ANNOTATION]: cluster,
        [SKIP_RECONCILE_ANNOTATION]: 'true',
      },
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
      ownerReferences: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'ApplicationSet',
          name: 'guestbook-allclusters-app-set',
          uid: 'a3b6f5ce-9a0a-4a1c-a5ed-7d7b1d0f8b6e',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      ...metadata,
    },
    spec: {
      project: 'default',
      source,
      destination: {
        namespace: 'guestbook',
        server: `https://${cluster}-control-plane`,
      },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
      ...spec,
    },
    ...(status && { status }),
  } as ArgoApplication);
}

/** Status of that Application on its cluster. */
export function spokeStatus(parts: {
  health?: string;
  sync?: string;
}): NonNullable<ArgoApplication['status']> {
  const comparedTo = {
    source,
    destination: {
      server: 'https://kubernetes.default.svc',
      namespace: 'guestbook',
    },
  };
  return deepFreeze({
    health: { status: parts.health ?? 'Healthy' },
    sync: { status: parts.sync ?? 'Synced', revision, comparedTo },
  });
}

/** The ApplicationSet of the product documentation. */
/** No namespace may define components of the catalog. */
export const noComponents = {
  namespaces: new Set<string>(),
  keepsExisting: false,
};

export function applicationSet(
  parts: Partial<ArgoApplicationSet> = {},
): ArgoApplicationSet {
  return deepFreeze({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: {
      name: 'guestbook-allclusters-app-set',
      namespace: 'openshift-gitops',
      uid: 'a3b6f5ce-9a0a-4a1c-a5ed-7d7b1d0f8b6e',
    },
    spec: {
      generators: [
        {
          clusterDecisionResource: {
            configMapRef: 'ocm-placement-generator',
            labelSelector: {
              matchLabels: {
                'cluster.open-cluster-management.io/placement':
                  'aws-app-placement',
              },
            },
            requeueAfterSeconds: 30,
          },
        },
      ],
      template: {
        metadata: {
          name: '{{name}}-guestbook-app',
          labels: { [PULL_LABEL]: 'true' },
        },
        spec: { project: 'default', source },
      },
    },
    ...parts,
  } as ArgoApplicationSet);
}

/** A managed cluster whose agent reports. */
export function managedCluster(
  name: string,
  parts: {
    labels?: Record<string, string>;
    available?: string;
    since?: string;
  } = {},
): ManagedCluster {
  return deepFreeze({
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, ...(parts.labels && { labels: parts.labels }) },
    status: {
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: parts.available ?? 'True',
          reason: 'ManagedClusterAvailable',
          message: 'Managed cluster is available',
          lastTransitionTime: parts.since ?? '2026-11-21T09:00:00Z',
        },
      ],
    },
  });
}
