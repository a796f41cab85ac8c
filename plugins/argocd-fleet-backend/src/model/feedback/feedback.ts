import {
  parseHealthStatus,
  parseSyncStatus,
  type ApplicationCondition,
  type Condition,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  errorConditions,
  parsePhase,
  UNREPORTED,
  type ApplicationState,
  type ReportedState,
  type StateSource,
} from './applicationState';
import { appliedCondition } from './appliedCondition';
import { parseDigest, type Digest } from './digest';
import { DIGEST_FAMILY } from './digestLines';
import { isEverythingPruned, type ResourceReader } from './digestResources';
import { readErrorFeedback } from './errorFeedback';
import { READY_CONDITION } from './feedbackRules';
import {
  feedbackValues,
  valuesNamed,
  type FeedbackValues,
} from './feedbackValues';
import { readObserved } from './observedState';
import {
  applicationStatusOf,
  conditionOf,
  linesOf,
  storedConditionOf,
  type ManifestStatus,
  type StoredCondition,
} from './workStatus';

/** Reason of a condition whose rule the agent failed to evaluate; its message is the error. */
const EXPRESSION_ERROR = 'ConditionRuleExpressionError';
/** Prefix of the reasons of all conditions of condition rules. */
const RULE_REASON = 'ConditionRule';

/**
 * Reads what the work agent reported about a work's Application; health and sync are Unknown before the first report.
 *
 * Health, sync, phase and revision are feedback values, which every OCM version supports, else values of the digest.
 * All other parts are in the digest. Without a digest, further feedback values contain the first errors.
 * @param resourcesIn - reads the digest's resources; to read many works, pass one with a memory
 */
export function readFeedback(
  work: ManifestWork,
  resourcesIn?: ResourceReader,
): ApplicationState {
  const manifest = applicationStatusOf(work);
  const { ready, digest } = readDigest(manifest, undefined, resourcesIn);
  const status = readStatus(feedbackValues(manifest), digest);
  return {
    ...UNREPORTED,
    ...status,
    ...(digest
      ? readDetails(digest)
      : readErrorFeedback(name => valuesNamed(manifest, name), status.phase)),
    since: sinceOf(ready, digest),
    failingSince:
      ready?.status === 'False' ? ready.lastTransitionTime : undefined,
    statusAt: latest([
      ...(manifest?.conditions ?? []).map(each => each.lastTransitionTime),
      digest?.healthSince,
      status.operationStartedAt,
    ]),
    applied: appliedCondition(work, manifest),
    available: conditionOf(manifest?.conditions, 'Available'),
    ...readObserved(work),
    ...(ready && !digest && { digestError: digestError(ready) }),
  };
}

/** Tags of the digest's lines for the hub Application's status. */
const STATUS_LINES = 'sotdy';

/** The part of an {@link ApplicationState} that the hub Application's status is made of. */
export type ReportedStatus = Pick<
  ApplicationState,
  | 'health'
  | 'sync'
  | 'phase'
  | 'operationStartedAt'
  | 'revision'
  | 'revisions'
  | 'comparedTo'
  | 'hydration'
  | 'applied'
  | 'statusFrom'
  | 'detailsFrom'
>;

/**
 * The part of {@link readFeedback} that the hub Application's status is made of, without reading the rest of the
 * digest.
 */
export function readReportedStatus(work: ManifestWork): ReportedStatus {
  const manifest = applicationStatusOf(work);
  const { digest } = readDigest(manifest, STATUS_LINES);
  return {
    ...readStatus(feedbackValues(manifest), digest),
    comparedTo: digest?.comparedTo,
    hydration: digest?.hydration,
    applied: appliedCondition(work, manifest),
    detailsFrom: digest && 'digest',
  };
}

/**
 * Tags of the digest's lines for a report's row, and of those that are enough if feedback is healthy and complete.
 */
const REPORTED_LINES = 'socfrtdy';
const RESOURCE_LINES = 'frtdy';

/**
 * The part of {@link readFeedback} that a report's row is made of, without reading the rest of the digest: a report has
 * thousands of works. There are no conditions where the Application is Healthy and Synced.
 */
export function readReportedState(
  work: ManifestWork,
  resourcesIn?: ResourceReader,
): ReportedState & ReportedStatus {
  const manifest = applicationStatusOf(work);
  const feedback = feedbackValues(manifest);
  const { digest } = readDigest(
    manifest,
    isHealthyAndComplete(feedback) ? RESOURCE_LINES : REPORTED_LINES,
    resourcesIn,
  );
  const status = readStatus(feedback, digest);
  const details: Partial<ApplicationState> = digest
    ? readErrors(digest)
    : readErrorFeedback(name => valuesNamed(manifest, name), status.phase);
  return {
    health: status.health,
    sync: status.sync,
    phase: status.phase,
    operationStartedAt: status.operationStartedAt,
    revision: status.revision,
    revisions: status.revisions,
    statusFrom: status.statusFrom,
    comparedTo: digest?.comparedTo,
    hydration: digest?.hydration,
    applied: appliedCondition(work, manifest),
    detailsFrom: digest && 'digest',
    conditions: details.conditions ?? UNREPORTED.conditions,
    failedResources: details.failedResources ?? UNREPORTED.failedResources,
    resources: details.resources ?? UNREPORTED.resources,
  };
}

