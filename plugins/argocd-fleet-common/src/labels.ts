// Labels, annotations and names that other software on the hub reads or writes: the wire contract of the pull model.

const OCM_APPS = 'apps.open-cluster-management.io';

/** Label on an Application, and on its ManifestWork: the pull model delivers it. See {@link parseGoBool}. @public */
export const PULL_LABEL = `${OCM_APPS}/pull-to-ocm-managed-cluster`;
/** Annotation on a hub Application: name of its target ManagedCluster. @public */
export const MANAGED_CLUSTER_ANNOTATION = `${OCM_APPS}/ocm-managed-cluster`;
/** Annotation on a hub Application: its namespace on the managed cluster. @public */
export const APP_NAMESPACE_ANNOTATION = `${OCM_APPS}/ocm-managed-cluster-app-namespace`;
/** Annotation on a hub Application: replaces `destination.name` on the managed cluster. @public */
export const DESTINATION_NAME_ANNOTATION = `${OCM_APPS}/destination-name`;
/** Annotation on a hub Application: replaces `destination.server` on the managed cluster. @public */
export const DESTINATION_SERVER_ANNOTATION = `${OCM_APPS}/destination-server`;
/** Label `"true"` on a ManifestWork and its payload: an ApplicationSet owns the Application. @public */
export const APPLICATION_SET_LABEL = `${OCM_APPS}/application-set`;
/** Label: hexadecimal SHA-1 of `<namespace>/<name>` of the owning ApplicationSet. @public */
export const APPLICATION_SET_HASH_LABEL = `${OCM_APPS}/application-set-hash`;
/** Annotation on a ManifestWork and its payload: `<namespace>/<name>` of the owning ApplicationSet. @public */
export const HOSTING_APPLICATION_SET_ANNOTATION = `${OCM_APPS}/hosting-applicationset`;
/** Label on a report: `<namespace>.<name>` of its ApplicationSet. The key is that of the annotation. @public */
export const HOSTING_APPLICATION_SET_LABEL = HOSTING_APPLICATION_SET_ANNOTATION;
/** Annotation on a ManifestWork: namespace of its hub Application. @public */
export const HUB_APPLICATION_NAMESPACE_ANNOTATION = `${OCM_APPS}/hub-application-namespace`;
/** Annotation on a ManifestWork: name of its hub Application. @public */
export const HUB_APPLICATION_NAME_ANNOTATION = `${OCM_APPS}/hub-application-name`;
/** Annotation `"true"` on a hub Application: the hub's own Argo CD does not reconcile it. @public */
export const SKIP_RECONCILE_ANNOTATION = 'argocd.argoproj.io/skip-reconcile';
/** Annotation on an Application: requests a refresh from Argo CD. A one-shot field of the pull model. @public */
export const REFRESH_ANNOTATION = 'argocd.argoproj.io/refresh';
/** Label `"true"` on the ManagedCluster that is the hub itself. @public */
export const LOCAL_CLUSTER_LABEL = 'local-cluster';
/** Label on a ManagedCluster: name of its ManagedClusterSet. @public */
export const CLUSTER_SET_LABEL =
  'cluster.open-cluster-management.io/clusterset';
/** Label on a PlacementDecision: name of its Placement. @public */
export const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement';

/** Label `cluster` on a Secret that registers a cluster with Argo CD (a cluster Secret). @public */
export const SECRET_TYPE_LABEL = 'argocd.argoproj.io/secret-type';
/** Label `"true"` on a cluster Secret that was created for a GitOpsCluster. @public */
export const ACM_CLUSTER_LABEL = `${OCM_APPS}/acm-cluster`;
/** Label on a cluster Secret: name of its ManagedCluster. @public */
export const CLUSTER_NAME_LABEL = `${OCM_APPS}/cluster-name`;
/** Label on a cluster Secret: `<cluster>-control-plane`. @public */
export const CLUSTER_SERVER_LABEL = `${OCM_APPS}/cluster-server`;
/**
 * Annotation on a cluster Secret: comma-separated keys of the labels that were copied from the ManagedCluster, so that
 * a label that the ManagedCluster no longer has is removed.
 * @public
 */
export const CLUSTER_LABELS_ANNOTATION = 'argocd-fleet/cluster-labels';
/** Annotation on a cluster Secret: the ManagedServiceAccount whose token is in `config`. @public */
export const SERVICE_ACCOUNT_ANNOTATION =
  'argocd-fleet/managed-service-account';
