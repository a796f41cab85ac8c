import {
  MANAGED_CLUSTER_ANNOTATION,
  PLACEMENT_LABEL,
  PULL_LABEL,
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';

/** Objects of the tests' own little fleet, as their owners would apply them. */

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

export function placementDecision(name: string, ns = NAMESPACE) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: {
      name: `${name}-decision-1`,
      namespace: ns,
      labels: { [PLACEMENT_LABEL]: name },
    },
  };
}

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

/** A set whose template is that of {@link pullApplication}; no generator makes anything of it. */
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

/** What makes an Application one of a set's. */
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

/** The definition of ManagedServiceAccounts, for a hub without Open Cluster Management's add-on. */
export function managedServiceAccountDefinition(): KubernetesObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'managedserviceaccounts.authentication.open-cluster-management.io',
    },
    spec: {
      group: 'authentication.open-cluster-management.io',
      scope: 'Namespaced',
      names: {
        kind: 'ManagedServiceAccount',
        plural: 'managedserviceaccounts',
      },
      versions: [
        {
          name: 'v1beta1',
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
