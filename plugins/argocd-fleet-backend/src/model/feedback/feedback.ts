import {
  parseHealthStatus,
  parseSyncStatus,
  type Condition,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { observedManifests } from '../delivery';
import {
  errorConditions,
  parsePhase,
  UNREPORTED,
  type ApplicationState,
  type ReportedState,
  type StateSource,
} from './applicationState';
import { parseDigest, type Digest } from './digest';
import { DIGEST_FAMILY } from './digestLines';
import type { ResourceReader } from './digestResources';
import { readErrorFeedback } from './errorFeedback';
import { READY_CONDITION, type FeedbackName } from './feedbackRules';
import { readObserved } from './observedState';
import {
  applicationStatusOf,
  conditionOf,
  isStatusOf,
  storedConditionOf,
  linesOf,
  manifestStatuses,
  type StoredCondition,
  type ManifestStatus,
} from './workStatus';

type Feedback = Readonly<Partial<Record<FeedbackName, string>>>;

/** Reason of a condition whose rule the agent could not evaluate; its message is the error. */
const EXPRESSION_ERROR = 'ConditionRuleExpressionError';
/** What the reasons of all conditions that come of a rule begin with. */
const RULE_REASON = 'ConditionRule';

/**
 * Reads what the work agent brought home of a work's Application. Nothing yet is Unknown and Unknown.
 *
 * Health, sync, phase and revision come from the feedback rules, which every OCM has, and from the digest where those
 * are missing. Everything else is in the digest, or, as far as the first errors go, in further feedback where there is
 * no digest.
 * @param resourcesIn - reads the digest's resources; one with a memory where many works are read
 */
export function readFeedback(
  work: ManifestWork,
  resourcesIn?: ResourceReader,
): ApplicationState {
  const manifest = applicationStatusOf(work);
  const { ready, digest } = readReady(manifest, undefined, resourcesIn);
  const status = readStatus(feedbackValues(manifest), digest);
  return {
    ...UNREPORTED,
    ...status,
    ...(digest
      ? readDetails(digest)
      : readErrorFeedback(name => feedbackOf(manifest, name), status.phase)),
    since: sinceOf(ready, digest),
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

/** Tags of the digest's lines that the hub Application's status is made of. */
const STATUS_LINES = 'sotd';

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
  const { digest } = readReady(manifest, STATUS_LINES);
  return {
    ...readStatus(feedbackValues(manifest), digest),
    comparedTo: digest?.comparedTo,
    applied: appliedCondition(work, manifest),
    detailsFrom: digest && 'digest',
  };
}

/**
 * Tags of the digest's lines that a report's row is made of, and of those needed where feedback says that all is well.
 */
const REPORTED_LINES = 'socfr';
const RESOURCE_LINES = 'fr';

/**
 * The part of {@link readFeedback} that a report's row is made of, without reading the rest of the digest: a report has
 * thousands of works. There are no conditions where the Application is Healthy and Synced.
 */
export function readReportedState(
  work: ManifestWork,
  resourcesIn?: ResourceReader,
): ReportedState {
  const manifest = applicationStatusOf(work);
  const feedback = feedbackValues(manifest);
  const { digest } = readReady(
    manifest,
    isWellAndWhole(feedback) ? RESOURCE_LINES : REPORTED_LINES,
    resourcesIn,
  );
  const status = readStatus(feedback, digest);
  const details: Partial<ApplicationState> = digest
    ? readErrors(digest)
    : readErrorFeedback(name => feedbackOf(manifest, name), status.phase);
  return {
    health: status.health,
    sync: status.sync,
    phase: status.phase,
    operationStartedAt: status.operationStartedAt,
    revision: status.revision,
    conditions: details.conditions ?? UNREPORTED.conditions,
    failedResources: details.failedResources ?? UNREPORTED.failedResources,
    resources: details.resources ?? UNREPORTED.resources,
  };
}

/** Whether feedback says that all is well, and all else that a digest's status and operation would say. */
function isWellAndWhole(feedback: Feedback): boolean {
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

/** The condition with the digest, and the digest where there is one. */
function readReady(
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
 * Start of the last operation, in whole seconds by the cluster's clock; asked at every change, so a digest is read only
 * where it has to be.
 */
export function operationStartOf(work: ManifestWork): string | undefined {
  return (
    feedbackValues(applicationStatusOf(work)).operationStateStartedAt ??
    readReportedStatus(work).operationStartedAt
  );
}

/**
 * Generation of the work that the digest was made at; undefined where there is no digest, or from agents that do not
 * tell.
 */
export function reportedGeneration(work: ManifestWork): number | undefined {
  return conditionOf(applicationStatusOf(work)?.conditions, READY_CONDITION)
    ?.observedGeneration;
}

function readStatus(feedback: Feedback, digest: Digest | undefined) {
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
  feedback: Feedback,
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
    resourcesOmitted: digest.resourcesOmitted,
    images: digest.images,
    externalUrls: digest.externalUrls,
    history: digest.history,
    ...(digest.healthHidden && { healthHidden: true }),
    comparedTo: digest.comparedTo,
    detailsFrom: 'digest',
  };
}

function feedbackValues(manifest: ManifestStatus | undefined): Feedback {
  const values: Record<string, string> = {};
  for (const { name, fieldValue } of manifest?.statusFeedback?.values ?? []) {
    if (fieldValue.string) {
      values[name] = fieldValue.string;
    }
  }
  return values;
}

/**
 * All values of one name, of texts and whole numbers; an agent may be set up to send every match of a path, as JSON.
 */
function feedbackOf(
  manifest: ManifestStatus | undefined,
  name: string,
): readonly (string | number)[] {
  const found = manifest?.statusFeedback?.values?.find(
    value => value.name === name,
  );
  const { string, integer, jsonRaw } = found?.fieldValue ?? {};
  const values: unknown = jsonRaw ? parseJson(jsonRaw) : [string ?? integer];
  return Array.isArray(values)
    ? values.filter(value => ['string', 'number'].includes(typeof value))
    : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What an agent sends is no promise, and one value must not spoil the others.
    return undefined;
  }
}

/**
 * Why there is no digest where there is a condition for it: where only the message's expression fails, the agent writes
 * the error into the message and lets the condition stand. One of another version of ours, or a condition that no rule
 * made, is no error.
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

/** The manifest's condition says why, the work's only that something failed. */
function appliedCondition(
  work: ManifestWork,
  manifest: ManifestStatus | undefined,
): Condition | undefined {
  const own = conditionOf(manifest?.conditions, 'Applied');
  const whole = conditionOf(work.status?.conditions, 'Applied');
  if (own?.status !== 'True' || whole?.status !== 'False') {
    return own?.status === 'False' ? own : whole;
  }
  // What is only observed is no part of the Application, also where the agent does not know its kind.
  return onlyObservedFailed(work)
    ? { ...own, observedGeneration: whole.observedGeneration }
    : whole;
}

function onlyObservedFailed(work: ManifestWork): boolean {
  const observed = observedManifests(work);
  return manifestStatuses(work)
    .filter(
      ({ conditions }) =>
        conditionOf(conditions, 'Applied')?.status === 'False',
    )
    .every(status => observed.some(manifest => isStatusOf(status, manifest)));
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
