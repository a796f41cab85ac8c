import type {
  ArgoApplication,
  ArgoAppProject,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { payloadNamespace, withoutOwnerMarks } from '../delivery';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The Namespace of an Application, with the label that lets Argo CD of OpenShift GitOps manage it. */
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
      // If Argo CD deploys the Namespace as well, it must not delete it together with one of its Applications.
      annotations: { 'argocd.argoproj.io/sync-options': 'Delete=false' },
    },
  };
}

/**
 * Name of the AppProject to deliver with the Application; undefined for `default`, which every Argo CD has itself and
 * which must not be overwritten.
 */
export function appProjectName(
  application: ArgoApplication,
): string | undefined {
  const name = application.spec.project;
  return name === 'default' ? undefined : name || undefined;
}

/** An AppProject as the work delivers it: in the Application's namespace if that is so on the hub, else in its own. */
export function payloadAppProject(
  { metadata, spec }: ArgoAppProject,
  application: ArgoApplication,
): ArgoAppProject {
  const { labels, annotations: all } = withoutOwnerMarks(metadata);
  const { [LAST_APPLIED]: _, ...annotations } = all;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: {
      name: metadata.name,
      namespace:
        metadata.namespace === application.metadata.namespace
          ? payloadNamespace(application)
          : metadata.namespace,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...(spec && { spec }),
  };
}