/** What an Application reports that may be about its whole cluster. */
export interface ReportedTrouble {
  /** RFC 3339. Since when it is not ready. */
  readonly since: string | undefined;
  readonly conditions: readonly ApplicationCondition[];
  /** It lists resources, and a sync with pruning would delete each of them. */
  readonly everythingPruned: boolean;
}

/** Reads that of a work; undefined where the Application is Healthy and Synced, or has no digest. */
export function readTrouble(work: ManifestWork): ReportedTrouble | undefined {
  const manifest = applicationStatusOf(work);
  const ready = storedConditionOf(manifest?.conditions, READY_CONDITION);
  if (ready?.status !== 'False') {
    return undefined;
  }
  const { digest } = readDigest(manifest, 'c');
  return (
    digest && {
      since: ready.lastTransitionTime,
      conditions: digest.conditions,
      everythingPruned: isEverythingPruned(linesOf(ready)),
    }
  );
}

/** Whether feedback reports Healthy and Synced, and all values of the digest's status and operation lines. */
function isHealthyAndComplete(feedback: FeedbackValues): boolean {
  return (
    feedback.healthStatus === 'Healthy' &&
    feedback.syncStatus === 'Synced' &&
    Boolean(
      feedback.operationStatePhase &&
      feedback.operationStateStartedAt &&
      feedback.syncRevision,
    )
  );
}

/** The condition `ApplicationReady`, and the digest in its message if there is one. */
function readDigest(
  manifest: ManifestStatus | undefined,
  tags?: string,
  resourcesIn?: ResourceReader,
) {
  const ready = storedConditionOf(manifest?.conditions, READY_CONDITION);
  const digest =
    ready?.reason === EXPRESSION_ERROR
      ? undefined
      : parseDigest(ready && linesOf(ready), tags, resourcesIn);
  return { ready, digest };
}

/**
 * Start of the last operation, in whole seconds of the cluster's clock. It is read at every change of a work, so the
 * digest is parsed only if no feedback value contains it.
 */
export function operationStartOf(work: ManifestWork): string | undefined {
  return (
    feedbackValues(applicationStatusOf(work)).operationStateStartedAt ??
    readReportedStatus(work).operationStartedAt
  );
}

/**
 * Generation of the work for which the digest was made; undefined without a digest, or if the agent does not report it.
 */
export function reportedGeneration(work: ManifestWork): number | undefined {
  return conditionOf(applicationStatusOf(work)?.conditions, READY_CONDITION)
    ?.observedGeneration;
}

function readStatus(feedback: FeedbackValues, digest: Digest | undefined) {
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
  feedback: FeedbackValues,
  reported: string | undefined,
): StateSource | undefined {
  if (feedback.healthStatus ?? feedback.syncStatus) {
    return 'feedback';
  }
  return reported === undefined ? undefined : 'digest';
}

function readErrors(digest: Digest): Partial<ApplicationState> {
  return {
    conditions: errorConditions(digest.conditions, digest.operation),
    failedResources: digest.failedResources,
    resources: digest.resources,
  };
}

function readDetails(digest: Digest): Partial<ApplicationState> {
  return {
    ...readErrors(digest),
    operationMessage: digest.operation?.message,
    operationRetries: digest.operation?.retries,
    operationRevisions: digest.operation?.revisions,
    operationStartedBy: digest.operation?.startedBy,
    operationAutomated: digest.operation?.automated,
    ...(digest.operationInformation.length > 0 && {
      operationInformation: digest.operationInformation,
    }),
    deletion: digest.deletion,
    hydration: digest.hydration,
    resourcesOmitted: digest.resourcesOmitted,
    images: digest.images,
    externalUrls: digest.externalUrls,
    history: digest.history,
    ...(digest.illegalNames > 0 && { illegalNames: digest.illegalNames }),
    ...(digest.healthHidden && { healthHidden: true }),
    comparedTo: digest.comparedTo,
    detailsFrom: 'digest',
  };
}

/**
 * Why the condition contains no digest. If only the message's expression fails, the agent keeps the condition and
 * writes the error into its message. A digest of another version, or a condition that no rule made, is no error.
 */
function digestError(ready: StoredCondition): string | undefined {
  const { reason } = ready;
  const message = linesOf(ready).join('\n');
  const isRule = reason?.startsWith(RULE_REASON);
  return reason === EXPRESSION_ERROR ||
    (isRule && !message.startsWith(DIGEST_FAMILY))
    ? message || reason
    : undefined;
}

/** A condition's time is that of its last transition: while it is true, health and sync are unchanged since then. */
function sinceOf(
  ready: Condition | undefined,
  digest: Digest | undefined,
): string | undefined {
  return ready?.status === 'True'
    ? ready.lastTransitionTime
    : digest?.healthSince;
}

function latest(times: readonly (string | undefined)[]): string | undefined {
  let found: string | undefined;
  let foundAt = -Infinity;
  for (const time of times) {
    const at = Date.parse(time ?? '');
    if (at >= foundAt) {
      found = time;
      foundAt = at;
    }
  }
  return found;
}
