import { jsonEqual } from '../kubernetes/json';
import {
  KubeObject,
  withConditions,
  NewCondition,
} from '../kubernetes/objects';
import {
  ManifestCondition,
  ManifestConfig,
  ManifestWork,
  ManifestWorkStatus,
  ResourceMeta,
} from '../kubernetes/workTypes';
import { evaluateConditionRules, isFromRule } from './conditionRules';
import { configOf, resourceMetaOf } from './manifests';
import { aggregate, readFeedback } from './statusFeedback';
import { aggregateConditions } from './workConditions';

/** The CRD's limit on a condition's message, in characters; beyond it the hub rejects the whole status. */
export const MESSAGE_LIMIT = 32_768;

/** The objects of a work as they are on its cluster: a cluster's store, or what was read from an API server. */
export interface AppliedObjects {
  get(manifest: ResourceMeta): KubeObject | undefined;
}

/** The status of a work from the apply errors and from the current objects of its cluster. */
export function workStatus(
  work: ManifestWork,
  store: AppliedObjects,
  /** Why a manifest could not be applied, by its ordinal. */
  applyErrors: ReadonlyMap<number, string>,
  now: Date,
): ManifestWorkStatus {
  const generation = work.metadata.generation ?? 0;
  const previous = work.status?.resourceStatus?.manifests ?? [];
  const manifests = (work.spec?.workload?.manifests ?? []).map(
    (manifest, ordinal) =>
      manifestCondition({
        meta: resourceMetaOf(manifest, ordinal),
        configs: work.spec?.manifestConfigs ?? [],
        applyError: applyErrors.get(ordinal),
        store,
        previous,
        generation,
        now,
      }),
  );
  const conditions = withConditions(
    work.status?.conditions ?? [],
    aggregateConditions(manifests, generation),
    now,
  ).filter(
    condition =>
      !isFromRule(condition) || condition.observedGeneration === generation,
  );
  return { conditions, resourceStatus: { manifests } };
}

/** The status of a work while the deletion of its resources waits for their finalizers. */
export function deletingStatus(
  { metadata, status }: ManifestWork,
  now: Date,
): ManifestWorkStatus {
  const condition: NewCondition = {
    type: 'Deleting',
    status: 'True',
    reason: 'WorkDeleting',
    message: 'ManifestWork is being deleted',
    observedGeneration: metadata.generation,
  };
  return {
    conditions: withConditions(status?.conditions ?? [], [condition], now),
  };
}

/** The API server's error for the first message that is too long, or undefined. */
export function messageLengthError(
  status: ManifestWorkStatus,
): string | undefined {
  const conditions = [
    ...(status.conditions ?? []),
    ...(status.resourceStatus?.manifests ?? []).flatMap(m => m.conditions),
  ];
  const long = conditions.find(
    ({ message }) => [...message].length > MESSAGE_LIMIT,
  );
  return (
    long &&
    `the message of condition ${long.type} is too long: may not be more than ${MESSAGE_LIMIT} characters`
  );
}

function manifestCondition(options: {
  meta: ResourceMeta;
  configs: readonly ManifestConfig[];
  applyError: string | undefined;
  store: AppliedObjects;
  previous: readonly ManifestCondition[];
  generation: number;
  now: Date;
}): ManifestCondition {
  const { meta, applyError, generation, now } = options;
  const config = configOf(meta, options.configs);
  const before = options.previous.find(({ resourceMeta }) =>
    jsonEqual({ ...resourceMeta, ordinal: 0 }, { ...meta, ordinal: 0 }),
  );
  const object = meta.resource ? options.store.get(meta) : undefined;
  let conditions = withConditions(
    before?.conditions ?? [],
    [
      appliedCondition(applyError, generation),
      availableCondition(meta, object),
    ],
    now,
  );
  if (!object) {
    // As in the real agent, the last feedback and rule results stay.
    return { ...before, resourceMeta: meta, conditions };
  }
  const feedback = readFeedback(object, config.feedbackRules ?? []);
  const values = feedback.values.length > 0 ? feedback.values : undefined;
  if (!jsonEqual(before?.statusFeedback?.values, values)) {
    // As in OCM, the condition's transition time is the time of the last changed value.
    conditions = conditions.filter(
      ({ type }) => type !== 'StatusFeedbackSynced',
    );
  }
  conditions = withConditions(
    conditions,
    [
      feedbackCondition(Boolean(config.feedbackRules?.length), feedback.errors),
      ...evaluateConditionRules(
        object,
        config.conditionRules ?? [],
        generation,
      ),
    ],
    now,
  );
  return {
    resourceMeta: meta,
    conditions: conditions.filter(
      condition =>
        !isFromRule(condition) || condition.observedGeneration === generation,
    ),
    statusFeedback: values ? { values } : {},
  };
}

function appliedCondition(
  error: string | undefined,
  observedGeneration: number,
): NewCondition {
  return {
    type: 'Applied',
    status: error ? 'False' : 'True',
    reason: error ? 'AppliedManifestFailed' : 'AppliedManifestComplete',
    message: error
      ? `Failed to apply manifest: ${error}`
      : 'Apply manifest complete',
    observedGeneration,
  };
}

function availableCondition(
  meta: ResourceMeta,
  object: KubeObject | undefined,
): NewCondition {
  if (!meta.resource) {
    return {
      type: 'Available',
      status: 'Unknown',
      reason: 'IncompleteResourceMeta',
      message: 'Resource meta is incomplete',
    };
  }
  return object
    ? {
        type: 'Available',
        status: 'True',
        reason: 'ResourceAvailable',
        message: 'Resource is available',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'ResourceNotAvailable',
        message: 'Resource is not available',
      };
}

function feedbackCondition(
  hasRules: boolean,
  errors: readonly string[],
): NewCondition {
  const type = 'StatusFeedbackSynced';
  if (!hasRules) {
    return {
      type,
      status: 'True',
      reason: 'NoStatusFeedbackSynced',
      message: '',
    };
  }
  return errors.length === 0
    ? { type, status: 'True', reason: 'StatusFeedbackSynced', message: '' }
    : {
        type,
        status: 'False',
        reason: 'StatusFeedbackSyncFailed',
        message: `Sync status feedback failed with error ${aggregate(errors)}`,
      };
}
