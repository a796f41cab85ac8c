import { Condition, JsonObject, KubeObject } from './objects';

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

export interface ResourceMeta {
  ordinal: number;
  group: string;
  version: string;
  kind: string;
  resource: string;
  name: string;
  namespace: string;
}

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
