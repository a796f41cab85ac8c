import { createHash } from 'node:crypto';
import {
  OPERATION_ANNOTATION,
  REFRESH_ANNOTATION,
  REFRESH_MARK_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
  type OneShotMark,
} from 'backstage-plugin-argocd-fleet-common';
import { z } from 'zod';
import { applicationManifest } from '../delivery';
import { readFeedback, readReportedStatus } from '../feedback';
import { isRecord, sameJson, type MergePatch } from '../json';
import { carries, wantedSpec } from './comparedSpec';

/**
 * After so many milliseconds an operation or a refresh is dropped from a work that nobody was seen to act on: kept for ever, the
 * agent of a cluster that comes back would run what somebody asked for days ago.
 */
export const ONE_SHOT_EXPIRY_MS = 10 * 60 * 1000;

/** After so many milliseconds the hub counts as told that its operation began, also where nobody writes the status. */
const TOLD_WITHIN_MS = 60 * 1000;

/** What of an Application travels to its cluster once, and with which marks the work notes it. */
export interface OneShotFields {
  readonly operation?: ArgoApplication['operation'];
  readonly refresh?: string;
  readonly marks: Readonly<Record<string, string>>;
}

/** Annotations of a work that are {@link OneShotFields.marks}. */
export const MARK_ANNOTATIONS = [OPERATION_ANNOTATION, REFRESH_MARK_ANNOTATION];

const markSchema = z.object({
  writtenAt: z.iso.datetime(),
  before: z.string(),
});

/**
 * What the work is to carry: what the hub Application asks for now, else what the work carries already, until the cluster has
 * acted on it or it has expired. What stands in a work without a mark of ours is another controller's, and goes with the next change.
 * @param now - milliseconds since the epoch
 */
export function oneShotFields(
  application: ArgoApplication,
  existing: ManifestWork | undefined,
  now: number,
): OneShotFields {
  const carried = existing && carriedBy(existing);
  const operation = journey(
    existing && isRepetition(application, existing, now)
      ? undefined
      : application.operation,
    // It was to bring about a spec that is wanted no more, and a progressive sync may not have come to the present one here.
    existing && carried?.operation && carries(existing, wantedSpec(application))
      ? withoutStamp(carried.operation)
      : undefined,
    readOneShotMark(existing, OPERATION_ANNOTATION),
    existing ? (readReportedStatus(existing).operationStartedAt ?? '') : '',
    now,
  );
  const refreshAsked = application.metadata.annotations?.[REFRESH_ANNOTATION];
  const refresh = journey(
    refreshAsked,
    carried?.refresh,
    readOneShotMark(existing, REFRESH_MARK_ANNOTATION),
    // Only where a refresh is under way: the fingerprint reads the whole feedback.
    existing && (refreshAsked ?? carried?.refresh) !== undefined
      ? statusFingerprint(existing)
      : '',
    now,
  );
  return {
    operation:
      operation.asked &&
      operation.mark &&
      stamped(operation.asked, operation.mark),
    refresh: refresh.asked,
    marks: {
      ...(operation.mark && {
        [OPERATION_ANNOTATION]: JSON.stringify(operation.mark),
      }),
      // Nobody asks when a refresh was, once it is over.
      ...(refresh.asked !== undefined && {
        [REFRESH_MARK_ANNOTATION]: JSON.stringify(refresh.mark),
      }),
    },
  };
}

/** The user as whom a progressive sync asks. */
const PROGRESSIVE_SYNC = 'applicationset-controller';

/** Name of the entry of an operation's `info` that tells one journey from another. */
const STAMP = 'argocd-fleet';

type Operation = NonNullable<ArgoApplication['operation']>;

/**
 * The agent applies an operation once for each manifest (`OnSpokeChange`), so a second one that is word for word the first would never
 * reach the cluster, and stand in the way of every later one.
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
 * Whether the hub asks for what it was not told yet to have begun. A progressive sync sets the operation anew each time it looks, until
 * the status shows it; on one cluster Argo CD has the Application itself for that, and takes no second operation while one runs.
 * It looks at all Applications, then changes one after the other, so that it may ask for what has been done meanwhile.
 */
