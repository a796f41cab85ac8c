import { LabelSelector } from './clusterTypes';
import { JsonObject, KubeObject, ObjectMeta } from './objects';

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

export interface ApplicationSpec {
  project?: string;
  source?: ApplicationSource;
  sources?: ApplicationSource[];
  destination?: ApplicationDestination;
  syncPolicy?: {
    automated?: { prune?: boolean; selfHeal?: boolean; enabled?: boolean };
    syncOptions?: string[];
    retry?: { limit?: number };
  };
  revisionHistoryLimit?: number;
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
  retry?: { limit?: number };
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

export interface ApplicationSetGenerator {
  clusterDecisionResource?: {
    configMapRef: string;
    name?: string;
    labelSelector?: LabelSelector;
    requeueAfterSeconds?: number;
    values?: Record<string, string>;
    template?: ApplicationTemplate;
  };
  list?: {
    elements?: JsonObject[];
    elementsYaml?: string;
    template?: ApplicationTemplate;
  };
  selector?: LabelSelector;
  [generator: string]: unknown;
}

export interface ApplicationSetCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime?: string;
}

export interface ApplicationSet extends KubeObject {
  spec?: {
    goTemplate?: boolean;
    goTemplateOptions?: string[];
    generators?: ApplicationSetGenerator[];
    template?: ApplicationTemplate;
    templatePatch?: string;
    syncPolicy?: {
      preserveResourcesOnDeletion?: boolean;
      applicationsSync?: string;
    };
    preservedFields?: { annotations?: string[]; labels?: string[] };
  };
  status?: {
    conditions?: ApplicationSetCondition[];
    resources?: ResourceStatus[];
    resourcesCount?: number;
  };
}
