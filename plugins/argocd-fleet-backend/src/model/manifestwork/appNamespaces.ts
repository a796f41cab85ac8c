import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { payloadNamespace } from '../delivery';
import { isSystemNamespace } from '../writes';

/** Which namespaces of managed clusters the Applications of a hub namespace may use; by hub namespace. */
export type AppNamespaces = ReadonlyMap<string, readonly string[]>;

/** The namespaces of managed clusters that Applications of a hub namespace may use: by default only its own name. */
export function allowedNamespaces(
  hubNamespace: string,
  appNamespaces: AppNamespaces,
): readonly string[] {
  return appNamespaces.get(hubNamespace) ?? [hubNamespace];
}

/** Whether an Application may use the namespace on the managed cluster that it asks for. */
export function mayUseNamespace(
  application: ArgoApplication,
  appNamespaces: AppNamespaces,
): boolean {
  const { namespace = '' } = application.metadata;
  return allowedNamespaces(namespace, appNamespaces).includes(
    payloadNamespace(application),
  );
}

/**
 * Whether works may deliver a Namespace: a tenant must not label or annotate one of Kubernetes or OpenShift. Argo CD's
 * own is named by the configuration.
 */
export function mayDeliverNamespace(
  namespace: string,
  argocdNamespace: string,
): boolean {
  return namespace === argocdNamespace || !isSystemNamespace(namespace);
}
