import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { isReadOnlyWork } from '../delivery';
import {
  reportedGeneration,
  type ApplicationState,
  type ReportedStatus,
} from '../feedback';
import {
  carriesSpec,
  desiredSpec,
  fingerprint,
  isComparisonWith,
  isHydrationOf,
  type ComparedSpec,
} from '../manifestwork';
import { readStatusMark } from './statusCondition';

/** A fingerprint that differs where a cluster reported anew about its comparison. */
export function reportFingerprint({
  sync,
  revision,
  revisions,
  operationStartedAt,
}: ReportedStatus): string {
  return fingerprint([sync, revision, revisions, operationStartedAt]);
}

/**
 * Whether what a cluster reported is about the spec that the hub wants now.
 * @param wanted - what the cluster has to have compared with
 */
export function isReportOf(
  wanted: ComparedSpec,
  facts: {
    readonly application: ArgoApplication;
    readonly work: ManifestWork;
    readonly state: ReportedStatus;
    /** Fingerprint of `wanted`. */
    readonly spec: () => string;
  },
): boolean {
  const { application, work, state } = facts;
  const { comparedTo } = state;
  if (!carriesSpec(work, wanted)) {
    return false;
  }
  if (
    (comparedTo && !isComparisonWith(comparedTo, wanted)) ||
    !isHydrationOf(state.hydration, wanted)
  ) {
    return false;
  }
  const processed = isProcessed(work, state);
  if (comparedTo && processed) {
    return true;
  }
  const mark = readStatusMark(application);
  const isMarked = mark !== undefined && mark.spec === facts.spec();
  if (isMarked && !mark.awaitedSince) {
    return true;
  }
  if (!mark && application.status?.sync?.status) {
    // Another controller wrote this status until now, and the work is as desired: there is no sign of a change.
    return true;
  }
  if (isReadOnlyWork(work) && !comparedTo) {
    // A read-only work delivers nothing that a report could be awaited for.
    return true;
  }
  // A digest without comparison means that Argo CD has not compared at all.
  return (
    processed &&
    state.detailsFrom !== 'digest' &&
    (!mark || (isMarked && mark.awaitedSince !== reportFingerprint(state)))
  );
}

/**
 * A state whose report is older than the spec that the hub wants now: out of sync, as on the hub Application, whatever
 * the cluster reported. Any other is returned as it is.
 * @param work - the Application's own; undefined where Argo CD writes the Application's status itself
 * @param defaultDestinationNamespace - as configured
 */
export function withoutOldSync<
  State extends ReportedStatus & Pick<ApplicationState, 'reportedSync'>,
>(
  state: State,
  application: ArgoApplication,
  work: ManifestWork | undefined,
  defaultDestinationNamespace: boolean,
): State {
  if (
    state.statusFrom === undefined ||
    application.metadata.deletionTimestamp ||
    // What cannot be read says nothing about what is wanted.
    application.unreadable ||
    work?.unreadable
  ) {
    return state;
  }
  return isAboutTheSpec(state, application, work, defaultDestinationNamespace)
    ? state
    : { ...state, sync: 'OutOfSync', reportedSync: state.sync };
}

function isAboutTheSpec(
  state: ReportedStatus,
  application: ArgoApplication,
  work: ManifestWork | undefined,
  defaultDestinationNamespace: boolean,
): boolean {
  if (!work) {
    return (
      (!state.comparedTo ||
        isComparisonWith(state.comparedTo, application.spec)) &&
      isHydrationOf(state.hydration, application.spec)
    );
  }
  const wanted = desiredSpec(application, work, defaultDestinationNamespace);
  return isReportOf(wanted, {
    application,
    work,
    state,
    spec: () => fingerprint(wanted),
  });
}

/** Whether the agent has processed the work's current generation; older agents report that of the whole work only. */
function isProcessed(work: ManifestWork, { applied }: ReportedStatus): boolean {
  const { generation } = work.metadata;
  const reported = reportedGeneration(work);
  return reported !== undefined
    ? reported === generation
    : applied?.status === 'True' &&
        (applied.observedGeneration ?? generation) === generation;
}