function isRepetition(
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
  const known = application.status?.operationState;
  const told = Date.parse(known?.startedAt ?? '') >= sentAt;
  return phase === 'Running' || known?.phase === 'Running'
    ? now < sentAt + ONE_SHOT_EXPIRY_MS
    : now < sentAt + TOLD_WITHIN_MS && (!told || isAskedTooLate(application));
}

/** A progressive sync asks for nothing but what it takes for out of sync. */
function isAskedTooLate({ operation, status }: ArgoApplication): boolean {
  const by = operation?.initiatedBy;
  return (
    isRecord(by) &&
    by.username === PROGRESSIVE_SYNC &&
    status?.sync?.status === 'Synced' &&
    status.operationState?.phase === 'Succeeded'
  );
}

function journey<T>(
  asked: T | undefined,
  carried: T | undefined,
  mark: OneShotMark | undefined,
  reported: string,
  now: number,
): { readonly asked?: T; readonly mark?: OneShotMark } {
  const underway =
    carried !== undefined &&
    mark !== undefined &&
    (reported === '' || reported === mark.before) &&
    now < Date.parse(mark.writtenAt) + ONE_SHOT_EXPIRY_MS;
  if (asked === undefined) {
    return { asked: underway ? carried : undefined, mark };
  }
  return underway && sameJson(asked, carried)
    ? { asked, mark }
    : { asked, mark: { writtenAt: wholeSecondFrom(now), before: reported } };
}

/** Whether the work carries what, as time passes, it has to drop. */
export function hasOneShotFields(work: ManifestWork): boolean {
  const { operation, refresh } = carriedBy(work);
  return operation !== undefined || refresh !== undefined;
}

/** The operation and the refresh that the work's Application has. */
export function carriedBy(
  work: ManifestWork,
): Pick<OneShotFields, 'operation' | 'refresh'> {
  const payload = applicationManifest(work) as ArgoApplication | undefined;
  return {
    operation: payload?.operation,
    refresh: payload?.metadata.annotations?.[REFRESH_ANNOTATION],
  };
}

/** The work's note of a journey; undefined where it has none that we could have written. */
export function readOneShotMark(
  work: ManifestWork | undefined,
  annotation: string,
): OneShotMark | undefined {
  const text = work?.metadata.annotations?.[annotation];
  if (text === undefined) {
    return undefined;
  }
  try {
    return markSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Annotations are in anybody's hands; without a mark the journey counts as not begun.
    return undefined;
  }
}

/** Adds to an Application what travels with it. */
export function withOneShotFields(
  payload: ArgoApplication,
  { operation, refresh }: Pick<OneShotFields, 'operation' | 'refresh'>,
): ArgoApplication {
  return {
    ...payload,
    ...(operation !== undefined && { operation }),
    ...(refresh !== undefined && {
      metadata: {
        ...payload.metadata,
        annotations: {
          ...payload.metadata.annotations,
          [REFRESH_ANNOTATION]: refresh,
        },
      },
    }),
  };
}

/** What takes off the hub Application what its work has taken over; undefined where there is nothing. */
export function oneShotFieldsRemoved(
  application: ArgoApplication,
): MergePatch | undefined {
  const refresh = application.metadata.annotations?.[REFRESH_ANNOTATION];
  if (application.operation === undefined && refresh === undefined) {
    return undefined;
  }
  return {
    ...(application.operation !== undefined && { operation: null }),
    ...(refresh !== undefined && {
      metadata: { annotations: { [REFRESH_ANNOTATION]: null } },
    }),
  };
}

/** Argo CD compares the start of an operation with a time of its own that has whole seconds: ours must not seem earlier. */
function wholeSecondFrom(ms: number): string {
  return new Date(Math.ceil(ms / 1000) * 1000)
    .toISOString()
    .replace('.000Z', 'Z');
}

/** Tells one report of a cluster from another; no secret. */
function statusFingerprint(work: ManifestWork): string {
  const { statusAt, since, applied, available, ...reported } =
    readFeedback(work);
  return reported.statusFrom
    ? createHash('sha1')
        .update(JSON.stringify(reported))
        .digest('hex')
        .slice(0, 12)
    : '';
}
