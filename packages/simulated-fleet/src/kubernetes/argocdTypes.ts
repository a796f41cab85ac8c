import { LabelSelector, LabelSelectorRequirement } from './clusterTypes';
import { JsonObject, KubeObject, ObjectMeta } from './objects';

// Argo CD's Application and ApplicationSet: the fields that the fleet reads or writes.
// https://argo-cd.readthedocs.io/en/stable/operator-manual/application.yaml

export interface ApplicationSource {
  repoURL: string;
  path?: string;
  chart?: string;
  targetRevision?: string;
  [field: string]: unknown;
}

export interface ApplicationDestination {
  name?: string;
  server?: string;
  namespace?: string;
}

export interface RetryStrategy {
  /** A negative number means no limit. */
  limit?: number;
  /** Go durations, such as `1m30s`. */
  backoff?: { duration?: string; factor?: number; maxDuration?: string };
}

export interface ApplicationSpec {
  project?: string;
  source?: ApplicationSource;
  sources?: ApplicationSource[];
  destination?: ApplicationDestination;
  syncPolicy?: {
    automated?: { prune?: boolean; selfHeal?: boolean; enabled?: boolean };
    syncOptions?: string[];
    retry?: RetryStrategy;
  };
  revisionHistoryLimit?: number;
}

/** The sources of an Application, from `sources` or `source`. */
export function sourcesOf(
  spec: ApplicationSpec | undefined,
): ApplicationSource[] {
  if (spec?.sources?.length) {
    return spec.sources;
  }
  return spec?.source ? [spec.source] : [];
}

export interface SyncOperation {
  sync?: {
    revision?: string;
    revisions?: string[];
    prune?: boolean;
    syncOptions?: string[];
    source?: ApplicationSource;
  };
  initiatedBy?: { automated?: boolean; username?: string };
  retry?: RetryStrategy;
  info?: { name: string; value: string }[];
}

export interface ResourceHealth {
  status: string;
  message?: string;
}

export interface ResourceStatus {
  group?: string;
  version: string;
  kind: string;
  namespace?: string;
  name: string;
  status?: string;
  health?: ResourceHealth;
}

export interface ResourceResult {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  status?: string;
  message?: string;
  hookPhase?: string;
  syncPhase?: string;
}

export interface OperationState {
  operation: SyncOperation;
  phase: string;
  message?: string;
  startedAt: string;
  finishedAt?: string;
  retryCount?: number;
  syncResult?: {
    revision: string;
    revisions?: string[];
    source?: ApplicationSource;
    sources?: ApplicationSource[];
    resources?: ResourceResult[];
  };
}

export interface RevisionHistory {
  id: number;
  revision?: string;
  revisions?: string[];
  source?: ApplicationSource;
  sources?: ApplicationSource[];
  deployStartedAt?: string;
  deployedAt: string;
  initiatedBy?: { automated?: boolean; username?: string };
}

export interface ApplicationCondition {
  type: string;
  message: string;
  lastTransitionTime?: string;
}

export interface ApplicationStatus {
  sync?: {
    status: string;
    revision?: string;
    revisions?: string[];
    comparedTo?: {
      source?: ApplicationSource;
      sources?: ApplicationSource[];
      destination: ApplicationDestination;
    };
  };
  health?: { status: string; lastTransitionTime?: string };
  operationState?: OperationState;
  resources?: ResourceStatus[];
  summary?: { images?: string[]; externalURLs?: string[] };
  history?: RevisionHistory[];
  conditions?: ApplicationCondition[];
  reconciledAt?: string;
  sourceType?: string;
}

export interface Application extends KubeObject {
  spec?: ApplicationSpec;
  status?: ApplicationStatus;
  operation?: SyncOperation;
}

export interface ApplicationTemplate {
  metadata?: Partial<ObjectMeta>;
  spec?: JsonObject;
}

/** One entry of `generators`; `matrix` and `merge` nest at most twice. */
export interface ApplicationSetGenerator {
  list?: {
    elements?: JsonObject[];
    elementsYaml?: string;
    template?: ApplicationTemplate;
  };
  clusters?: {
    selector?: LabelSelector;
    values?: Record<string, string>;
    flatList?: boolean;
    template?: ApplicationTemplate;
  };
  clusterDecisionResource?: {
    configMapRef: string;
    name?: string;
    labelSelector?: LabelSelector;
    requeueAfterSeconds?: number;
    values?: Record<string, string>;
    template?: ApplicationTemplate;
  };
  matrix?: {
    generators?: ApplicationSetGenerator[];
    template?: ApplicationTemplate;
  };
  merge?: {
    generators?: ApplicationSetGenerator[];
    mergeKeys?: string[];
    template?: ApplicationTemplate;
  };
  git?: JsonObject;
  scmProvider?: JsonObject;
  pullRequest?: JsonObject;
  plugin?: JsonObject;
  selector?: LabelSelector;
}

export interface ApplicationSetCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime?: string;
}

export interface ApplicationSetRolloutStep {
  matchExpressions?: LabelSelectorRequirement[];
  maxUpdate?: number | string;
}

/** The progress of one Application in a rolling sync. */
export interface ApplicationSetApplicationStatus {
  application: string;
  lastTransitionTime?: string;
  message: string;
  /** `Waiting`, `Pending`, `Progressing` or `Healthy`. */
  status: string;
  /** Counted from 1; `-1` for none. */
  step: string;
  targetRevisions?: string[];
}

export interface ApplicationSet extends KubeObject {
  spec?: {
    goTemplate?: boolean;
    goTemplateOptions?: string[];
    generators?: ApplicationSetGenerator[];
    template?: ApplicationTemplate;
    templatePatch?: string;
    strategy?: {
      type?: string;
      rollingSync?: { steps?: ApplicationSetRolloutStep[] };
      deletionOrder?: string;
    };
    syncPolicy?: {
      preserveResourcesOnDeletion?: boolean;
      applicationsSync?: string;
    };
    preservedFields?: { annotations?: string[]; labels?: string[] };
    ignoreApplicationDifferences?: {
      name?: string;
      jsonPointers?: string[];
      jqPathExpressions?: string[];
    }[];
  };
  status?: {
    conditions?: ApplicationSetCondition[];
    applicationStatus?: ApplicationSetApplicationStatus[];
    resources?: ResourceStatus[];
    resourcesCount?: number;
  };
}
