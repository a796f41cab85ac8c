import type {
  ArgoApplication,
  ArgoAppProject,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { payloadNamespace } from '../delivery';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The namespace of an Application, as OpenShift GitOps wants it marked so that its Argo CD may work in it. */
export function payloadNamespaceManifest(
  namespace: string,
  argocdNamespace: string,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespace,
      labels: { 'argocd.argoproj.io/managed-by': argocdNamespace },
      // An Argo CD that deploys the namespace too must not take it away with one of its Applications.
      annotations: { 'argocd.argoproj.io/sync-options': 'Delete=false' },
    },
  };
}

/**
 * Name of the AppProject that has to come along; undefined for `default`, which every Argo CD has of its own and which ours must
 * not overwrite.
 */
export function appProjectName(
  application: ArgoApplication,
): string | undefined {
  const name = application.spec.project;
  return name === 'default' ? undefined : name || undefined;
}

/** An AppProject of the hub as it is to be on the managed cluster: beside its Application where it is so on the hub. */
export function payloadAppProject(
  { metadata, spec }: ArgoAppProject,
  application: ArgoApplication,
): ArgoAppProject {
  const { [LAST_APPLIED]: _, ...annotations } = metadata.annotations ?? {};
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: {
      name: metadata.name,
      namespace:
        metadata.namespace === application.metadata.namespace
          ? payloadNamespace(application)
          : metadata.namespace,
      ...(metadata.labels && { labels: metadata.labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...(spec && { spec }),
  };
}
