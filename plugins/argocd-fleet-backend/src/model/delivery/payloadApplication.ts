import {
  APPLICATION_SET_LABEL,
  APP_NAMESPACE_ANNOTATION,
  DESTINATION_NAME_ANNOTATION,
  DESTINATION_SERVER_ANNOTATION,
  HOSTING_APPLICATION_SET_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  REFRESH_ANNOTATION,
  RELEASE_ANNOTATION,
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplication,
  type ArgoDestination,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { sameJson } from '../json';
import { IN_CLUSTER_SERVER, owningApplicationSet } from './deliveryModel';
import { payloadFinalizers } from './finalizers';

const DEFAULT_NAMESPACE = 'argocd';

/** Annotations for the hub only: on the managed cluster they have no meaning, or stop its Argo CD from reconciling. */
const HUB_ANNOTATIONS: readonly string[] = [
  MANAGED_CLUSTER_ANNOTATION,
  APP_NAMESPACE_ANNOTATION,
  DESTINATION_NAME_ANNOTATION,
  DESTINATION_SERVER_ANNOTATION,
  SKIP_RECONCILE_ANNOTATION,
  REFRESH_ANNOTATION,
  RELEASE_ANNOTATION,
];

/**
 * Marks that Argo CD or RHACM's Search read as statements about another Application: by a tracking mark, an Application
 * of the managed cluster takes this one for its own resource and prunes it, and Search reports an Application to the
 * ApplicationSet that it names. Only the real owner is delivered.
 */
const OWNER_LABELS = ['app.kubernetes.io/instance', APPLICATION_SET_LABEL];
const OWNER_ANNOTATIONS = [
  'argocd.argoproj.io/tracking-id',
  'argocd.argoproj.io/installation-id',
  HOSTING_APPLICATION_SET_ANNOTATION,
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

/**
 * The Application as the work delivers it to the managed cluster.
 * @param defaultNamespace - whether a destination without a namespace gets that of the Application there, as with
 *   RHACM's controllers; otherwise Argo CD reports each resource that names none itself
 */
export function payloadApplication(
  application: ArgoApplication,
  defaultNamespace = false,
): ArgoApplication {
  const { metadata } = application;
  const owner = owningApplicationSet(application);
  const labels = {
    ...without(withoutOwnerMarks(metadata).labels, [PULL_LABEL]),
    ...(owner && { [APPLICATION_SET_LABEL]: 'true' }),
  };
  const annotations = {
    ...without(withoutOwnerMarks(metadata).annotations, HUB_ANNOTATIONS),
    ...(owner && {
      [HOSTING_APPLICATION_SET_ANNOTATION]: `${owner.namespace}/${owner.name}`,
    }),
  };
  const finalizers = payloadFinalizers(application);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: metadata.name,
      namespace: payloadNamespace(application),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(finalizers.length > 0 && { finalizers }),
    },
    spec: {
      ...application.spec,
      destination: payloadDestination(application, defaultNamespace),
    },
  };
}

/**
 * Whether the destination gets the default namespace. A work that exists is delivered as it was made, with it or
 * without, until its Application's spec changes: otherwise its resources would move at once.
 * @param delivered - the Application in the existing work
 * @param configured - what the configuration says about new works and changed specs
 */
export function getsDefaultNamespace(
  application: ArgoApplication,
  delivered: KubernetesObject | undefined,
  configured: boolean,
): boolean {
  if (application.spec.destination?.namespace) {
    return false;
  }
  const { spec } = (delivered ?? {}) as Partial<ArgoApplication>;
  const had = Boolean(spec?.destination?.namespace);
  return had !== configured &&
    sameJson(payloadApplication(application, had).spec, spec)
    ? had
    : configured;
}

/** Labels and annotations without the marks that a managed cluster reads as statements about another Application. */
export function withoutOwnerMarks({
  labels,
  annotations,
}: ArgoApplication['metadata']): {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
} {
  return {
    labels: without(labels, OWNER_LABELS),
    annotations: without(annotations, OWNER_ANNOTATIONS),
  };
}

/** Argo CD rejects a destination with both a name and a server, so an override of one clears the other. */
function payloadDestination(
  application: ArgoApplication,
  defaultNamespace: boolean,
): ArgoDestination {
  const annotations = application.metadata.annotations ?? {};
  const name = annotations[DESTINATION_NAME_ANNOTATION] ?? '';
  const server =
    annotations[DESTINATION_SERVER_ANNOTATION] ??
    (name ? '' : IN_CLUSTER_SERVER);
  const { namespace, ...destination } = application.spec.destination ?? {};
  const filled =
    namespace || (defaultNamespace ? payloadNamespace(application) : undefined);
  return {
    ...destination,
    name,
    server,
    ...(filled && { namespace: filled }),
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
