const OCM_APPS = 'apps.open-cluster-management.io';

/**
 * Labels and annotations that other software on the hub reads or writes: the wire contract of the pull model.
 * @public
 */
export const PULL_LABEL = `${OCM_APPS}/pull-to-ocm-managed-cluster`;
/** Target ManagedCluster of a hub Application. @public */
export const MANAGED_CLUSTER_ANNOTATION = `${OCM_APPS}/ocm-managed-cluster`;
/** Namespace of the Application on the managed cluster. @public */
export const APP_NAMESPACE_ANNOTATION = `${OCM_APPS}/ocm-managed-cluster-app-namespace`;
/** Overrides the payload's `destination.name`. @public */
export const DESTINATION_NAME_ANNOTATION = `${OCM_APPS}/destination-name`;
/** Overrides the payload's `destination.server`. @public */
export const DESTINATION_SERVER_ANNOTATION = `${OCM_APPS}/destination-server`;
/** `"true"` on a work and its payload when an ApplicationSet owns the Application. @public */
export const APPLICATION_SET_LABEL = `${OCM_APPS}/application-set`;
/** Hex SHA-1 of `<namespace>/<name>` of the owning ApplicationSet. @public */
export const APPLICATION_SET_HASH_LABEL = `${OCM_APPS}/application-set-hash`;
/** `<namespace>/<name>` of the owning ApplicationSet, on a work and its payload. @public */
export const HOSTING_APPLICATION_SET_ANNOTATION = `${OCM_APPS}/hosting-applicationset`;
/** `<namespace>.<name>` of the ApplicationSet, on its report; same key as the annotation, as a label. @public */
export const HOSTING_APPLICATION_SET_LABEL = HOSTING_APPLICATION_SET_ANNOTATION;
/** Where the hub Application of a work is: says whose work it is. @public */
export const HUB_APPLICATION_NAMESPACE_ANNOTATION = `${OCM_APPS}/hub-application-namespace`;
/** Where the hub Application of a work is: says whose work it is. @public */
export const HUB_APPLICATION_NAME_ANNOTATION = `${OCM_APPS}/hub-application-name`;
/** Keeps the hub's own Argo CD off an Application. @public */
export const SKIP_RECONCILE_ANNOTATION = 'argocd.argoproj.io/skip-reconcile';
/** Asks Argo CD for a refresh; travels once to the managed cluster. @public */
export const REFRESH_ANNOTATION = 'argocd.argoproj.io/refresh';
/** The hub itself, among its managed clusters. @public */
export const LOCAL_CLUSTER_LABEL = 'local-cluster';
/** Which Placement a PlacementDecision belongs to. @public */
export const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement';

/**
 * Entity annotation: `<namespace>/<name>` of ApplicationSets, comma-separated, each with an optional `<hub>:` prefix.
 * @public
 */
export const APPLICATION_SET_ENTITY_ANNOTATION = 'argocd-fleet/applicationset';

/**
 * Annotations of an ApplicationSet that make a catalog component of it, where no repository describes one.
 * @public
 */
export const COMPONENT_ANNOTATIONS = {
  name: 'argocd-fleet/component',
  owner: 'argocd-fleet/component-owner',
  title: 'argocd-fleet/component-title',
  description: 'argocd-fleet/component-description',
} as const;

/** Marks what this project's HTTP API created on a hub, and so may change. @public */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
/** Value of {@link MANAGED_BY_LABEL}, and the field manager of every write. @public */
export const MANAGED_BY = 'argocd-fleet';

/**
 * Reads a label as Argo CD's Go code does.
 * @see https://pkg.go.dev/strconv#ParseBool
 * @public
 */
export function parseGoBool(value: string | undefined): boolean | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)) {
    return true;
  }
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value)) {
    return false;
  }
  return undefined;
}
