// How is an Application delivered, to which cluster, and which ManifestWork is its own? The main entry `deliveryModel`
// distinguishes the pull, push and agent models. `targetCluster` reads the cluster, `payloadApplication` makes the
// Application that is delivered, and `workNames` and `orphanReason` connect Applications with their works.
// Rules: docs/pull-model.md, "What an ApplicationSet needs" (labels and annotations) and "Beside RHACM".

export {
  AGENT_LABEL_PREFIX,
  agentOfSecret,
  type KnownAgents,
} from './argocdAgent';
export {
  availability,
  clusterId,
  clusterState,
  isLocalCluster,
} from './clusterState';
export {
  applicationSetDeliveryModel,
  applicationSetReference,
  clusterNameOf,
  deliveryModel,
  IN_CLUSTER_NAME,
  IN_CLUSTER_SERVER,
  isInCluster,
  isPullModel,
  owningApplicationSet,
  owningApplicationSets,
  targetCluster,
} from './deliveryModel';
export { withoutArgoFinalizers } from './finalizers';
export {
  getsDefaultNamespace,
  payloadApplication,
  payloadNamespace,
  withoutOwnerMarks,
} from './payloadApplication';
export { missingPullLabel, type MissingPullLabel } from './missingPullLabel';
export {
  deliveryTarget,
  remappedTarget,
  targetOwner,
  workTarget,
} from './deliveryTarget';
export {
  deploymentsLikeRhacm,
  propagatingDeployment,
} from './rhacmPropagation';
export {
  reportedRollingSyncPosition,
  rollingSyncPosition,
  rollingSyncProgress,
  rollingSyncStep,
  sameRollingSync,
} from './rollingSync';
export {
  applicationManifest,
  configKey,
  configsOf,
  isApplication,
  isReadOnlyWork,
  manifestKey,
  observedManifests,
  withApplicationConfigs,
} from './workManifests';
export { isWorkName, workNames } from './workName';
export {
  deliveringWork,
  hubApplicationOf,
  isOrphan,
  orphanReason,
  type OrphanReason,
} from './workOwnership';
