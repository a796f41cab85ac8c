import type {
  ArgoApplication,
  KubernetesObject,
  ManagedCluster,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { clientConfigOf } from '../model/clusterimport';
import {
  availability,
  clusterNameOf,
  clusterState,
  isLocalCluster,
  isPullModel,
  owningApplicationSet,
} from '../model/delivery';
import { operationStartOf } from '../model/feedback';
import { sameJson } from '../model/json';
import {
  hasOneShotFields,
  sameObservableResources,
} from '../model/manifestwork';
import { readStatusMark } from '../model/status';
import type { FleetEvent } from './fleetCache';
import { decidedClusters } from './indexes';
import type { FleetResource, StoredObject } from './resources';

// What has changed in an event: most events are heartbeats and statuses that concern no key of a controller.

/** An event of one resource. */
export type EventOf<Name extends FleetResource> = Extract<
  FleetEvent,
  { readonly resource: Name }
>;

type Change<Name extends FleetResource> = {
  readonly before?: StoredObject<Name>;
  readonly after?: StoredObject<Name>;
};

/** Whether an object was created, deleted, or deleted and created again under the same name. */
export function identityChanged({
  before,
  after,
}: {
  readonly before?: KubernetesObject;
  readonly after?: KubernetesObject;
}): boolean {
  return before?.metadata.uid !== after?.metadata.uid;
}

/** Whether a cluster has stopped reporting, or reports again. */
export function stalenessChanged({
  before,
  after,
}: Change<'clusters'>): boolean {
  const was = clusterState('', before);
  const is = clusterState('', after);
  return was.stale !== is.stale || was.staleSince !== is.staleSince;
}

/** Whether the state of a cluster that pages show has changed; most events of a cluster are about other fields. */
export function clusterStateChanged({
  before,
  after,
}: Change<'clusters'>): boolean {
  return !(
    before &&
    after &&
    sameJson(clusterState('', before), clusterState('', after)) &&
    availability(before)?.message === availability(after)?.message
  );
}

/**
 * Whether a cluster appeared, is gone, or has other labels, annotations, addresses or claims; most events are about its
 * conditions.
 */
export function clusterDescriptionChanged({
  before,
  after,
}: Change<'clusters'>): boolean {
  const described = (cluster: ManagedCluster | undefined) =>
    cluster && [
      cluster.metadata.labels,
      cluster.metadata.annotations,
      cluster.spec?.managedClusterClientConfigs,
      cluster.status?.clusterClaims,
    ];
  return !sameJson(described(before), described(after));
}

/** Whether an Application appeared, is gone, or has another owner or cluster. */
export function placeChanged({
  before,
  after,
}: Change<'applications'>): boolean {
  return !(
    before &&
    after &&
    clusterNameOf(before) === clusterNameOf(after) &&
    sameJson(owningApplicationSet(before), owningApplicationSet(after))
  );
}

/** Whether a cluster has become the hub's own, or is so no longer. */
export function localClusterChanged({
  before,
  after,
}: Change<'clusters'>): boolean {
  return isLocal(before) !== isLocal(after);
}

/** Whether a cluster appeared, is being deleted, is gone, or has other labels: what delivery to it depends on. */
export function clusterPresenceChanged({
  before,
  after,
}: Change<'clusters'>): boolean {
  return (
    Boolean(before) !== Boolean(after) ||
    before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp ||
    !sameJson(before?.metadata.labels, after?.metadata.labels)
  );
}

/** Whether what a cluster's Secret in Argo CD is made of has changed. */
export function clusterAccessChanged({
  before,
  after,
}: Change<'clusters'>): boolean {
  return !sameJson(
    before && accessFieldsOf(before),
    after && accessFieldsOf(after),
  );
}

/** Whether what propagation delivers of a pull-model Application has changed; its status never does that. */
export function payloadChanged({
  before,
  after,
}: Change<'applications'>): boolean {
  return !(before && after && sameJson(payloadOf(before), payloadOf(after)));
}

/** Whether a pull-model Application remembers otherwise for which spec its status was made. */
export function statusMarkChanged({
  before,
  after,
}: Change<'applications'>): boolean {
  return !(
    before &&
    after &&
    sameJson(readStatusMark(before), readStatusMark(after)) &&
    Boolean(before.status?.sync?.status) === Boolean(after.status?.sync?.status)
  );
}

/** Whether one of both is a pull-model Application. */
export function concernsPullModel({
  before,
  after,
}: Change<'applications'>): boolean {
  return (
    (before !== undefined && isPullModel(before)) ||
    (after !== undefined && isPullModel(after))
  );
}

/** Whether an Application is one of the pull model, and was so before. */
export function concernsOnlyPullModel({
  before,
  after,
}: Change<'applications'>): boolean {
  return (
    (before === undefined || isPullModel(before)) &&
    (after === undefined || isPullModel(after))
  );
}

/**
 * Whether a ManifestWork differs from what propagation wrote: in its spec, its metadata or in the objects to observe.
 * The agent's status counts only where one-shot fields wait for the agent to act on them.
 */
export function deliveryChanged({ before, after }: Change<'works'>): boolean {
  return !(
    before &&
    after &&
    !hasOneShotFields(after) &&
    sameJson(before.spec, after.spec) &&
    sameJson(writtenMetadata(before), writtenMetadata(after)) &&
    sameObservableResources(before, after)
  );
}

/** Whether a cluster has reported the start of an operation. */
export function operationStarted({ before, after }: Change<'works'>): boolean {
  const start = after && operationStartOf(after);
  return start !== undefined && start !== (before && operationStartOf(before));
}

/** Clusters that a PlacementDecision has added or dropped. */
export function redecidedClusters({
  before,
  after,
}: Change<'decisions'>): string[] {
  const was = new Set(decidedClusters(before));
  const is = new Set(decidedClusters(after));
  return [...new Set([...was, ...is])].filter(
    cluster => was.has(cluster) !== is.has(cluster),
  );
}

/** Whether a GitOpsCluster demands something else; its status, which this plugin writes, does not count. */
export function importDemandChanged({
  before,
  after,
}: Change<'gitOpsClusters'>): boolean {
  return !(
    before &&
    after &&
    before.metadata.uid === after.metadata.uid &&
    before.metadata.deletionTimestamp === after.metadata.deletionTimestamp &&
    sameJson(before.spec, after.spec)
  );
}

function isLocal(cluster: ManagedCluster | undefined): boolean {
  return cluster !== undefined && isLocalCluster(cluster);
}

function accessFieldsOf(cluster: ManagedCluster) {
  return [
    cluster.metadata.labels,
    cluster.metadata.deletionTimestamp,
    clientConfigOf(cluster),
  ];
}

function payloadOf({ status, metadata, ...rest }: ArgoApplication) {
  const { resourceVersion, generation, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

function writtenMetadata({ metadata }: ManifestWork) {
  const { resourceVersion, ...kept } = metadata;
  return kept;
}
