/**
 * The parts of Kubernetes objects that the plugins read or write. Every field that an API server may omit is optional.
 */

/** Metadata of a Kubernetes object; times are RFC 3339. @public */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** Reference from an object to its owner. @public */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object. @public */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  /**
   * Why only the metadata of the object are known, as in “The object nests too deep”. Set by the backend: no API server
   * has this field.
   */
  readonly unreadable?: string;
}

/** A Kubernetes condition; those of Argo CD have no `status` or `reason`. @public */
export interface Condition {
  readonly type: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** A source of an Argo CD Application: a folder of a Git repository, or a Helm chart. @public */
export interface ArgoSource {
  readonly repoURL: string;
  readonly path?: string;
  readonly chart?: string;
  readonly targetRevision?: string;
  readonly ref?: string;
}

/** Cluster, by name or API server URL, and namespace that an Application deploys to. @public */
export interface ArgoDestination {
  readonly name?: string;
  readonly server?: string;
  readonly namespace?: string;
}

/** Spec of an Argo CD Application, with either `source` or `sources`. @public */
export interface ArgoApplicationSpec {
  readonly project?: string;
  readonly source?: ArgoSource;
  readonly sources?: readonly ArgoSource[];
  readonly destination?: ArgoDestination;
  readonly [field: string]: unknown;
}

/** Sync status (`status`) and health of one resource of an Application. @public */
export interface ArgoResourceStatus {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly status?: string;
  readonly health?: { readonly status?: string; readonly message?: string };
  readonly requiresPruning?: boolean;
  readonly requiresDeletionConfirmation?: boolean;
}

/** Result of the last sync for one resource. @public */
export interface ArgoSyncedResource {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly status?: string;
  readonly hookPhase?: string;
  readonly message?: string;
}

/** An entry of an Application's sync history. @public */
export interface ArgoPastSync {
  readonly id?: number;
  readonly deployedAt?: string;
  readonly revision?: string;
  readonly revisions?: readonly string[];
}

/** State of the source hydrator (`status.sourceHydrator`); revisions are commits. @public */
export interface ArgoHydratorStatus {
  readonly currentOperation?: {
    readonly phase?: string;
    readonly startedAt?: string;
    readonly message?: string;
    readonly drySHA?: string;
  };
  readonly lastSuccessfulOperation?: {
    readonly drySHA?: string;
    readonly hydratedSHA?: string;
    /** The `spec.sourceHydrator` that it was for. */
    readonly sourceHydrator?: Readonly<Record<string, unknown>>;
  };
}

/** `argoproj.io/v1alpha1` Application. @public */
export interface ArgoApplication extends KubernetesObject {
  readonly spec: ArgoApplicationSpec;
  readonly operation?: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly health?: {
      readonly status?: string;
      readonly message?: string;
      readonly lastTransitionTime?: string;
    };
    readonly sync?: {
      readonly status?: string;
      readonly revision?: string;
      readonly revisions?: readonly string[];
      /** Sources and destination that the status was computed for. */
      readonly comparedTo?: {
        readonly source?: ArgoSource;
        readonly sources?: readonly ArgoSource[];
        readonly destination?: ArgoDestination;
      };
    };
    readonly operationState?: {
      readonly phase?: string;
      readonly message?: string;
      readonly startedAt?: string;
      readonly finishedAt?: string;
      readonly retryCount?: number;
      readonly operation?: {
        /** The revisions that the operation was started with; absent if it syncs what the spec names. */
        readonly sync?: {
          readonly revision?: string;
          readonly revisions?: readonly string[];
        };
        readonly initiatedBy?: {
          readonly username?: string;
          readonly automated?: boolean;
        };
        readonly info?: readonly {
          readonly name?: string;
          readonly value?: string;
        }[];
      };
      readonly syncResult?: {
        readonly resources?: readonly ArgoSyncedResource[];
      };
    };
    readonly conditions?: readonly Condition[];
    readonly resources?: readonly ArgoResourceStatus[];
    readonly summary?: {
      readonly images?: readonly string[];
      readonly externalURLs?: readonly string[];
    };
    /** `appTree` if Argo CD does not store the health of resources in `resources`. */
    readonly resourceHealthSource?: string;
    readonly sourceHydrator?: ArgoHydratorStatus;
    /** Syncs that succeeded, oldest first. */
    readonly history?: readonly ArgoPastSync[];
    readonly reconciledAt?: string;
  };
}

