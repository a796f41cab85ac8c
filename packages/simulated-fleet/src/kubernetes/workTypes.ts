import { Condition, JsonObject, KubeObject } from './objects';

// OCM's ManifestWork, `work.open-cluster-management.io/v1`: the fields that the fleet reads or writes.

/** Selects manifests; in manifestConfigs, `*` in namespace or name matches any text. */
export interface ResourceIdentifier {
  group?: string;
  resource: string;
  namespace?: string;
  name: string;
}

export interface FeedbackRule {
  type: string;
  jsonPaths?: { name: string; path: string; version?: string }[];
}

export interface ConditionRule {
  type: string;
  condition: string;
  celExpressions?: string[];
  message?: string;
  messageExpression?: string;
}

export interface IgnoreField {
  condition?: string;
  jsonPaths?: string[];
}

export interface UpdateStrategy {
  type: string;
  serverSideApply?: {
    force?: boolean;
    fieldManager?: string;
    ignoreFields?: IgnoreField[];
  };
}

export interface ManifestConfig {
  resourceIdentifier: ResourceIdentifier;
  feedbackRules?: FeedbackRule[];
  feedbackScrapeType?: string;
  conditionRules?: ConditionRule[];
  updateStrategy?: UpdateStrategy;
}

/** Identifies the resource of the manifest number `ordinal`, from 0. */
export interface ResourceMeta {
  ordinal: number;
  group: string;
  version: string;
  kind: string;
  resource: string;
  name: string;
  namespace: string;
}

/** A feedback value; only the field for its type is set. */
export interface FieldValue {
  type: 'Integer' | 'String' | 'Boolean' | 'JsonRaw';
  integer?: number;
  string?: string;
  boolean?: boolean;
  jsonRaw?: string;
}

export interface FeedbackValue {
  name: string;
  fieldValue: FieldValue;
}

export interface ManifestCondition {
  resourceMeta: ResourceMeta;
  conditions: Condition[];
  statusFeedback?: { values?: FeedbackValue[] };
}

export interface DeleteOption {
  propagationPolicy?: string;
  selectivelyOrphans?: { orphaningRules?: ResourceIdentifier[] };
}

export interface ManifestWorkStatus {
  conditions?: Condition[];
  resourceStatus?: { manifests?: ManifestCondition[] };
}

export interface ManifestWork extends KubeObject {
  spec?: {
    workload?: { manifests?: KubeObject[] };
    manifestConfigs?: ManifestConfig[];
    deleteOption?: DeleteOption;
    executor?: JsonObject;
  };
  status?: ManifestWorkStatus;
}
