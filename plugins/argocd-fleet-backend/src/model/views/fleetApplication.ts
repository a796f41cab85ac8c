import {
  parseGoBool,
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplication,
  type ClusterState,
  type ManagedCluster,
  type DeliveryModel,
  type Finding,
  type ManifestWork,
  type RollingSyncPosition,
} from 'backstage-plugin-argocd-fleet-common';
import {
  clusterNameOf,
  clusterState,
  deliveryModel,
  type KnownAgents,
} from '../delivery';
import {
  readApplicationStatus,
  readFeedback,
  readReportedState,
  UNREPORTED,
  type ApplicationState,
  type ReportedState,
  type ResourceReader,
} from '../feedback';
import type { ArgocdFacts } from '../findings';
import type { WorkPlan } from '../manifestwork';
import type { WorkDecision } from '../removal';
import {
  withoutOldSync,
  withSourcedDetails,
  type SourcedDetails,
} from '../status';
import { pastCluster, pastState } from './pastTimes';

/** A work of an Application that does not deliver it any more, and why it is still there. */
export interface FormerWork {
  readonly work: ManifestWork;
  readonly decision: WorkDecision;
}

/** One Application, with all that the hub knows about its delivery. */
export interface FleetApplication extends ArgocdFacts {
  readonly application: ArgoApplication;
  /** Cluster name, where it is not in the Application (push model: it is in the cluster Secret). */
  readonly clusterName?: string;
  readonly managedCluster?: ManagedCluster;
  /** The agents of argocd-agent on the hub. */
  readonly agents?: KnownAgents;
  /** Placement of the ApplicationSet's generator. */
  readonly placement?: string;
  /**
   * Whether a decision of any Placement of the namespace selects the cluster, and counts as far as is known; undefined
   * where no Placement is involved.
   */
  readonly decided?: boolean;
  /**
   * Its ApplicationSet's controller syncs it when its step is reached, or never where no step selects it. What that
   * controller reports of it is there for details only, since no row is made again when it changes.
   */
  readonly rollingSync?: RollingSyncPosition;
  /** As configured: what the cluster has to have compared with depends on it. */
  readonly defaultDestinationNamespace?: boolean;
  /** When this was read, in milliseconds since the epoch: no time of a cluster is later. Without it, none is changed. */
  readonly readAt?: number;
  /** Pull model: what propagation does about it. */
  readonly plan?: WorkPlan;
  /** Pull model: the work on the hub. */
  readonly work?: ManifestWork;
  /** Its other works that stay, or wait for something; in every model, as an Application may have left the pull model. */
  readonly former?: readonly FormerWork[];
  /** About its works whose deletion is held; only of an Application that is being deleted. */
  readonly held?: Finding;
  /** Pull model: the last answers of resource sources. */
  readonly sourced?: readonly SourcedDetails[];
}

/**
 * State of an Application: in the pull model its work's feedback, with fresher details of resource sources; in the
 * other models its own status. Out of sync where the report is older than what the hub wants.
 */
export function stateOf(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
): ApplicationState {
  const { application, sourced, readAt = Infinity } = input;
  const isPull = modelOf(input) === 'pull';
  const work = isPull ? input.work : lastWorkOf(input);
  if (!isPull && !work) {
    const own = pastState(readApplicationStatus(application), readAt);
    return withoutOldSync(own, application, undefined, false);
  }
  const state = work
    ? withoutOldSync(
        pastState(readFeedback(work, resourcesIn), readAt),
        application,
        work,
        input.defaultDestinationNamespace ?? false,
      )
    : UNREPORTED;
  return work && sourced
    ? withSourcedDetails(state, sourced, clusterOf(input))
    : state;
}

/**
 * The work of an Application that has left the pull model, while nothing else reconciles it: its cluster still reports
 * there, and nobody writes the Application's own status any more. What other clusters say of theirs is not about it.
 */
function lastWorkOf(input: FleetApplication): ManifestWork | undefined {
  if (isReconciledElsewhere(input)) {
    return undefined;
  }
  const cluster = clusterNameIn(input);
  return input.former?.find(
    ({ work, decision }) =>
      work.metadata.namespace === cluster && decision.kind !== 'delete',
  )?.work;
}

/** Whether the hub's Argo CD or an agent of argocd-agent deploys an Application that is not of the pull model. */
export function isReconciledElsewhere(input: FleetApplication): boolean {
  const { annotations } = input.application.metadata;
  return (
    modelOf(input) === 'agent' ||
    parseGoBool(annotations?.[SKIP_RECONCILE_ANNOTATION]) !== true
  );
}

/** How an Application is delivered; others of its ApplicationSet may be of another model. */
export function modelOf({
  application,
  agents,
}: Pick<FleetApplication, 'application' | 'agents'>): DeliveryModel {
  return deliveryModel(application, agents);
}

/** Name of the cluster of an Application. */
export function clusterNameIn({
  application,
  agents,
  clusterName,
}: Pick<FleetApplication, 'application' | 'agents' | 'clusterName'>): string {
  return clusterName ?? clusterNameOf(application, agents);
}

/** The cluster of an Application as views show it. */
export function clusterOf(input: FleetApplication): ClusterState {
  const { managedCluster, readAt = Infinity } = input;
  return pastCluster(
    clusterState(clusterNameIn(input), managedCluster),
    readAt,
  );
}

/** The part of a pull-model Application's state that a report shows. */
export function reportedStateOf(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
): ReportedState {
  const { application, work, sourced } = input;
  return work && !sourced
    ? withoutOldSync(
        readReportedState(work, resourcesIn),
        application,
        work,
        input.defaultDestinationNamespace ?? false,
      )
    : stateOf(input, resourcesIn);
}