/** `argoproj.io/v1alpha1` ApplicationSet. @public */
export interface ArgoApplicationSet extends KubernetesObject {
  readonly spec: {
    readonly generators?: readonly Readonly<Record<string, unknown>>[];
    readonly goTemplate?: boolean;
    readonly template?: {
      readonly metadata?: {
        readonly name?: string;
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
      readonly spec?: ArgoApplicationSpec;
    };
    readonly [field: string]: unknown;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    /** Argo CD 3.3 and later. */
    readonly health?: { readonly status?: string; readonly message?: string };
    readonly applicationStatus?: readonly ArgoRollingSyncStatus[];
  };
}

/** How far an Application is in the rolling sync of its ApplicationSet (`status.applicationStatus`). @public */
export interface ArgoRollingSyncStatus {
  /** Its name; the namespace is that of the ApplicationSet. */
  readonly application: string;
  /** Number of the step, from `1`; `-1` in none. */
  readonly step?: string;
  /** `Waiting`, `Pending`, `Progressing` or `Healthy`. */
  readonly status?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** `cluster.open-cluster-management.io/v1` ManagedCluster, without namespace. @public */
export interface ManagedCluster extends KubernetesObject {
  readonly spec?: {
    readonly hubAcceptsClient?: boolean;
    /** URLs of its API server, the preferred one first; `caBundle` is base64. */
    readonly managedClusterClientConfigs?: readonly {
      readonly url?: string;
      readonly caBundle?: string;
    }[];
    /** A Placement selects the cluster only if it tolerates each taint. */
    readonly taints?: readonly {
      readonly key: string;
      readonly value?: string;
      readonly effect: string;
    }[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly version?: { readonly kubernetes?: string };
    /** What the cluster says of itself; `id.k8s.io` is unique to it. */
    readonly clusterClaims?: readonly {
      readonly name: string;
      readonly value?: string;
    }[];
  };
}

/** A Kubernetes label selector. @public */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** `cluster.open-cluster-management.io/v1beta2` ManagedClusterSet, without namespace. @public */
export interface ManagedClusterSet extends KubernetesObject {
  readonly spec?: {
    readonly clusterSelector?: {
      /** `ExclusiveClusterSetLabel` (by default) or `LabelSelector`. */
      readonly selectorType?: string;
      readonly labelSelector?: LabelSelector;
    };
  };
}

/** `cluster.open-cluster-management.io/v1beta2` ManagedClusterSetBinding: Placements of its namespace may use the set. @public */
export interface ManagedClusterSetBinding extends KubernetesObject {
  readonly spec?: { readonly clusterSet?: string };
}

/** `cluster.open-cluster-management.io/v1beta1` Placement. @public */
export interface Placement extends KubernetesObject {
  readonly spec?: {
    readonly clusterSets?: readonly string[];
    readonly numberOfClusters?: number;
    readonly tolerations?: readonly {
      readonly key?: string;
      readonly operator?: 'Exists' | 'Equal';
      readonly value?: string;
      readonly effect?: string;
      readonly tolerationSeconds?: number;
    }[];
    readonly predicates?: readonly {
      readonly requiredClusterSelector?: {
        readonly labelSelector?: {
          readonly matchLabels?: Readonly<Record<string, string>>;
        };
        readonly claimSelector?: Pick<LabelSelector, 'matchExpressions'>;
      };
    }[];
  };
  readonly status?: {
    readonly numberOfSelectedClusters?: number;
    readonly conditions?: readonly Condition[];
  };
}

/** `cluster.open-cluster-management.io/v1beta1` PlacementDecision: at most 100 clusters each. @public */
export interface PlacementDecision extends KubernetesObject {
  readonly status?: {
    readonly decisions?: readonly {
      readonly clusterName: string;
      readonly reason?: string;
      readonly score?: number;
    }[];
  };
}

/** Identifies one manifest of a ManifestWork; `resource` is the plural name. @public */
export interface ManifestResourceIdentifier {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

/** One entry of a ManifestWork's `manifestConfigs`. @public */
export interface ManifestConfig {
  readonly resourceIdentifier: ManifestResourceIdentifier;
  readonly feedbackRules?: readonly {
    readonly type: string;
    readonly jsonPaths?: readonly {
      readonly name: string;
      readonly path: string;
    }[];
  }[];
  readonly feedbackScrapeType?: 'Watch' | 'Poll';
  readonly conditionRules?: readonly {
    readonly type: 'CEL' | 'WellKnownConditions';
    readonly condition: string;
    readonly celExpressions?: readonly string[];
    readonly message?: string;
    readonly messageExpression?: string;
  }[];
  readonly updateStrategy?: {
    readonly type: string;
    readonly serverSideApply?: {
      readonly force?: boolean;
      readonly fieldManager?: string;
      readonly ignoreFields?: readonly {
        readonly condition: string;
        readonly jsonPaths: readonly string[];
      }[];
    };
  };
}

/** What happens to a ManifestWork's objects on the cluster when it is deleted. @public */
export interface DeleteOption {
  readonly propagationPolicy?: string;
  readonly selectivelyOrphans?: {
    readonly orphaningRules?: readonly ManifestResourceIdentifier[];
  };
}

/** `argoproj.io/v1alpha1` AppProject. @public */
export interface ArgoAppProject extends KubernetesObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** `work.open-cluster-management.io/v1` ManifestWork; its namespace is the managed cluster's name. @public */
export interface ManifestWork extends KubernetesObject {
  readonly spec: {
    readonly workload?: { readonly manifests?: readonly KubernetesObject[] };
    readonly deleteOption?: DeleteOption;
    readonly manifestConfigs?: readonly ManifestConfig[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly resourceStatus?: {
      readonly manifests?: readonly {
        readonly resourceMeta?: {
          readonly ordinal?: number;
          readonly group?: string;
          readonly version?: string;
          readonly kind?: string;
          readonly resource?: string;
          readonly namespace?: string;
          readonly name?: string;
        };
        readonly conditions?: readonly Condition[];
        readonly statusFeedback?: {
          readonly values?: readonly {
            readonly name: string;
            readonly fieldValue: {
              readonly type: string;
              readonly string?: string;
              readonly integer?: number;
              readonly boolean?: boolean;
              readonly jsonRaw?: string;
            };
          }[];
        };
      }[];
    };
  };
}

/** `apps.open-cluster-management.io/v1alpha1` report; `statuses` is a plain field, not a subresource. @public */
export interface MulticlusterApplicationSetReport extends KubernetesObject {
  readonly statuses: {
    readonly resources?: readonly {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly namespace?: string;
    }[];
    readonly clusterConditions?: readonly {
      readonly cluster: string;
      readonly healthStatus: string;
      readonly syncStatus: string;
      readonly operationStatePhase?: string;
      readonly operationStateStartedAt?: string;
      readonly syncRevision?: string;
      readonly app?: string;
      readonly conditions?: readonly {
        readonly type: string;
        readonly message: string;
      }[];
    }[];
    /** Counts of clusters, as decimal strings. */
    readonly summary: {
      readonly clusters: string;
      readonly synced: string;
      readonly notSynced: string;
      readonly healthy: string;
      readonly notHealthy: string;
      readonly inProgress: string;
    };
  };
}

/** `apps.open-cluster-management.io/v1beta1` (or `v1alpha1`) GitOpsCluster of RHACM. @public */
export interface GitOpsCluster extends KubernetesObject {
  readonly spec?: {
    readonly argoServer?: { readonly argoNamespace?: string };
    readonly placementRef?: {
      readonly kind?: string;
      readonly name?: string;
      readonly namespace?: string;
    };
    /** Name of a ManagedServiceAccount of each cluster, for the push model. */
    readonly managedServiceAccountRef?: string;
    /** The add-on that installs Argo CD, and argocd-agent where that is enabled, on the clusters. */
    readonly gitopsAddon?: {
      readonly argoCDAgent?: { readonly enabled?: boolean };
    };
  };
  readonly status?: {
    readonly phase?: string;
    readonly message?: string;
    readonly lastUpdateTime?: string;
  };
}

/**
 * `authentication.open-cluster-management.io/v1beta1` ManagedServiceAccount; its namespace is the managed cluster's
 * name.
 * @public
 */
export interface ManagedServiceAccount extends KubernetesObject {
  readonly status?: {
    /** The Secret with the token, in the same namespace. */
    readonly tokenSecretRef?: {
      readonly name?: string;
      readonly lastRefreshTimestamp?: string;
    };
  };
}

/** `v1` Secret; the values of `data` are base64. @public */
export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** `v1` ConfigMap. @public */
export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** `apps/v1` Deployment. @public */
export interface Deployment extends KubernetesObject {
  readonly status?: { readonly availableReplicas?: number };
}

/** `rbac.authorization.k8s.io/v1` Role. @public */
export interface Role extends KubernetesObject {
  readonly rules?: readonly {
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly verbs?: readonly string[];
  }[];
}

/** `rbac.authorization.k8s.io/v1` RoleBinding. @public */
export interface RoleBinding extends KubernetesObject {
  readonly roleRef?: {
    readonly apiGroup?: string;
    readonly kind?: string;
    readonly name?: string;
  };
  readonly subjects?: readonly {
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
  }[];
}
