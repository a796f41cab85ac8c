import type {
  ArgoApplication,
  ManagedCluster,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { clusterNameOf, clusterState, deliveryModel } from '../delivery';
import {
  readApplicationStatus,
  readFeedback,
  readReportedState,
  UNREPORTED,
  type ApplicationState,
  type ReportedState,
  type ResourceReader,
} from '../feedback';
import type { WorkPlan } from '../manifestwork';
import { withSourcedDetails, type SourcedDetails } from '../status';

/** One Application, with all that the hub knows about its delivery. */
export interface FleetApplication {
  readonly application: ArgoApplication;
  /** Cluster name, where it is not in the Application (push model: it is in the cluster Secret). */
  readonly clusterName?: string;
  readonly managedCluster?: ManagedCluster;
  /** Placement of the ApplicationSet's generator. */
  readonly placement?: string;
  /** Whether a decision of any Placement of the namespace selects the cluster; undefined where no Placement is involved. */
  readonly decided?: boolean;
  /** Configured namespace of Argo CD on the managed clusters. */
  readonly argocdNamespace?: string;
  /** Pull model: what propagation does about it. */
  readonly plan?: WorkPlan;
  /** Pull model: the work on the hub. */
  readonly work?: ManifestWork;
  /** Pull model: the last answers of resource sources. */
  readonly sourced?: readonly SourcedDetails[];
}

/**
 * State of an Application: in the pull model its work's feedback, with fresher details of resource sources; in the
 * other models its own status.
 */
export function stateOf(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
): ApplicationState {
  if (deliveryModel(input.application) !== 'pull') {
    return readApplicationStatus(input.application);
  }
  const { application, work, sourced, managedCluster } = input;
  const state = work ? readFeedback(work, resourcesIn) : UNREPORTED;
  return work && sourced
    ? withSourcedDetails(
        state,
        sourced,
        clusterState(clusterNameOf(application), managedCluster),
      )
    : state;
}

/** The part of a pull-model Application's state that a report shows. */
export function reportedStateOf(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
): ReportedState {
  const { work, sourced } = input;
  return work && !sourced
    ? readReportedState(work, resourcesIn)
    : stateOf(input, resourcesIn);
}
