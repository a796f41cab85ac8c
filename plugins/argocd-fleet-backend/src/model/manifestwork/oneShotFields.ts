import { hash } from 'node:crypto';
import {
  OPERATION_ANNOTATION,
  REFRESH_ANNOTATION,
  REFRESH_MARK_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
  type OneShotMark,
} from 'backstage-plugin-argocd-fleet-common';
import {
  readFeedback,
  readReportedStatus,
  type ApplicationState,
} from '../feedback';
import { isRecord, sameJson } from '../json';
import { carriesSpec, desiredSpec } from './comparedSpec';
import {
  oneShotFieldsOf,
  readOneShotMark,
  type OneShotFields,
} from './oneShotFieldsOfWork';

/**
 * After this time, in milliseconds, an operation or a refresh without a reaction of the cluster is dropped from the
 * work: otherwise a cluster that reconnects after days would run an old request.
 */
export const ONE_SHOT_EXPIRY_MS = 10 * 60 * 1000;

/**
 * After this time, in milliseconds, the hub's status is assumed to show the start of an operation, even if nothing
 * writes that status.
 */
const STATUS_DELAY_MS = 60 * 1000;

/**
 * The one-shot fields that the work has to contain: those that the hub Application requests now, else those that the
 * work contains already, until the cluster has acted on them or they have expired. Fields without a mark belong to
 * another controller and are removed with the next change.
 * @param now - milliseconds since the epoch
 * @param defaultNamespace - as configured, `defaultDestinationNamespace`
 */
export function oneShotFields(
  application: ArgoApplication,
  existing: ManifestWork | undefined,
  now: number,
  defaultNamespace = false,
): OneShotFields {
  const present = existing && oneShotFieldsOf(existing);
  const operation = resolve(
    existing && isRepeatedRequest(application, existing, now)
      ? undefined
      : application.operation,
    // An operation is dropped with the spec that it was for: a progressive sync may not have reached the current one
    // on this cluster.
    existing &&
      present?.operation &&
      carriesSpec(
        existing,
        desiredSpec(application, existing, defaultNamespace),
      )
      ? withoutStamp(present.operation)
      : undefined,
    readOneShotMark(existing, OPERATION_ANNOTATION),
    existing ? (readReportedStatus(existing).operationStartedAt ?? '') : '',
    now,
  );
  const requestedRefresh =
    application.metadata.annotations?.[REFRESH_ANNOTATION];
  const refresh = resolve(
    requestedRefresh,
    present?.refresh,
    readOneShotMark(existing, REFRESH_MARK_ANNOTATION),
    // Computed only for a pending refresh, because the fingerprint reads the whole feedback.
    existing && (requestedRefresh ?? present?.refresh) !== undefined
      ? statusFingerprint(existing)
      : '',
    now,
  );
  return {
    operation:
      operation.value &&
      operation.mark &&
      stamped(operation.value, operation.mark),
    refresh: refresh.value,
    marks: {
      ...(operation.mark && {
        [OPERATION_ANNOTATION]: JSON.stringify(operation.mark),
      }),
      // The mark of a finished refresh is not needed any more.
      ...(refresh.value !== undefined && {
        [REFRESH_MARK_ANNOTATION]: JSON.stringify(refresh.mark),
      }),
    },
  };
}

/**
 * When an operation was sent that the cluster never started and that has left the work, as an RFC 3339 time; undefined
 * where there is none.
 * @param startedAt - start of the last operation, as the cluster reports it
 */
export function droppedOperation(
  work: ManifestWork,
  startedAt: string | undefined,
): string | undefined {
  const mark = readOneShotMark(work, OPERATION_ANNOTATION);
  const isDropped =
    mark?.before === (startedAt ?? '') &&
    oneShotFieldsOf(work).operation === undefined;
  return isDropped ? mark.writtenAt : undefined;
}

/**
 * Whether an operation that another controller wrote into the work is still there after the cluster has run one. This
 * plugin's own have a mark, and leave the work.
 * @param state - as the cluster reports it
 */
export function keepsOperation(
  work: ManifestWork,
  {
    phase,
    operationStartedAt,
  }: Pick<ApplicationState, 'phase' | 'operationStartedAt'>,
): boolean {
  return (
    operationStartedAt !== undefined &&
    phase !== 'Running' &&
    phase !== 'Terminating' &&
    oneShotFieldsOf(work).operation !== undefined &&
    readOneShotMark(work, OPERATION_ANNOTATION) === undefined
  );
}

