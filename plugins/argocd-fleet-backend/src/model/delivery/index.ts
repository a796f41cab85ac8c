export { availability, clusterState, isLocalCluster } from './clusterState';
export {
  applicationSetDeliveryModel,
  clusterNameOf,
  deliveryModel,
  isPullModel,
  owningApplicationSet,
  owningApplicationSets,
  targetCluster,
} from './deliveryModel';
export { argoFinalizersRemoved } from './finalizers';
export { payloadApplication, payloadNamespace } from './payloadApplication';
export {
  deliveryTarget,
  remappedTarget,
  targetOwner,
  workTarget,
} from './deliveryTarget';
export { propagatingDeployment } from './rhacmPropagation';
export { rollingSyncStep } from './rollingSync';
export {
  applicationConfigs,
  applicationManifest,
  isApplication,
  isObservingConfig,
  isReadOnlyWork,
  observedManifests,
} from './workManifests';
export { workNames } from './workName';
export {
  hubApplicationOf,
  isWorkOf,
  isOrphan,
  orphanReason,
} from './workOwnership';
