import type {
  ArgoApplication,
  ManagedCluster,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  readApplicationStatus,
  UNREPORTED,
  type ApplicationState,
} from './applicationState';
import { deliveryModel } from './deliveryModel';
import { readFeedback } from './feedback';
import type { WorkPlan } from './propagation';

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
}

/** State of an Application: its work's feedback in the pull model, its own status in the others. */
export function stateOf(input: FleetApplication): ApplicationState {
  if (deliveryModel(input.application) !== 'pull') {
    return readApplicationStatus(input.application);
  }
  return input.work ? readFeedback(input.work) : UNREPORTED;
}
