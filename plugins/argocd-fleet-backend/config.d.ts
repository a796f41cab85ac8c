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
      /** Or reach it at this address, `https:`, with a token. */
      url?: string;
      /**
       * Bearer token for `url`; one in a file can be renewed without a restart.
       * @visibility secret
       */
      token?: string;
      /** File that holds the token, instead of `token`; followed when it changes. */
      tokenFile?: string;
      /** Certificates of the CA for `url`, PEM in base64. Without any, those that Node.js trusts are. */
      caData?: string;
      /** File that holds them in PEM, instead of `caData`; followed when it changes. */
      caFile?: string;
      /** Do not verify the certificate at `url`: for trying things out. Default false. */
      skipTLSVerify?: boolean;
      /**
       * Or reach it as the cluster of this name in `kubernetes.clusterLocatorMethods[].clusters[]` (type `config`) of Backstage's
       * kubernetes plugin: one with authProvider serviceAccount and a serviceAccountToken.
       */
      kubernetesCluster?: string;
      /** What single controllers do on this hub, where that is something else than on all hubs. */
      controllers?: {
        [controller: string]: ArgocdFleetControllerMode;
      };
      /**
       * The most requests that the hub gets. Default: no limit but the controllers' concurrency; when an API server says that it has
       * enough (429), every request waits for as long as it asks, limit or not.
       */
      rateLimit?: {
        /** On average, for example 200. A limit of 5, as some clients have it by default, takes 17 minutes for 5,000 works. */
        requestsPerSecond: number;
        /** At once, after a quiet time. */
        burst: number;
      };
      /**
       * Ask RHACM's Search on this hub for errors and resource lists, where works bring them home not at all, or not all of them. Its
       * certificate is always verified.
       */
      search?: {
        /**
         * Address; by default
         * `https://search-search-api.<namespace>.svc.<domain>:<port>/searchapi/graphql`, which can be reached on the hub itself.
         */
        url?: string;
        /** Namespace of RHACM, instead of `url`. Default open-cluster-management. */
        namespace?: string;
        /** Domain of the hub's services, instead of `url`. Default cluster.local. */
        domain?: string;
        /** Instead of `url`. Default 4010. */
        port?: number;
        /**
         * Bearer token; one in a file can be renewed without a restart.
         * @visibility secret
         */
        token?: string;
        /** File that holds the token, instead of `token`; followed when it changes. */
        tokenFile?: string;
        /** Certificates of the CA, PEM in base64. Without any, those that Node.js trusts are. */
        caData?: string;
        /** File that holds them in PEM, instead of `caData`; followed when it changes. */
        caFile?: string;
        /** Clusters that one search is about, 1 to 1000. Default 50. */
        batchSize?: number;
        /** Searches under way at once, 1 to 20. Default 4. */
        concurrency?: number;
        /** How long a search may take. Default 30 s. */
        timeout?: HumanDuration | string;
        /**
         * The most Applications, and the most things related to them, in one answer, 1 to 100000. Default 10000. A search that reaches it is
         * asked again in halves.
         */
        limit?: number;
      };
    }>;

    resourceSources?: {
      /**
       * When Search, and sources that modules add, are asked. Default: frequency 10 s, timeout 2 min; 30 s is kinder to a large
       * index. The scope is always global.
       */
      schedule?: SchedulerServiceTaskScheduleDefinitionConfig;
    };

    controllers?: {
      /** Makes the clusters of GitOpsClusters known to Argo CD. */
      clusterImport?: ArgocdFleetControllerConfig;
      /** Brings pull-model Applications to their clusters in ManifestWorks. */
      propagation?: ArgocdFleetControllerConfig;
      /** Brings the status that the clusters report into the Applications on the hub. */
      applicationStatus?: ArgocdFleetControllerConfig;
      /** Keeps a MulticlusterApplicationSetReport for each ApplicationSet. */
      aggregation?: ArgocdFleetControllerConfig;
      /**
       * Records the state of every Application, and each change of it, in the plugin's database. It writes nothing to the hubs, so that
       * `observe` is the same as `manage`. Its concurrency is 200 by default, and at most 1000.
       */
      resourceSync?: ArgocdFleetControllerConfig;
    };

    history?: {
      /**
       * For how long it is kept what Applications turned to, and those that are gone. What an Application turned to last is kept as long as
       * the Application. Default 90 days.
       */
      keep?: HumanDuration | string;
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
      /** Where condition rules are off or the hub lacks them, bring the first errors home by further feedback. Default true. */
      errorFeedback?: boolean;
      /** Have agents watch Applications instead of polling them; needs OCM 1.2 or later. Default true. */
      watch?: boolean;
      /** The most characters that errors and resources of one Application may take, 1000 to 30000. Default 8000. */
      digestLength?: number;
      /**
       * Objects of an Application that its work observes besides, the most of each kind, 0 to 50; 0 observes none. They follow from what
       * the cluster reports; needs condition rules.
       */
      observe?: {
        /** Argo Rollouts: phase, step and weight. Default 10. */
        rollouts?: number;
        /** Applications that the Application deploys: health and sync. Default 10. */
        childApplications?: number;
      };
      /**
       * Take over the works that RHACM turned to ReadOnly when its own propagation was switched off. Default false: they are shown, and
       * left alone.
       */
      adoptReadOnly?: boolean;
      /** Bring the namespace of each Application along, marked for OpenShift GitOps; it stays when the Application goes. Default false. */
      includeNamespace?: boolean;
      /** Bring the AppProject that an Application names along, other than `default`; it stays when the Application goes. Default false. */
      includeAppProject?: boolean;
      /** Namespace of Argo CD itself, on the hub and on the managed clusters. Default openshift-gitops. */
      argocdNamespace?: string;
    };
  };
}

interface ArgocdFleetControllerMode {
  /**
   * `manage` (default) writes to the hubs; `observe` works out and shows what it would write; `off` does nothing.
   */
  mode?: 'manage' | 'observe' | 'off';
}

interface ArgocdFleetControllerConfig extends ArgocdFleetControllerMode {
  /** Schedule of the task. Default: frequency 1 s, timeout 60 s. Its scope is always global. */
  schedule?: SchedulerServiceTaskScheduleDefinitionConfig;
  /** Time between two passes over everything; changes are acted on at once in between. Default 10 s. */
  fullPassEvery?: HumanDuration | string;
  /** How long one run of the task stays, at least 9 s less than the schedule's timeout. Default 50 s. */
  runWindow?: HumanDuration | string;
  /** Objects that are worked on at once, 1 to 100. Default 10. */
  concurrency?: number;
}
