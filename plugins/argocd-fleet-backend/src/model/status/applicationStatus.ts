import {
  OPERATION_ANNOTATION,
  type ArgoApplication,
  type ClusterState,
  type ManifestWork,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import {
  readReportedStatus,
  UNREPORTED,
  type ReportedStatus,
} from '../feedback';
import { sameJson, type MergePatch } from '../json';
import { fingerprint, readOneShotMark, desiredSpec } from '../manifestwork';
import { isReportOf, reportFingerprint } from './currentReport';
import {
  conditionsWith,
  readStatusMark,
  statusMessage,
  type SameMessage,
  type StatusMark,
} from './statusCondition';

/** What a hub Application's status is to become. */
export interface StatusPlan {
  /** Merge patch of the hub Application; undefined where nothing differs. */
  readonly patch?: MergePatch;
  /**
   * Fingerprint of the whole status that is wanted, beside a patch: another one that only
   * undoes the patch does not change it.
   */
  readonly content?: string;
  /** Whether the cluster has yet to compare with the current spec. */
  readonly awaited: boolean;
  /** Whether the patch turns the Application from synced to `OutOfSync`, as Argo CD's progressive sync sees it. */
  readonly turnsOutOfSync: boolean;
}

/** Milliseconds by which a start is later than now where it was rounded up. */
const ROUNDING_MS = 1_000;

type HubStatus = NonNullable<ArgoApplication['status']>;

const NOTHING: StatusPlan = { awaited: false, turnsOutOfSync: false };

/**
 * Plans the status of a pull-model Application on the hub, from what its cluster reported.
 *
 * A status is valid only for the spec that it was made for. From a change of the spec until the cluster has compared
 * with it, sync is `OutOfSync`; otherwise a progressive sync of Argo CD would take the old status for the new one. The
 * condition records for which spec that is done, so that a change of the work that does not affect the comparison
 * (labels, a completed operation) does not turn the Application `OutOfSync` again.
 * @param work - the Application's own; undefined where it has none
 */
export function applicationStatus(
  application: ArgoApplication,
  work: ManifestWork | undefined,
  cluster: ClusterState,
  options: {
    /** Compares the message of our condition, where the Application has it in another form. */
    readonly sameMessage?: SameMessage;
    /** Milliseconds since the epoch: no later start of an operation is written. */
    readonly now?: number;
    /** As configured. */
    readonly defaultDestinationNamespace?: boolean;
  } = {},
): StatusPlan {
  const {
    sameMessage,
    now = Infinity,
    defaultDestinationNamespace = false,
  } = options;
  const hub = application.status ?? {};
  const state: ReportedStatus = work ? readReportedStatus(work) : UNREPORTED;
  if (!hub.sync?.status && !hub.health?.status && !isReportable(state)) {
    // Argo CD treats a missing status as not healthy, so nothing has to be written.
    return NOTHING;
  }
  const wanted = desiredSpec(application, work, defaultDestinationNamespace);
  const spec = fingerprint(wanted);
  const report = reportFingerprint(state);
  const known = readStatusMark(application);
  const before = known?.spec === spec ? known : undefined;
  const current =
    work !== undefined &&
    isReportOf(wanted, { application, work, state, spec: () => spec });
  const mark: StatusMark = current
    ? { spec }
    : { spec, awaitedSince: before?.awaitedSince ?? report };

  const sync = current ? reportedSync(state.sync, hub) : 'OutOfSync';
  const operation = operationState(state, work, hub, now);
  const message = statusMessage({ application, work, cluster, mark });
  const conditions = conditionsWith(hub.conditions, message, sameMessage);
  const status = {
    ...(hub.health?.status !== state.health && {
      health: { status: state.health },
    }),
    ...syncPatch(sync, state, hub),
    ...(operation !== undefined && { operationState: operation }),
    ...(conditions && { conditions }),
  };
  return {
    ...(Object.keys(status).length > 0 && {
      patch: { status },
      content: fingerprint([
        spec,
        current,
        report,
        state.health,
        state.phase,
        cluster.name,
        cluster.staleSince,
      ]),
    }),
    awaited: !current,
    turnsOutOfSync:
      sync === 'OutOfSync' &&
      hub.sync?.status !== undefined &&
      hub.sync.status !== 'OutOfSync',
  };
}

/** Whether there is a report, or an error that prevents one. */
function isReportable({ statusFrom, applied }: ReportedStatus): boolean {
  return statusFrom !== undefined || applied?.status === 'False';
}

/**
 * Argo CD's progressive sync takes everything but `OutOfSync` for synced, so an Application that was out of sync stays
 * so while the cluster reports Unknown.
 */
function reportedSync(reported: SyncStatus, hub: HubStatus): SyncStatus {
  return reported === 'Unknown' && hub.sync?.status === 'OutOfSync'
    ? 'OutOfSync'
    : reported;
}

function syncPatch(
  status: SyncStatus,
  { revision, revisions }: ReportedStatus,
  { sync = {} }: HubStatus,
) {
  const several = revisions !== undefined && revisions.length > 0;
  const patch = {
    ...(sync.status !== status && { status }),
    ...(several &&
      !sameJson(sync.revisions, revisions) && { revisions: [...revisions] }),
    ...(several && sync.revision && { revision: null }),
    ...(!several && revision && sync.revision !== revision && { revision }),
    ...(!several && revision && sync.revisions?.length && { revisions: null }),
  };
  return Object.keys(patch).length > 0 ? { sync: patch } : {};
}

/**
 * The change of the last operation; null if the cluster has none any more, undefined if nothing changes.
 *
 * Argo CD compares the start with its own clock, and the clocks of clusters differ from the hub's: an operation from
 * the hub started no earlier than it was sent, and no operation started before the one that is already known. A start in
 * the future would stay the latest for ever: it counts as now when the phase changes, and else as the known one, so that
 * it is not written again and again.
 */
function operationState(
  state: ReportedStatus,
  work: ManifestWork | undefined,
  { operationState: known }: HubStatus,
  now: number,
): MergePatch | null | undefined {
  const { phase, operationStartedAt } = state;
  if (state.statusFrom === undefined) {
    return undefined;
  }
  if (!phase) {
    return known ? null : undefined;
  }
  const sent = readOneShotMark(work, OPERATION_ANNOTATION);
  const isFromHub =
    operationStartedAt !== undefined && operationStartedAt !== sent?.before;
  const inTime = (time: string | undefined) =>
    Date.parse(time ?? '') > now + ROUNDING_MS ? undefined : time;
  const knownStart = inTime(known?.startedAt);
  const startedAt = latest(
    operationStartedAt === inTime(operationStartedAt)
      ? operationStartedAt
      : (known?.phase === phase && knownStart) || new Date(now).toISOString(),
    isFromHub ? inTime(sent?.writtenAt) : undefined,
    knownStart,
  );
  if (!startedAt) {
    // Argo CD's definition requires a start, and none was reported.
    return undefined;
  }
  return known?.phase === phase && known.startedAt === startedAt
    ? undefined
    : // Argo CD's definition also requires the operation; an existing one stays.
      { operation: {}, phase, startedAt };
}

/** The latest of several times, as Kubernetes writes them; invalid ones are ignored. */
function latest(...times: readonly (string | undefined)[]): string | undefined {
  const ms = times.map(time => Date.parse(time ?? '')).filter(Number.isFinite);
  return ms.length > 0
    ? new Date(Math.max(...ms)).toISOString().replace(/\.\d+Z$/, 'Z')
    : undefined;
}
