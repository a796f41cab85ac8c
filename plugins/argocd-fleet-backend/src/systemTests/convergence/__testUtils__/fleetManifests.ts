import type {
  ArgoApplication,
  ArgoApplicationSet,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

const OCM = 'apps.open-cluster-management.io';

/** A pull-model Application as a user applies it. */
export function applicationFor(
  { namespace, name }: NamespacedName,
  cluster: string,
  finalizer: boolean,
): ArgoApplication {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      namespace,
      name,
      labels: { [`${OCM}/pull-to-ocm-managed-cluster`]: 'true', team: 'a' },
      annotations: {
        [`${OCM}/ocm-managed-cluster`]: cluster,
        'argocd.argoproj.io/skip-reconcile': 'true',
        'example.com/note': 'propagated',
      },
      ...(finalizer && {
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
      }),
    },
    spec: {
      project: 'default',
      source: {
        repoURL: 'https://example.com/shop.git',
        path: '.',
        targetRevision: 'v0',
      },
      destination: { server: 'https://kubernetes.default.svc' },
    },
  } as ArgoApplication;
}

/** An ApplicationSet without generators: the tests create its Applications. */
export function applicationSetFor({
  namespace,
  name,
}: NamespacedName): ArgoApplicationSet {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { namespace, name },
    spec: {
      generators: [],
      template: {
        metadata: { name: 'x' },
        spec: { project: 'default', destination: {} },
      },
    },
  } as ArgoApplicationSet;
}
