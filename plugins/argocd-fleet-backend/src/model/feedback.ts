import {
  parseHealthStatus,
  parseSyncStatus,
  type Condition,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  errorConditions,
  parsePhase,
  UNREPORTED,
  type ApplicationState,
  type StateSource,
} from './applicationState';
import { parseDigest, type Digest } from './digest';
import { READY_CONDITION, type FeedbackName } from './manifestConfig';
import { applicationManifest } from './workApplication';

type ManifestStatus = NonNullable<
  NonNullable<
    NonNullable<ManifestWork['status']>['resourceStatus']
  >['manifests']
>[number];

/** Reason of a condition whose rule the agent could not evaluate; its message is the error. */
const EXPRESSION_ERROR = 'ConditionRuleExpressionError';

/**
 * Reads what the work agent brought home of a work's Application. Nothing yet is Unknown and Unknown.
 *
 * Health, sync, phase and revision come from the feedback rules, which every OCM has, and from the digest where those are
 * missing; conditions and resources are in the digest only.
 */
export function readFeedback(work: ManifestWork): ApplicationState {
  const manifest = manifestStatus(work);
  const ready = conditionOf(manifest?.conditions, READY_CONDITION);
  const failed = ready?.reason === EXPRESSION_ERROR;
  const digest = failed ? undefined : parseDigest(ready?.message);
  return {
    ...UNREPORTED,
    ...readStatus(manifest, digest),
    ...(digest && readDetails(digest)),
    since: sinceOf(ready, digest),
    statusAt: latest(manifest?.conditions ?? []),
    applied: appliedCondition(work, manifest),
    available: conditionOf(manifest?.conditions, 'Available'),
    ...(failed && { digestError: ready?.message ?? EXPRESSION_ERROR }),
  };
}

/**
 * Generation of the work that the digest was made at; undefined where there is no digest, or from agents that do not tell.
 */
export function reportedGeneration(work: ManifestWork): number | undefined {
  return conditionOf(manifestStatus(work)?.conditions, READY_CONDITION)
    ?.observedGeneration;
}

function readStatus(
  manifest: ManifestStatus | undefined,
  digest: Digest | undefined,
): Partial<ApplicationState> {
  const feedback = feedbackValues(manifest);
  const health = feedback.healthStatus ?? digest?.health;
  const sync = feedback.syncStatus ?? digest?.sync;
  return {
    health: parseHealthStatus(health),
    sync: parseSyncStatus(sync),
    phase: parsePhase(feedback.operationStatePhase ?? digest?.operation?.phase),
    operationStartedAt:
      feedback.operationStateStartedAt ?? digest?.operation?.startedAt,
    revision: feedback.syncRevision ?? digest?.revision,
    revisions: digest?.revisions,
    statusFrom: statusSource(feedback, health ?? sync),
  };
}

function statusSource(
  feedback: Partial<Record<FeedbackName, string>>,
  reported: string | undefined,
): StateSource | undefined {
  if (feedback.healthStatus ?? feedback.syncStatus) {
    return 'feedback';
  }
  return reported === undefined ? undefined : 'digest';
}

function readDetails(digest: Digest): Partial<ApplicationState> {
  return {
    operationMessage: digest.operation?.message,
    operationRetries: digest.operation?.retries,
    conditions: errorConditions(digest.conditions, digest.operation),
    failedResources: digest.failedResources,
    resources: digest.resources,
    resourcesOmitted: digest.resourcesOmitted,
    images: digest.images,
    comparedTo: digest.comparedTo,
    detailsFrom: 'digest',
  };
}

/** The status of the Application's manifest: not necessarily the first, other writers add a Namespace and an AppProject. */
function manifestStatus(work: ManifestWork): ManifestStatus | undefined {
  const payload = applicationManifest(work);
  return work.status?.resourceStatus?.manifests?.find(
    ({ resourceMeta: meta }) =>
      meta?.group === 'argoproj.io' &&
      (meta.kind === 'Application' || meta.resource === 'applications') &&
      (!payload || meta.name === payload.metadata.name),
  );
}

function feedbackValues(
  manifest: ManifestStatus | undefined,
): Partial<Record<FeedbackName, string>> {
  return Object.fromEntries(
    (manifest?.statusFeedback?.values ?? [])
      .filter(({ fieldValue }) => fieldValue.string)
      .map(({ name, fieldValue }) => [name, fieldValue.string]),
  );
}

/** The manifest's condition says why, the work's only that something failed. */
function appliedCondition(
  work: ManifestWork,
  manifest: ManifestStatus | undefined,
): Condition | undefined {
  const own = conditionOf(manifest?.conditions, 'Applied');
  return own?.status === 'False'
    ? own
    : conditionOf(work.status?.conditions, 'Applied');
}

function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find(condition => condition.type === type);
}

/** A condition's own time is that of its last turn, so it is known for certain only since when all is well. */
function sinceOf(
  ready: Condition | undefined,
  digest: Digest | undefined,
): string | undefined {
  return ready?.status === 'True'
    ? ready.lastTransitionTime
    : digest?.healthSince;
}

function latest(conditions: readonly Condition[]): string | undefined {
  return conditions
    .flatMap(({ lastTransitionTime }) => lastTransitionTime ?? [])
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
}
