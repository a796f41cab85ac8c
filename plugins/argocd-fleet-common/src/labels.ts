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

/** `cluster` on a Secret that tells Argo CD of a cluster. @public */
export const SECRET_TYPE_LABEL = 'argocd.argoproj.io/secret-type';
/** `"true"` on a cluster Secret that a GitOpsCluster brought. @public */
export const ACM_CLUSTER_LABEL = `${OCM_APPS}/acm-cluster`;
/** Name of the ManagedCluster, on its cluster Secret. @public */
export const CLUSTER_NAME_LABEL = `${OCM_APPS}/cluster-name`;
/** `<cluster>-control-plane`, on its cluster Secret. @public */
export const CLUSTER_SERVER_LABEL = `${OCM_APPS}/cluster-server`;
/**
 * On a cluster Secret: keys of the labels that came from the ManagedCluster, comma-separated, so that they go with it.
 * @public
 */
export const CLUSTER_LABELS_ANNOTATION = 'argocd-fleet/cluster-labels';
/** On a cluster Secret: the ManagedServiceAccount whose token we put into `config`. @public */
export const SERVICE_ACCOUNT_ANNOTATION =
  'argocd-fleet/managed-service-account';
/** The ConfigMap that tells the ApplicationSet controller how to read PlacementDecisions. @public */
export const PLACEMENT_GENERATOR = 'ocm-placement-generator';
/** Our Role and RoleBinding that let the ApplicationSet controller read PlacementDecisions. @public */
export const PLACEMENT_READER = 'argocd-fleet-placement-decisions';

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

/**
 * On a ManifestWork: when it was given its `operation`, as JSON of {@link TravelMark}. It stays when the operation is
 * dropped.
 * @public
 */
export const OPERATION_ANNOTATION = 'argocd-fleet/operation';
/** On a ManifestWork that carries a refresh: when it was given, as JSON of {@link TravelMark}. @public */
export const REFRESH_MARK_ANNOTATION = 'argocd-fleet/refresh';

/** What is noted on a ManifestWork about what travels once. @public */
export interface TravelMark {
  /** RFC 3339 in whole seconds, rounded up, by the hub's clock. */
  readonly writtenAt: string;
  /**
   * What the cluster had reported by then: `operationState.startedAt` for an operation, a fingerprint for a refresh;
   * else empty.
   */
  readonly before: string;
}

/** The Deployment in which RHACM's own controllers run, and the ConfigMap that switches its propagation off. @public */
export const RHACM_INTEGRATIONS = 'multicluster-integrations';
/** See {@link RHACM_INTEGRATIONS}. @public */
export const RHACM_SWITCH = 'multicluster-integrations-config';

/**
 * Type of the condition of a pull-model Application on the hub that says where its real status is; RHACM's own name for
 * it.
 * @public
 */
export const STATUS_CONDITION = 'AdditionalStatusReport';

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