/** The user of operations that a progressive sync requests. */
const PROGRESSIVE_SYNC = 'applicationset-controller';

/** Name of the entry in an operation's `info` that makes each request different. */
const STAMP = 'argocd-fleet';

type Operation = NonNullable<ArgoApplication['operation']>;

/**
 * The agent applies an operation once for each manifest (`OnSpokeChange`): a second one identical to the first would
 * never reach the cluster, and would block every later one.
 */
function stamped(operation: Operation, mark: OneShotMark): Operation {
  const value = [mark.writtenAt, mark.before].filter(Boolean).join(' after ');
  return {
    ...operation,
    info: [...infoOf(operation), { name: STAMP, value }],
  };
}

function withoutStamp(operation: Operation): Operation {
  const { info: _, ...rest } = operation;
  const info = infoOf(operation).filter(
    entry => !isRecord(entry) || entry.name !== STAMP,
  );
  return info.length > 0 ? { ...rest, info } : rest;
}

function infoOf({ info }: Operation): readonly unknown[] {
  return Array.isArray(info) ? info : [];
}

/**
 * Whether the hub repeats a request whose operation has started, because the hub's status does not show that yet. A
 * progressive sync sets the operation at each reconcile until the status shows it. Within one cluster, Argo CD prevents
 * repetitions: it accepts no second operation while one runs. A progressive sync also reads all Applications before it
 * changes one after the other, so it may request an operation that is done meanwhile.
 */
function isRepeatedRequest(
  application: ArgoApplication,
  existing: ManifestWork,
  now: number,
): boolean {
  const mark = readOneShotMark(existing, OPERATION_ANNOTATION);
  const { operationStartedAt, phase } = readReportedStatus(existing);
  if (!mark || !operationStartedAt || operationStartedAt === mark.before) {
    return false;
  }
  const sentAt = Date.parse(mark.writtenAt);
  const hubState = application.status?.operationState;
  const isStartShown = Date.parse(hubState?.startedAt ?? '') >= sentAt;
  return phase === 'Running' || hubState?.phase === 'Running'
    ? now < sentAt + ONE_SHOT_EXPIRY_MS
    : now < sentAt + STATUS_DELAY_MS &&
        (!isStartShown || isOutdatedSyncRequest(application));
}

/** Whether a progressive sync requests a sync that is done: it requests one only for what it takes for out of sync. */
function isOutdatedSyncRequest({
  operation,
  status,
}: ArgoApplication): boolean {
  const by = operation?.initiatedBy;
  return (
    isRecord(by) &&
    by.username === PROGRESSIVE_SYNC &&
    status?.sync?.status === 'Synced' &&
    status.operationState?.phase === 'Succeeded'
  );
}

/** Decides one field: the request, else what the work contains while that is pending, else none. */
function resolve<T>(
  requested: T | undefined,
  present: T | undefined,
  mark: OneShotMark | undefined,
  reported: string,
  now: number,
): { readonly value?: T; readonly mark?: OneShotMark } {
  const isPending =
    present !== undefined &&
    mark !== undefined &&
    (reported === '' || reported === mark.before) &&
    now < Date.parse(mark.writtenAt) + ONE_SHOT_EXPIRY_MS;
  if (requested === undefined) {
    return { value: isPending ? present : undefined, mark };
  }
  return isPending && sameJson(requested, present)
    ? { value: requested, mark }
    : {
        value: requested,
        mark: { writtenAt: wholeSecondFrom(now), before: reported },
      };
}

/** Argo CD compares an operation's start with a time in whole seconds. Rounding up keeps ours from being earlier. */
function wholeSecondFrom(ms: number): string {
  return new Date(Math.ceil(ms / 1000) * 1000)
    .toISOString()
    .replace('.000Z', 'Z');
}

/** Distinguishes one report of a cluster from another; not for security. */
function statusFingerprint(work: ManifestWork): string {
  const { statusAt, since, applied, available, ...reported } =
    readFeedback(work);
  return reported.statusFrom
    ? hash('sha1', JSON.stringify(reported), 'hex').slice(0, 12)
    : '';
}
