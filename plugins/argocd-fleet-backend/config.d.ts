import type { HumanDuration } from '@backstage/types';
import type { SchedulerServiceTaskScheduleDefinitionConfig } from '@backstage/backend-plugin-api';

/**
 * Where the fields of an entity come from: `label:<key>` or `annotation:<key>` of the object on the hub. A field without
 * value, or with one that the catalog would refuse, is left out.
 */
interface ArgocdFleetCatalogFields {
  /** Entity reference; of an ApplicationSet, its annotation `argocd-fleet/component-owner` comes first. */
  owner?: string;
  lifecycle?: string;
  /** Entity reference of a system. */
  system?: string;
  tags?: string[];
}

export interface Config {
  /** Argo CD Fleet: the Argo CD pull model on Open Cluster Management. */
  argocdFleet?: {
    /**
     * The hubs. Entities that name no hub refer to every hub that has the ApplicationSet. Without a hub, the plugin
     * starts and reports that none is configured.
     */
    hubs?: Array<{
      /**
       * Name of the hub in URLs and entity annotations: lower case letters, digits and hyphens.
       * @visibility frontend
       */
      name: string;
      /**
       * Connect to the hub with a kubeconfig. It is read again when the hub does not respond, and may be created later.
       */
      kubeconfig?: {
        /** Path of the file on the backend's machine. */
        path: string;
        /** Context in that file; its current context by default. */
        context?: string;
      };
      /** Or connect with the service account of the backend's pod. */
      inCluster?: true;
      /** Or connect to this URL, `https:`, with a token. */
      url?: string;
      /**
       * Bearer token for `url`; a token in a file can be renewed without a restart.
       * @visibility secret
       */
      token?: string;
      /** File with the token, instead of `token`; read again when it changes. */
      tokenFile?: string;
      /** Certificates of the CA for `url`, PEM in base64. Default: the CAs that Node.js trusts. */
      caData?: string;
      /** File with the certificates in PEM, instead of `caData`; read again when it changes. */
      caFile?: string;
      /** Do not verify the certificate of `url`; only for tests. Default false. */
      skipTLSVerify?: boolean;
      /**
       * Or connect to the cluster of this name in `kubernetes.clusterLocatorMethods[].clusters[]` (type `config`) of
       * Backstage's kubernetes plugin. It must have authProvider serviceAccount and a serviceAccountToken.
       */
      kubernetesCluster?: string;
      /**
       * Further URLs of the hub's API server, `https:`: the name behind a load balancer, an address inside a network. A
       * managed cluster that reports one of them, or the one that the backend connects to, as its own is not imported
       * into Argo CD, which would send the cluster's token there. Default: only the one that the backend connects to.
       */
      addresses?: string[];
      /** Modes of single controllers on this hub, where they differ from the mode for all hubs. */
      controllers?: {
        [controller: string]: ArgocdFleetControllerMode;
      };
      /**
       * What the portal may write on this hub for its users: Placements and ApplicationSets, in these namespaces. What no
       * entry allows is refused before anything is sent to the hub. Default: nothing may be written. Namespaces of
       * Kubernetes and OpenShift (`kube-*`, `openshift`, `openshift-*`) are never allowed, except Argo CD's own
       * (`argocdFleet.propagation.argocdNamespace`) where it is named here. Needs the propagation controller in the mode
       * `manage` on this hub, and the rights of deploy/rbac/portal-writes in these namespaces.
       */
      writes?: Array<{
        /** Namespaces of the hub in which Placements and ApplicationSets may be written. One may be in one entry only. */
        namespaces: string[];
        /**
         * Owners whose objects may be written there: entity references of groups or users. Default: any owner, so that
         * whoever may create an ApplicationSet may create one of their own in these namespaces.
         */
        owners?: string[];
        /** AppProjects; `*` at the end of a name stands for any characters. */
        projects: string[];
        /**
         * Repositories, or what their addresses begin with, in whole segments of the path: `https://github.com/acme`
         * allows `https://github.com/acme/app.git`, and neither `https://github.com/acme-evil` nor `ssh:` addresses.
         */
        repositories: string[];
        /**
         * Namespaces on the clusters; `*` at the end of a name stands for any characters. Argo CD's own namespace has to
         * be named in full.
         */
        destinationNamespaces: string[];
        /** ManagedClusterSets to select clusters from; `['*']` for all that are bound to the namespace. */
        clusterSets: string[];
        /** Labels that every selected cluster must have; they are added to each Placement. */
        clusterLabels?: { [label: string]: string };
      }>;
      /** Where this hub's Applications may go, where it is not as for all hubs: each key replaces that of `propagation`. */
      propagation?: {
        /** As `argocdFleet.propagation.argocdNamespace`. */
        argocdNamespace?: string;
        /** As `argocdFleet.propagation.appNamespaces`. */
        appNamespaces?: {
          [hubNamespace: string]: string[];
        };
      };
      /**
       * Names of the Argo CD instances on this hub, as other Argo CD plugins know them: an entity with the annotation
       * `argocd/instance-name` is linked to what is on the hub of that name or with that instance.
       */
      argocdInstances?: string[];
      /** URL of the web interface of the hub's Argo CD, for links from the catalog. */
      argocdUrl?: string;
      /** Which of this hub's namespaces define components, where it is not as for all hubs. */
      components?: {
        /** As `argocdFleet.components.namespaces`. */
        namespaces?: string[];
      };
      /** What GitOpsClusters may do on this hub, where it is not as for all hubs. */
      clusterImport?: {
        /** As `argocdFleet.clusterImport.argocdNamespaces`. */
        argocdNamespaces?: {
          [argocdNamespace: string]: string[];
        };
        /** As `argocdFleet.clusterImport.managedServiceAccounts`. */
        managedServiceAccounts?: {
          [argocdNamespace: string]: string[];
        };
      };
      /**
       * Limits the requests to the hub. Default: only the controllers' concurrency limits them. When the API server
       * responds 429 to a read or a write, all reads or all writes wait for as long as the server demands, and are
       * slower for some seconds after that, with or without this limit.
       */
      rateLimit?: {
        /** On average, for example 200. With 5, the default of some clients, 5,000 works take 17 minutes. */
        requestsPerSecond: number;
        /** At once, after a time without requests. */
        burst: number;
      };
      /**
       * Deletions of ManifestWorks that were held before this time are carried out: a time in quotes, for example
       * "2026-01-31T12:00:00Z". Those that are held later are not, so it may stay. Deletions are held where all works of
       * an ApplicationSet, or most of a hub, are wanted gone and nobody ordered that.
       */
      releaseHeldBefore?: string;
      /**
       * Namespace of RHACM on this hub. Only there its controllers count, beside which propagation and aggregation only
       * observe: anyone may have a Deployment of that name elsewhere. Default `search.namespace`, or
       * open-cluster-management.
       */
      rhacmNamespace?: string;
      /**
       * Query RHACM's Search on this hub for errors and resource lists that works do not report, or not completely. Its
       * certificate is always verified.
       */
      search?: {
        /**
         * URL; by default `https://search-search-api.<namespace>.svc.<domain>:<port>/searchapi/graphql`, which is
         * reachable only on the hub itself.
         */
        url?: string;
        /** Namespace of Search, instead of `url`. Default `rhacmNamespace`. */
        namespace?: string;
        /** Domain of the hub's services, instead of `url`. Default cluster.local. */
        domain?: string;
        /** Instead of `url`. Default 4010. */
        port?: number;
        /**
         * Bearer token; a token in a file can be renewed without a restart.
         * @visibility secret
         */
        token?: string;
        /** File with the token, instead of `token`; read again when it changes. */
        tokenFile?: string;
        /** Certificates of the CA, PEM in base64. Default: the CAs that Node.js trusts. */
        caData?: string;
        /** File with the certificates in PEM, instead of `caData`; read again when it changes. */
        caFile?: string;
        /** Clusters in one search, 1 to 1000. Default 50. */
        batchSize?: number;
        /** Searches at the same time, 1 to 20. Default 4. */
        concurrency?: number;
        /** Timeout of one search. Default 30 s. */
        timeout?: HumanDuration | string;
        /**
         * Largest number of Applications, and of related items, in one answer, 1 to 100000. Default 10000. A search
         * that reaches it is split in halves.
         */
        limit?: number;
      };
    }>;

    resourceSources?: {
      /**
       * When Search, and sources that modules add, are queried. Default: frequency 10 s, timeout 2 min; 30 s puts less
       * load on a large index. The scope is always global.
       */
      schedule?: SchedulerServiceTaskScheduleDefinitionConfig;
    };

    controllers?: {
      /** Imports the clusters of GitOpsClusters into Argo CD. */
      clusterImport?: ArgocdFleetControllerConfig;
      /** Delivers pull-model Applications to their clusters in ManifestWorks. */
      propagation?: ArgocdFleetControllerConfig;
      /** Writes the status that the clusters report to the Applications on the hub. */
      applicationStatus?: ArgocdFleetControllerConfig;
      /** Maintains a MulticlusterApplicationSetReport for each ApplicationSet. */
      aggregation?: ArgocdFleetControllerConfig;
      /**
       * Records the state of every Application, and each change of it, in the plugin's database. It writes nothing to
       * the hubs, so `observe` is the same as `manage`. Its concurrency is 200 by default, and at most 1000.
       */
      resourceSync?: ArgocdFleetControllerConfig;
    };

    components?: {
      /**
       * Namespaces of the hubs whose ApplicationSets may define components of the catalog, in the annotations
       * `argocd-fleet/component…`. Whoever may write ApplicationSets there may choose names and owners of components.
       * Default: only `propagation.argocdNamespace`; then the components that the catalog already has of other
       * namespaces stay, with finding AFC-308. With a list, they are removed.
       */
      namespaces?: string[];
    };

    permissions?: {
      /**
       * Of an ApplicationSet without recorded owner (annotation `argocd-fleet/component-owner` on the hub), let the
       * owners of the catalog entities that link to it count for the rule `IS_OWNER`, for reading only. Whoever may
       * register an entity then gets to read every such ApplicationSet. Default false; without a value, finding AFC-442
       * counts the ApplicationSets that have readers by links only.
       */
      readByLink?: boolean;
    };

    /** What the entities of managed clusters and ApplicationSets say in the catalog. */
    catalog?: {
      clusters?: ArgocdFleetCatalogFields & {
        /**
         * Have Backstage's kubernetes plugin find the managed clusters in the catalog (`kubernetes.clusterLocatorMethods`
         * of type `catalog`): value of the annotation `kubernetes.io/auth-provider`, for example oidc. The address and
         * the CA are those that each cluster reports, so the plugin sends the tokens of its users to where the cluster
         * says. Default: the entities have no such annotations.
         */
        kubernetesAuthProvider?: string;
      };
      applicationSets?: ArgocdFleetCatalogFields;
    };

    /**
     * Which ways of finding the ApplicationSets of a catalog entity are switched on, besides the annotations
     * `argocd-fleet/applicationset` and `argocd-fleet/selector`. What is found makes nobody an owner.
     */
    links?: {
      /** By `spec.dependsOn` on the entity that the catalog has of an ApplicationSet. Default true. */
      relation?: boolean;
      /**
       * By the annotations of other Argo CD plugins: `argocd/app-name`, `argocd/app-selector`, `argocd/project-name`,
       * with `argocd/app-namespace` and `argocd/instance-name`. Default true.
       */
      argocdAnnotations?: boolean;
      /**
       * By the repository that a component is in (`backstage.io/source-location`). `path`: where an ApplicationSet deploys
       * from the component's folder of it; `any`: also from another folder; `off`: never. Default `path`.
       */
      repository?: 'path' | 'any' | 'off';
    };

    history?: {
      /**
       * How long transitions, and Applications that are gone, are kept. The last transition of an Application is kept
       * as long as the Application. Default 90 days.
       */
      keep?: HumanDuration | string;
    };

    clusterImport?: {
      /**
       * Namespaces whose GitOpsClusters may import clusters into the Argo CD of another namespace, by the namespace of
       * that Argo CD; `*` stands for all. Default: a GitOpsCluster imports into its own namespace only.
       */
      argocdNamespaces?: {
        [argocdNamespace: string]: string[];
      };
      /**
       * ManagedServiceAccounts whose tokens GitOpsClusters may have an Argo CD given, by the namespace of that Argo CD; `*`
       * stands for all. Whoever reads its Secrets has the rights of these accounts on the clusters. Default of a
       * namespace that is not listed: the accounts whose tokens it had when the backend first read the hub.
       */
      managedServiceAccounts?: {
        [argocdNamespace: string]: string[];
      };
    };

    propagation?: {
      /** Also deliver to the hub itself, where it is one of its own managed clusters. Default false. */
      allowLocalCluster?: boolean;
      /**
       * Deliver an Application only to clusters that a Placement of its own namespace selects, of the
       * ManagedClusterSets that are bound to it. Default true.
       * With false, everyone who may create Applications on the hub may write to every cluster.
       */
      requireDecision?: boolean;
      /** Report errors and resource lists in a condition of the ManifestWork; needs OCM 1.0 or later. Default true. */
      conditionRules?: boolean;
      /**
       * Where condition rules are off or the hub lacks them, report the first errors in additional feedback. Default
       * true.
       */
      errorFeedback?: boolean;
      /** Let agents watch Applications instead of polling them; needs OCM 1.2 or later. Default true. */
      watch?: boolean;
      /** Maximum characters for errors and resources of one Application, 1000 to 30000. Default 8000. */
      digestLength?: number;
      /**
       * Maximum number of additional objects of an Application that its work observes, for each kind, 0 to 50; 0
       * observes none. The objects are those that the cluster reports; needs condition rules.
       */
      observe?: {
        /** Argo Rollouts: phase, step and weight. Default 10. */
        rollouts?: number;
        /** Applications that the Application deploys: health and sync. Default 10. */
        childApplications?: number;
      };
      /**
       * Adopt the works that RHACM set to ReadOnly when its own propagation was disabled. Default false: they are
       * shown, but not changed.
       */
      adoptReadOnly?: boolean;
      /**
       * Which namespaces of managed clusters Applications may use (annotation
       * `apps.open-cluster-management.io/ocm-managed-cluster-app-namespace`), by their namespace on the hub. Default:
       * the one with the same name. A list replaces the default, so it has that name too if it may still be used.
       */
      appNamespaces?: {
        [hubNamespace: string]: string[];
      };
      /**
       * Give an Application without `spec.destination.namespace` the namespace that it has on the cluster itself, as
       * RHACM's controllers do. Otherwise it is delivered without one, and Argo CD reports the resources that name none
       * (AFC-223). A work that exists keeps its namespace until its Application's spec changes. Default false.
       */
      defaultDestinationNamespace?: boolean;
      /**
       * Also deliver the namespace of each Application, labelled for OpenShift GitOps; it stays when the Application is
       * deleted. Namespaces of Kubernetes and OpenShift (`kube-*`, `openshift`, `openshift-*`) are left out, except
       * `argocdNamespace`. Default false.
       */
      includeNamespace?: boolean;
      /**
       * Also deliver the AppProject of each Application, except `default`, from `argocdNamespace` on the hub; it stays
       * when the Application is deleted. Default false.
       */
      includeAppProject?: boolean;
      /** Namespace of Argo CD itself, on the hub and on the managed clusters. Default openshift-gitops. */
      argocdNamespace?: string;
    };
  };
}

interface ArgocdFleetControllerMode {
  /**
   * `manage` (default) writes to the hubs; `observe` computes and shows what it would write; `off` does nothing.
   */
  mode?: 'manage' | 'observe' | 'off';
}

interface ArgocdFleetControllerConfig extends ArgocdFleetControllerMode {
  /** Schedule of the task. Default: frequency 1 s, timeout 60 s. Its scope is always global. */
  schedule?: SchedulerServiceTaskScheduleDefinitionConfig;
  /**
   * Time between two full passes; changes in between are reconciled at once. Default 10 s, and more on a hub with so many
   * objects that a pass would take more than 0.5 % of a core.
   */
  fullPassEvery?: HumanDuration | string;
  /** Duration of one run of the task, at least 9 s less than the schedule's timeout. Default 50 s. */
  runWindow?: HumanDuration | string;
  /** Objects that are reconciled at the same time, 1 to 100. Default 10. */
  concurrency?: number;
}
