import type { HumanDuration } from '@backstage/types';
import type { SchedulerServiceTaskScheduleDefinitionConfig } from '@backstage/backend-plugin-api';

export interface Config {
  /** Argo CD Fleet: the Argo CD pull model on Open Cluster Management. */
  argocdFleet?: {
    /**
     * The hubs, the one that entities mean when they name none first. Without any, the plugin starts and says so.
     */
    hubs?: Array<{
      /**
       * Name of the hub in addresses and entity annotations: lower case letters, digits and hyphens.
       * @visibility frontend
       */
      name: string;
      /** Reach the hub with a kubeconfig. It is read again when the hub does not answer, and may appear later. */
      kubeconfig?: {
        /** File on the machine of the backend. */
        path: string;
        /** Context in that file; its current context by default. */
        context?: string;
      };
      /** Or reach it with the service account of the pod that the backend runs in. */
      inCluster?: true;
    }>;

    controllers?: {
      /** Brings pull-model Applications to their clusters in ManifestWorks. */
      propagation?: ArgocdFleetControllerConfig;
      /** Keeps a MulticlusterApplicationSetReport for each ApplicationSet. */
      aggregation?: ArgocdFleetControllerConfig;
    };

    propagation?: {
      /** Also deliver to the hub itself, where it is one of its own managed clusters. Default false. */
      allowLocalCluster?: boolean;
      /**
       * Deliver an Application only to clusters that a PlacementDecision of its own namespace selects. Default true. With false,
       * whoever may create Applications on the hub may write to every cluster.
       */
      requireDecision?: boolean;
      /** Bring errors and resource lists home in a condition of the ManifestWork; needs OCM 1.0 or later. Default true. */
      conditionRules?: boolean;
      /** Have agents watch Applications instead of polling them; needs OCM 1.2 or later. Default true. */
      watch?: boolean;
      /** The most characters that errors and resources of one Application may take, 1000 to 30000. Default 8000. */
      digestLength?: number;
    };
  };
}

interface ArgocdFleetControllerConfig {
  /**
   * `manage` (default) writes to the hubs; `observe` works out and shows what it would write; `off` does nothing.
   */
  mode?: 'manage' | 'observe' | 'off';
  /** Schedule of the task. Default: frequency 1 s, timeout 60 s. Its scope is always global. */
  schedule?: SchedulerServiceTaskScheduleDefinitionConfig;
  /** Time between two passes over everything; changes are acted on at once in between. Default 10 s. */
  fullPassEvery?: HumanDuration | string;
  /** How long one run of the task stays, at least 8 s less than the schedule's timeout. Default 50 s. */
  runWindow?: HumanDuration | string;
}
