/**
 * The HTTP API's model, generated from `argocd-fleet-backend/src/schema/openapi.yaml` by `yarn workspace
 * backstage-plugin-argocd-fleet-common generate`.
 */
export type {
  ApplicationCondition,
  ApplicationResource,
  ApplicationSet,
  ApplicationSetDetail,
  ApplicationSetList,
  ChangedEvent,
  Cluster,
  ClusterApplication,
  ClusterList,
  ClusterState,
  ControllerList,
  ControllerRun,
  DeliveryModel,
  DeliveryStep,
  EntityFleet,
  EntityLink,
  Finding,
  HealthStatus,
  HubState,
  NamespacedName,
  ObjectRef,
  PlacementSelection,
  PlacementState,
  PullModelApplicationSet,
  Source,
  StatusSummary,
  SyncStatus,
  WriteResult,
} from './api.generated';