/** Name of the ConfigMap by which the ApplicationSet controller reads PlacementDecisions. @public */
export const PLACEMENT_GENERATOR = 'ocm-placement-generator';
/** Name of our Role and RoleBinding that allow the ApplicationSet controller to read PlacementDecisions. @public */
export const PLACEMENT_READER = 'argocd-fleet-placement-decisions';

/**
 * Entity annotation: `<namespace>/<name>` of ApplicationSets, comma-separated, each with an optional `<hub>:` prefix.
 * @public
 */
export const APPLICATION_SET_ENTITY_ANNOTATION = 'argocd-fleet/applicationset';

/** Entity annotation: label selector over ApplicationSets, as for kubectl. @public */
export const SELECTOR_ENTITY_ANNOTATION = 'argocd-fleet/selector';

/**
 * Entity annotations of other Argo CD plugins for Backstage (Roadie's and Red Hat's), which name Argo CD Applications.
 * @public
 */
export const ARGOCD_ENTITY_ANNOTATIONS = {
  name: 'argocd/app-name',
  selector: 'argocd/app-selector',
  namespace: 'argocd/app-namespace',
  project: 'argocd/project-name',
  instance: 'argocd/instance-name',
} as const;

/**
 * `spec.type` of the resources in the catalog that the catalog module makes of ApplicationSets.
 * @public
 */
export const APPLICATION_SET_RESOURCE_TYPE = 'argocd-applicationset';

/**
 * `spec.type` of the resources in the catalog that the catalog module makes of managed clusters.
 * @public
 */
export const CLUSTER_RESOURCE_TYPE = 'kubernetes-cluster';

/**
 * Annotations on an ApplicationSet from which the catalog module creates a component, if no repository describes one.
 * @public
 */
export const COMPONENT_ANNOTATIONS = {
  name: 'argocd-fleet/component',
  owner: 'argocd-fleet/component-owner',
  title: 'argocd-fleet/component-title',
  description: 'argocd-fleet/component-description',
} as const;

/**
 * Annotation on a ManifestWork: when its `operation` was written, as JSON of {@link OneShotMark}. It stays when the
 * operation is removed.
 * @public
 */
export const OPERATION_ANNOTATION = 'argocd-fleet/operation';
/** Annotation on a ManifestWork: when its refresh was written, as JSON of {@link OneShotMark}. @public */
export const REFRESH_MARK_ANNOTATION = 'argocd-fleet/refresh';

/**
 * Annotation on an ApplicationSet, or on an Application that no set generates: what becomes of its works that deliver no
 * longer; one of {@link RELEASES}.
 * @public
 */
export const RELEASE_ANNOTATION = 'argocd-fleet/release';
/**
 * Values of {@link RELEASE_ANNOTATION}. `orphan`: the Application stays on the cluster with all it runs; `hand-over`: the
 * Application goes and what it runs stays; `remove`: both go.
 * @public
 */
export const RELEASES = ['orphan', 'hand-over', 'remove'] as const;
/** A value of {@link RELEASE_ANNOTATION}. @public */
export type Release = (typeof RELEASES)[number];
/** Annotation on a ManifestWork that propagation has frozen: its Application is no longer pull-model. @public */
export const FROZEN_ANNOTATION = 'argocd-fleet/frozen';
/** Annotation on a ManifestWork that is being released: the {@link Release} that is carried out. @public */
export const RELEASING_ANNOTATION = 'argocd-fleet/releasing';

/** Record of a one-shot field (`operation` or refresh) of a ManifestWork. @public */
export interface OneShotMark {
  /** Time of the write by the hub's clock: RFC 3339, rounded up to whole seconds. */
  readonly writtenAt: string;
  /**
   * The cluster's last report at that time: `operationState.startedAt` for an operation, a fingerprint of the status
   * for a refresh; empty without a report.
   */
  readonly before: string;
}

/** Name of the Deployment of RHACM's own pull-model controllers. @public */
export const RHACM_INTEGRATIONS = 'multicluster-integrations';
/** Name of the ConfigMap that turns off RHACM's propagation. @public */
export const RHACM_SWITCH = 'multicluster-integrations-config';

/**
 * Type of the condition on a pull-model Application of the hub that says where its full status is; the name is RHACM's.
 * @public
 */
export const STATUS_CONDITION = 'AdditionalStatusReport';

/**
 * Label on objects that this project created or adopted on a hub, and therefore may change or remove. ManifestWorks do not
 * have it: their annotations name the hub Application.
 * @public
 */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
/** Value of {@link MANAGED_BY_LABEL}, and the field manager of every write. @public */
export const MANAGED_BY = 'argocd-fleet';

/**
 * Parses a label value as Go's `strconv.ParseBool` does, which Argo CD uses; undefined for any other value.
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
