import {
  APPLICATION_SET_LABEL,
  APP_NAMESPACE_ANNOTATION,
  DESTINATION_NAME_ANNOTATION,
  DESTINATION_SERVER_ANNOTATION,
  HOSTING_APPLICATION_SET_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  REFRESH_ANNOTATION,
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplication,
  type ArgoDestination,
} from 'backstage-plugin-argocd-fleet-common';
import { owningApplicationSet } from './deliveryModel';

/** Argo CD's address of the cluster that it runs on. */
export const IN_CLUSTER_SERVER = 'https://kubernetes.default.svc';

const DEFAULT_NAMESPACE = 'argocd';

/** Annotations for the hub only: on the managed cluster they have no meaning, or stop its Argo CD from reconciling. */
const HUB_ANNOTATIONS: readonly string[] = [
  MANAGED_CLUSTER_ANNOTATION,
  APP_NAMESPACE_ANNOTATION,
  DESTINATION_NAME_ANNOTATION,
  DESTINATION_SERVER_ANNOTATION,
  SKIP_RECONCILE_ANNOTATION,
  REFRESH_ANNOTATION,
];

/** Namespace of the Application on the managed cluster. */
export function payloadNamespace(application: ArgoApplication): string {
  const { annotations, namespace } = application.metadata;
  return (
    annotations?.[APP_NAMESPACE_ANNOTATION]?.trim() ||
    namespace ||
    DEFAULT_NAMESPACE
  );
}

/** The Application as the work delivers it to the managed cluster. */
export function payloadApplication(
  application: ArgoApplication,
): ArgoApplication {
  const { metadata } = application;
  const owner = owningApplicationSet(application);
  const labels = {
    ...without(metadata.labels, [PULL_LABEL]),
    ...(owner && { [APPLICATION_SET_LABEL]: 'true' }),
  };
  const annotations = {
    ...without(metadata.annotations, HUB_ANNOTATIONS),
    ...(owner && {
      [HOSTING_APPLICATION_SET_ANNOTATION]: `${owner.namespace}/${owner.name}`,
    }),
  };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: metadata.name,
      namespace: payloadNamespace(application),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(metadata.finalizers?.length && {
        finalizers: [...metadata.finalizers],
      }),
    },
    spec: {
      ...application.spec,
      destination: payloadDestination(application),
    },
  };
}

/** Argo CD rejects a destination with both a name and a server, so an override of one clears the other. */
function payloadDestination(application: ArgoApplication): ArgoDestination {
  const annotations = application.metadata.annotations ?? {};
  const name = annotations[DESTINATION_NAME_ANNOTATION] ?? '';
  const server =
    annotations[DESTINATION_SERVER_ANNOTATION] ??
    (name ? '' : IN_CLUSTER_SERVER);
  return {
    ...application.spec.destination,
    name,
    server,
    namespace:
      application.spec.destination?.namespace || payloadNamespace(application),
  };
}

function without(
  entries: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries ?? {}).filter(([key]) => !keys.includes(key)),
  );
}
