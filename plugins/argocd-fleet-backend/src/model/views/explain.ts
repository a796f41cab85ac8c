import type {
  ClusterState,
  DeliveryStep,
  Finding,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import {
  availability,
  isInCluster,
  isReadOnlyWork,
  missingPullLabel,
  owningApplicationSet,
  payloadNamespace,
} from '../delivery';
import type { ApplicationState } from '../feedback';
import {
  applicationFindings,
  removalFindings,
  applyFinding,
  clusterFindings,
  deletionFinding,
  hydrationFinding,
  longWaitFinding,
  presentErrorFinding,
  promotionFinding,
  rejectionFinding,
  retriedOperationFinding,
  shownNames,
  syncFinding,
  unreadableFinding,
  waitingOperationFinding,
  workloadFinding,
} from '../findings';
import { droppedOperation, keepsOperation } from '../manifestwork';
import { removalFinding } from '../removal';
import { heldSync } from './heldSync';
import {
  isReconciledElsewhere,
  modelOf,
  type FleetApplication,
  type FormerWork,
} from './fleetApplication';

/** Input of {@link explain}. */
export interface ExplainInput extends FleetApplication {
  readonly cluster: ClusterState;
  readonly state: ApplicationState;
}

type StepId = DeliveryStep['id'];
type Step = Pick<DeliveryStep, 'state' | 'at' | 'detail' | 'finding'>;

/** What a step is called when it is done or waits, while it is not done yet, and when it failed. */
interface Titles {
  readonly done: string;
  readonly active: string;
  readonly failed: string;
  /** While it is paused or blocked; `failed` by default. */
  readonly held?: string;
}

interface StepDefinition {
  readonly titles: Titles;
  readonly evaluate: (input: ExplainInput) => Step;
}

const STEPS: Record<StepId, StepDefinition> = {
  placement: {
    titles: {
      done: 'Selected by placement',
      active: 'No longer selected by placement',
      failed: 'Not selected by placement',
    },
    evaluate: placementStep,
  },
  application: {
    titles: {
      done: 'Application generated',
      active: 'Application is being deleted',
      failed: 'Application not accepted',
      held: 'Application is being deleted',
    },
    evaluate: applicationStep,
  },
  manifestwork: {
    titles: {
      done: 'ManifestWork created',
      active: 'No ManifestWork yet',
      failed: 'No ManifestWork',
    },
    evaluate: workStep,
  },
  applied: {
    titles: {
      done: 'Applied by the agent',
      active: 'Not applied by the agent yet',
      failed: 'Not applied by the agent',
    },
    evaluate: appliedStep,
  },
  synced: {
    titles: {
      done: 'Synced by Argo CD',
      active: 'Not synced yet',
      failed: 'Not synced',
    },
    evaluate: syncedStep,
  },
  healthy: {
    titles: {
      done: 'Healthy',
      active: 'Not healthy yet',
      failed: 'Not healthy',
      held: 'Paused',
    },
    evaluate: healthyStep,
  },
};

/** In place of `manifestwork` where an Application has left the pull model, and its work is still there. */
const FORMER_WORK: StepDefinition = {
  titles: {
    done: 'Earlier ManifestWork remains',
    active: 'Earlier ManifestWork is being released',
    failed: 'No longer delivered',
  },
  evaluate: formerWorkStep,
};

/**
 * The delivery steps of an Application, from the placement decision to healthy. The first step that is not done says why
 * by its findings, and the steps after it wait; a step that is done may have warnings. While a change is on its way to
 * the cluster, or held, the steps after that keep their errors: what was wrong before is not yet known to be right. ManifestWorks
 * exist in the pull model, and where one remains of it; the first step only where a Placement is involved.
 */
export function explain(input: ExplainInput): DeliveryStep[] {
  const pull = modelOf(input) === 'pull';
  const hasLeft = !pull && formerFinding(input) !== undefined;
  const isPlaced =
    input.decided !== undefined &&
    // One that is being deleted needs no decision, and mostly it is deleted because it has none.
    !input.application.metadata.deletionTimestamp &&
    // No decision is known to be missing for one that has left the pull model, or whose cluster is no managed one.
    (input.decided || !(hasLeft || isElsewhere(input)));
  const ids: readonly StepId[] = [
    ...(isPlaced ? (['placement'] as const) : []),
    'application',
    ...(pull || hasLeft ? (['manifestwork'] as const) : []),
    ...(pull ? (['applied'] as const) : []),
    'synced',
    'healthy',
  ];
  let reached: Step['state'] = 'done';
  return ids.map(id => {
    const { titles, evaluate } =
      id === 'manifestwork' && hasLeft ? FORMER_WORK : STEPS[id];
    const step: Step =
      reached === 'done' ? evaluate(input) : waitingStep(id, input, reached);
    reached = reached === 'done' ? step.state : reached;
    const { state, at, detail, finding } = step;
    return {
      id,
      title: titleIn(titles, state),
      state,
      ...(at && { at }),
      ...(detail && { detail }),
      ...(finding && { finding: { ...finding, ...(at && { since: at }) } }),
    };
  });
}

/** Whether the destination is the hub's own cluster, or a server of which no name is known. */
function isElsewhere(input: ExplainInput): boolean {
  const { application, clusterName } = input;
  const { destination } = application.spec;
  const { name, server } = destination ?? {};
  return (
    modelOf(input) === 'push' &&
    (isInCluster(destination) ||
      (!name && server !== undefined && clusterName === undefined))
  );
}

function titleIn(titles: Titles, state: Step['state']): string {
  switch (state) {
    case 'waiting':
      return titles.done;
    case 'paused':
    case 'blocked':
      return titles.held ?? titles.failed;
    default:
      return titles[state];
  }
}

/** A step after one that is not done. */
function waitingStep(
  id: StepId,
  input: ExplainInput,
  reached: Step['state'],
): Step {
  if (id === 'manifestwork') {
    // The earlier work is there, whatever keeps the new one away.
    return { state: 'waiting', finding: formerFinding(input) };
  }
  // Before a sync has ended, it is no problem that resources are missing. What failed before explains what follows.
  if (reached !== 'failed' && input.state.health !== 'Missing') {
    const { at, finding } = STEPS[id].evaluate(input);
    if (finding?.severity === 'error') {
      return { state: 'waiting', at, finding };
    }
  }
  if (id !== 'healthy' || input.state.health !== 'Healthy') {
    return { state: 'waiting' };
  }
  return {
    state: 'waiting',
    detail: input.cluster.stale
      ? 'what ran was healthy'
      : 'what runs now is healthy',
  };
}

function placementStep({ decided, placement, plan }: ExplainInput): Step {
  const finding = refusal(plan);
  if (finding && isAboutPlacement(finding)) {
    return { state: 'failed', detail: placement, finding };
  }
  if (decided) {
    return { state: 'done', detail: placement };
  }
  if (finding) {
    // The target cluster is not named or does not exist: the next step has the finding.
    return { state: 'done', detail: placement };
  }
  return plan?.kind === 'apply'
    ? { state: 'done', detail: 'not selected, which is not required here' }
    : { state: 'active', detail: 'no longer selected' };
}

function applicationStep(input: ExplainInput): Step {
  const { application, plan, held } = input;
  const { namespace, name, creationTimestamp, deletionTimestamp } =
    application.metadata;
  const detail = `${namespace}/${name}`;
  if (deletionTimestamp) {
    return {
      state: held ? 'paused' : 'active',
      at: deletionTimestamp,
      detail: 'being deleted',
      finding: held ?? endingFinding(input),
    };
  }
  const at = creationTimestamp;
  const finding = unreadableFinding(application) ?? refusal(plan);
  if (finding) {
    return { state: 'failed', at, detail, finding };
  }
  const unlabelled = labelFinding(input);
  const isError = unlabelled?.severity === 'error';
  return {
    state: isError ? 'failed' : 'done',
    at,
    detail,
    finding: unlabelled,
  };
}

/** That its work waits for the cluster's agent. */
function endingFinding({ work, cluster }: ExplainInput): Finding | undefined {
  if (!work?.metadata.deletionTimestamp) {
    return undefined;
  }
  const { namespace, name } = work.metadata;
  return removalFindings.beingDeleted(cluster.name, {
    object: { kind: 'ManifestWork', namespace, name },
  });
}

/** That the Application was meant for the pull model. One that left it has the finding of its earlier work. */
function labelFinding(input: ExplainInput): Finding | undefined {
  const { application } = input;
  const missing =
    modelOf(input) === 'push' && !formerFinding(input)
      ? missingPullLabel(application.metadata)
      : undefined;
  if (!missing) {
    return undefined;
  }
  return missing.skipped
    ? applicationFindings.pullLabelMissing(missing)
    : applicationFindings.deployedByHub(
        missing,
        isInCluster(application.spec.destination)
          ? 'the hub itself'
          : input.cluster.name,
      );
}

function workStep(input: ExplainInput): Step {
  const { work } = input;
  if (!work) {
    return { state: 'active', finding: applicationFindings.notPropagated() };
  }
  const { namespace, name, creationTimestamp: at } = work.metadata;
  const detail = `${namespace}/${name}`;
  const object = { kind: 'ManifestWork', name, namespace };
  const finding = isReadOnlyWork(work)
    ? applicationFindings.readOnlyWork({ object })
    : (formerFinding(input) ?? keptNamespaceFinding(input.plan));
  return { state: 'done', at, detail, finding };
}

function keptNamespaceFinding(
  plan: FleetApplication['plan'],
): Finding | undefined {
  const { code } = applicationFindings.defaultNamespaceKept;
  return plan?.kind === 'apply'
    ? plan.findings?.find(finding => finding.code === code)
    : undefined;
}

/** The Application is delivered otherwise now, or not at all: where nothing reconciles it, the path ends here. */
function formerWorkStep(input: ExplainInput): Step {
  const finding = formerFinding(input);
  const works = input.former?.map(
    ({ work: { metadata } }) => `${metadata.namespace}/${metadata.name}`,
  );
  const detail = works && shownNames(works).join(', ');
  if (isReconciledElsewhere(input)) {
    return { state: 'done', detail, finding };
  }
  const state = input.former?.some(isKept) ? 'paused' : 'active';
  return { state, detail, finding };
}

/** Why a work that does not deliver the Application any more is still there; one that is kept comes first. */
function formerFinding({
  application,
  former = [],
}: ExplainInput): Finding | undefined {
  const owner = owningApplicationSet(application);
  const { namespace, name } = application.metadata;
  const releasedBy = owner
    ? { kind: 'ApplicationSet', ...owner }
    : { kind: 'Application', namespace, name };
  return former
    .toSorted((a, b) => Number(isKept(b)) - Number(isKept(a)))
    .map(({ work, decision }) => removalFinding(work, decision, releasedBy))
    .find(finding => finding !== undefined);
}

function isKept({ decision }: FormerWork): boolean {
  return decision.kind === 'keep';
}

function appliedStep(input: ExplainInput): Step {
  const { cluster, work, state } = input;
  const { applied } = state;
  if (cluster.stale) {
    return silentStep(input);
  }
  if (!applied || !work) {
    return { state: 'active', detail: 'the agent has not fetched it yet' };
  }
  const at = applied.lastTransitionTime;
  if (applied.status !== 'True') {
    const evidence = applied.message ?? applied.reason ?? '';
    const { namespace, name } = work.metadata;
    return {
      state: 'failed',
      at,
      finding: applyFinding(cluster.name, evidence, { namespace, name }),
    };
  }
  const { generation = 0 } = work.metadata;
  if ((applied.observedGeneration ?? generation) < generation) {
    return {
      state: 'active',
      detail: 'the agent has not fetched the last change',
    };
  }
  const { available } = state;
  return available?.status === 'False'
    ? {
        state: 'failed',
        at: available.lastTransitionTime,
        finding: clusterFindings.applicationRemoved(cluster.name, {
          evidence: available.message ?? available.reason,
        }),
      }
    : { state: 'done', at, detail: applied.message };
}

/** The cluster does not report, or reports no more than that it is ill: every later state is the last that was known. */
function silentStep({ cluster, managedCluster }: ExplainInput): Step {
  const evidence = managedCluster && availability(managedCluster)?.message;
  const { name, staleSince } = cluster;
  const findingOf =
    cluster.available === 'False'
      ? clusterFindings.clusterUnhealthy
      : clusterFindings.clusterSilent;
  return {
    state: 'failed',
    at: staleSince,
    finding: findingOf(name, staleSince, evidence ? { evidence } : {}),
  };
}

function syncedStep(input: ExplainInput): Step {
  const { state, cluster, application } = input;
  if (cluster.stale && modelOf(input) === 'agent') {
    // Its status comes from the cluster too, and there is no step of a work that says so.
    return silentStep(input);
  }
  const at = state.operationStartedAt;
  const since = state.failingSince ?? at ?? state.statusAt;
  if (!state.statusFrom) {
    return {
      state: 'active',
      finding: clusterFindings.noFeedback(cluster.name),
    };
  }
  const deleting = deletionFinding(cluster.name, state);
  if (deleting && !application.metadata.deletionTimestamp) {
    // Argo CD does not sync it any more, also where it still says Synced.
    return {
      state: deleting.severity === 'error' ? 'failed' : 'active',
      at: state.deletion?.since ?? since,
      finding: deleting,
    };
  }
  const hydration =
    application.spec.sourceHydrator !== undefined &&
    hydrationFinding(cluster.name, state);
  if (hydration) {
    return {
      state: 'failed',
      at: state.hydration?.startedAt,
      finding: hydration,
    };
  }
  if (state.reportedSync) {
    // What it rejects it does not compare, with this spec or any other.
    const rejected = rejectionFinding(cluster.name, state, input);
    if (rejected) {
      return { state: 'failed', at: since, finding: rejected };
    }
    const object = { kind: 'Application', ...nameOnHub(application) };
    return {
      state: 'active',
      finding: clusterFindings.statusAwaited(cluster.name, { object }),
    };
  }
  const failed = state.phase === 'Failed' || state.phase === 'Error';
  if (state.sync === 'Synced') {
    // In sync, but by another sync or except for a hook: the failure of the last sync is still shown.
    const finding = failed
      ? failedSyncFinding(input)
      : (presentErrorFinding(cluster.name, state, input) ??
        detailsFinding(input) ??
        promotionFinding(cluster.name, state, application.spec) ??
        keptOperationFinding(input));
    return { state: 'done', at, detail: state.revision, finding };
  }
  const finding = failed
    ? failedSyncFinding(input)
    : (retriedFinding(input) ??
      syncFinding(cluster.name, state, input) ??
      waitingOperationFinding(cluster.name, state, reconciledName(input)) ??
      longWait(input) ??
      unknownSyncFinding(input) ??
      droppedFinding(input) ??
      keptOperationFinding(input));
  if (failed || finding?.severity === 'error') {
    return { state: 'failed', at: since, finding };
  }
  const held = heldSync(state, application.spec, {
    cluster: cluster.name,
    onHub: nameOnHub(application),
    application: reconciledName(input),
    project: application.spec.project ?? 'default',
    rollingSync: input.rollingSync,
  });
  if (held) {
    const { state: kind, finding: own } = held;
    return { state: kind, at: since, finding: finding ?? own };
  }
  if (state.phase === 'Running' || state.phase === 'Terminating') {
    return { state: 'active', at, detail: state.operationMessage, finding };
  }
  const detail = rollingSyncDetail(input) ?? 'Argo CD is about to sync';
  return { state: 'active', at, detail, finding };
}

function rollingSyncDetail({ rollingSync }: ExplainInput): string | undefined {
  const { step, steps, status = 'Waiting' } = rollingSync ?? {};
  if (step === undefined) {
    return undefined;
  }
  return status === 'Waiting'
    ? `waits for step ${step} of ${steps} of the rolling sync`
    : `step ${step} of ${steps} of the rolling sync: ${status}`;
}

function healthyStep({ state, cluster }: ExplainInput): Step {
  const at = state.since ?? state.failingSince;
  if (state.health === 'Healthy') {
    return { state: 'done', at: state.since };
  }
  const finding = workloadFinding(cluster.name, state);
  if (finding) {
    if (finding.severity === 'error') {
      return { state: 'failed', at, finding };
    }
    const isPaused = state.health === 'Suspended';
    return { state: isPaused ? 'paused' : 'active', at, finding };
  }
  const detail =
    state.health === 'Progressing'
      ? progress(state)
      : 'Argo CD does not know yet';
  return { state: 'active', at, detail };
}

/** Why the last sync failed, or only that it failed where no reason is reported. */
function failedSyncFinding(input: ExplainInput): Finding {
  const { state, cluster } = input;
  return (
    syncFinding(cluster.name, state, input) ??
    digestFinding(input) ??
    clusterFindings.syncFailed(cluster.name)
  );
}

/** Argo CD could not compare with Git, or details are missing. */
function unknownSyncFinding(input: ExplainInput): Finding | undefined {
  const { state, cluster } = input;
  return state.sync === 'Unknown'
    ? clusterFindings.comparisonFailed(cluster.name)
    : detailsFinding(input);
}

function retriedFinding(input: ExplainInput): Finding | undefined {
  const { cluster, state, application } = input;
  return retriedOperationFinding(
    cluster.name,
    state,
    reconciledName(input),
    application.spec,
  );
}

/** That a requested sync never started: while nothing else runs or failed since. */
function droppedFinding(input: ExplainInput): Finding | undefined {
  const { work, cluster, state } = input;
  const sentAt = work && droppedOperation(work, state.operationStartedAt);
  return sentAt === undefined
    ? undefined
    : clusterFindings.operationDropped(
        cluster.name,
        sentAt,
        reconciledName(input),
      );
}

function longWait(input: ExplainInput): Finding | undefined {
  const { cluster, state, readAt = 0 } = input;
  return longWaitFinding(cluster.name, state, reconciledName(input), readAt);
}

function keptOperationFinding(input: ExplainInput): Finding | undefined {
  const { work, cluster, state, application } = input;
  return work && keepsOperation(work, state)
    ? clusterFindings.operationKept(cluster.name, nameOnHub(application))
    : undefined;
}

function nameOnHub({
  metadata,
}: FleetApplication['application']): Required<NamespacedName> {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

/** Name of the Application where Argo CD reconciles it. */
function reconciledName(input: ExplainInput): Required<NamespacedName> {
  const onHub = nameOnHub(input.application);
  return modelOf(input) === 'pull'
    ? { ...onHub, namespace: payloadNamespace(input.application) }
    : onHub;
}

/** Why details are missing. */
function detailsFinding(input: ExplainInput): Finding | undefined {
  return digestFinding(input) ?? namesFinding(input);
}

function digestFinding({ state, cluster }: ExplainInput): Finding | undefined {
  return state.digestError
    ? clusterFindings.digestFailed(cluster.name, {
        evidence: state.digestError,
      })
    : undefined;
}

function namesFinding({ state, cluster }: ExplainInput): Finding | undefined {
  return state.illegalNames
    ? clusterFindings.illegalNames(cluster.name, state.illegalNames)
    : undefined;
}

function refusal(plan: FleetApplication['plan']): Finding | undefined {
  return plan?.kind === 'refused' ? plan.finding : undefined;
}

function isAboutPlacement({ code }: Finding): boolean {
  const codes: readonly string[] = [
    applicationFindings.notSelected.code,
    applicationFindings.decisionDoesNotCount.code,
    applicationFindings.authorisationUnknown.code,
  ];
  return codes.includes(code);
}

function progress(state: ApplicationState): string | undefined {
  const resource = state.resources.find(
    ({ health }) => health === 'Progressing',
  );
  return (
    resource &&
    [`${resource.kind} ${resource.name}`, resource.message]
      .filter(Boolean)
      .join(': ')
  );
}
