import {
  OPERATION_ANNOTATION,
  type ArgoApplication,
  type ClusterState,
  type ManifestWork,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { isReadOnlyWork } from '../delivery';
import {
  readReportedStatus,
  reportedGeneration,
  UNREPORTED,
  type ReportedStatus,
} from '../feedback';
import { sameJson, type MergePatch } from '../json';
import {
  carries,
  fingerprint,
  isComparisonWith,
  readOneShotMark,
  specFingerprint,
  wantedSpec,
  type ComparedSpec,
} from '../manifestwork';
import {
  conditionsWith,
  readStatusMark,
  statusMessage,
  type SaysMessage,
  type StatusMark,
} from './statusCondition';

/** What a hub Application's status is to become. */
export interface StatusPlan {
  /** Merge patch of the hub Application; undefined where nothing differs. */
  readonly patch?: MergePatch;
  /** The cluster has not compared with the present spec yet. */
  readonly awaited: boolean;
  /** Argo CD takes the Application for synced, and will not any more once the patch is written. */
  readonly turnsOutOfSync: boolean;
}

type HubStatus = NonNullable<ArgoApplication['status']>;

const NOTHING: StatusPlan = { awaited: false, turnsOutOfSync: false };

/**
 * Works out what a pull-model Application's status on the hub has to become, from what its cluster reported.
 *
 * A status is true only for the spec that it was made for: from the moment the spec changes until the cluster has compared with it,
 * sync is `OutOfSync`, or a progressive sync of Argo CD would take the old green for the new. The condition remembers for which spec
 * that has been shown once, so that what changes the work and not the comparison (labels, an operation that has done its duty) does
 * not turn the Application `OutOfSync` again.
 * @param work - the Application's own; undefined where it has none
 * @param says - compares the message of our condition, where the Application has it in another form
 */
export function applicationStatus(
  application: ArgoApplication,
  work: ManifestWork | undefined,
  cluster: ClusterState,
  says?: SaysMessage,
): StatusPlan {
  const hub = application.status ?? {};
  const state: ReportedStatus = work ? readReportedStatus(work) : UNREPORTED;
  if (!hub.sync?.status && !hub.health?.status && !isWorthTelling(state)) {
    // Argo CD takes no status for not healthy, so it needs no write to be true.
    return NOTHING;
  }
  const wanted = wantedSpec(application);
  const spec = specFingerprint(wanted);
  const report = fingerprint([
    state.sync,
    state.revision,
    state.revisions,
    state.operationStartedAt,
  ]);
  const known = readStatusMark(application);
  const before = known?.spec === spec ? known : undefined;
  const current =
    work !== undefined &&
    isCurrent({ work, state, wanted, hub, spec, known, report });
  const mark: StatusMark = current
    ? { spec }
    : { spec, awaitedSince: before?.awaitedSince ?? report };

  const sync = current ? reportedSync(state.sync, hub) : 'OutOfSync';
  const operation = operationState(state, work, hub);
  const message = statusMessage({ application, work, cluster, mark });
  const conditions = conditionsWith(hub.conditions, message, says);
  const status = {
    ...(hub.health?.status !== state.health && {
      health: { status: state.health },
    }),
    ...syncPatch(sync, state, hub),
    ...(operation !== undefined && { operationState: operation }),
    ...(conditions && { conditions }),
  };
  return {
    ...(Object.keys(status).length > 0 && { patch: { status } }),
    awaited: !current,
    turnsOutOfSync:
      sync === 'OutOfSync' &&
      hub.sync?.status !== undefined &&
      hub.sync.status !== 'OutOfSync',
  };
}

/** A report, or that there cannot be one. */
function isWorthTelling({ statusFrom, applied }: ReportedStatus): boolean {
  return statusFrom !== undefined || applied?.status === 'False';
}

/** Whether the report is about the present spec. */
function isCurrent(facts: {
  readonly work: ManifestWork;
  readonly state: ReportedStatus;
  readonly wanted: ComparedSpec;
  readonly hub: HubStatus;
  readonly spec: string;
  readonly known: StatusMark | undefined;
  readonly report: string;
}): boolean {
  const { work, state, wanted, hub, spec, known, report } = facts;
  const { comparedTo } = state;
  if (!carries(work, wanted)) {
    return false;
  }
  if (comparedTo && !isComparisonWith(comparedTo, wanted)) {
    return false;
  }
  if (known?.spec === spec && !known.awaitedSince) {
    return true;
  }
  if (!known && hub.sync?.status) {
    // Somebody else kept this status until now, and the work is as it has to be: nothing tells of a change.
    return true;
  }
  if (isReadOnlyWork(work) && !comparedTo) {
    // Nothing is delivered that could be waited for.
    return true;
  }
  if (!isReported(work, state)) {
    return false;
  }
  // A digest without comparison means that Argo CD has not compared at all.
  return state.detailsFrom === 'digest'
    ? comparedTo !== undefined
    : known === undefined ||
        (known.spec === spec && known.awaitedSince !== report);
}

/** Whether the agent has dealt with the work as it is now; older agents say so of the whole work only. */
function isReported(work: ManifestWork, { applied }: ReportedStatus) {
  const { generation } = work.metadata;
  const reported = reportedGeneration(work);
  return reported !== undefined
    ? reported === generation
    : applied?.status === 'True' &&
        (applied.observedGeneration ?? generation) === generation;
}

/**
 * Argo CD's progressive sync takes everything but `OutOfSync` for synced, so what was out of sync stays so as long as the cluster
 * cannot tell.
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
 * The change of the last operation; null where the cluster has none any more, undefined where nothing changes.
 *
 * Argo CD compares the start with a time of its own, and clusters have other clocks than the hub: an operation that came from the hub
 * started at the earliest when it was sent, and no operation started before the one that was known already.
 */
function operationState(
  state: ReportedStatus,
  work: ManifestWork | undefined,
  { operationState: known }: HubStatus,
): MergePatch | null | undefined {
  const { phase, operationStartedAt } = state;
  if (state.statusFrom === undefined) {
    return undefined;
  }
  if (!phase) {
    return known ? null : undefined;
  }
  const sent = readOneShotMark(work, OPERATION_ANNOTATION);
  const isOfTheHub =
    operationStartedAt !== undefined && operationStartedAt !== sent?.before;
  const startedAt = latest(
    operationStartedAt,
    isOfTheHub ? sent?.writtenAt : undefined,
    known?.startedAt,
  );
  if (!startedAt) {
    // Argo CD's definition asks for a start, and one that nobody told would be made up.
    return undefined;
  }
  return known?.phase === phase && known.startedAt === startedAt
    ? undefined
    : // Argo CD's definition asks for the operation itself too; one that is there stays.
      { operation: {}, phase, startedAt };
}

/** The latest of several times as Kubernetes writes them; what is no time does not count. */
function latest(...times: readonly (string | undefined)[]): string | undefined {
  const ms = times.map(time => Date.parse(time ?? '')).filter(Number.isFinite);
  return ms.length > 0
    ? new Date(Math.max(...ms)).toISOString().replace(/\.\d+Z$/, 'Z')
    : undefined;
}
