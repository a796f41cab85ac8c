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

/** One Application, with all that the hub knows about its way to its cluster. */
export interface FleetApplication {
  readonly application: ArgoApplication;
  /** Cluster name, where somebody knows better than the Application (push model: its cluster Secret). */
  readonly clusterName?: string;
  readonly managedCluster?: ManagedCluster;
  /** Placement of the ApplicationSet's generator. */
  readonly placement?: string;
  /** Whether a PlacementDecision of the namespace selects the cluster; undefined where no Placement is involved. */
  readonly decided?: boolean;
  /** Pull model: what propagation decides. */
  readonly plan?: WorkPlan;
  /** Pull model: the work on the hub. */
  readonly work?: ManifestWork;
  /** Pull model: what resource sources said. */
  readonly sourced?: readonly SourcedDetails[];
}

/**
 * State of an Application: in the pull model its work's feedback, with what resource sources know better; its own status in the others.
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

/** The same of a pull-model Application, as far as a report shows it. */
export function reportedStateOf(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
): ReportedState {
  const { work, sourced } = input;
  return work && !sourced
    ? readReportedState(work, resourcesIn)
    : stateOf(input, resourcesIn);
}
