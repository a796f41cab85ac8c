import type {
  ArgoApplication,
  ArgoSource,
  ClusterApplication,
  DeliveryStep,
  Finding,
  OverallState,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState, ResourceReader } from '../feedback';
import { wantedSources } from '../manifestwork';
import { shownText } from '../text';
import { explain } from './explain';
import {
  clusterOf,
  modelOf,
  stateOf,
  type FleetApplication,
} from './fleetApplication';

/**
 * A row of the API.
 * @param resourcesIn - reads the resources of a digest; one with a memory where there are many rows
 */
export function clusterApplication(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
): ClusterApplication {
  const { application, work } = input;
  const state = stateOf(input, resourcesIn);
  const cluster = clusterOf(input);
  const steps = explain({ ...input, cluster, state });
  const overall = overallState(application, state, steps, cluster.stale);
  return {
    application: {
      namespace: application.metadata.namespace ?? '',
      name: application.metadata.name,
    },
    cluster,
    deliveryModel: modelOf(input),
    health: state.health,
    sync: state.sync,
    state: overall,
    wanted: wantedTexts(application.spec),
    conditions: [...state.conditions],
    resources: [...state.resources],
    steps,
    ...present({
      manifestWork: work && {
        namespace: work.metadata.namespace ?? '',
        name: work.metadata.name,
      },
      reportedSync: state.reportedSync,
      error: firstError(steps, state),
      phase: state.phase,
      operationStartedAt: state.operationStartedAt,
      operationMessage: state.operationMessage,
      operationRetries: state.operationRetries,
      operationStartedBy: state.operationStartedBy,
      operationAutomated: state.operationAutomated,
      operationInformation: filled(state.operationInformation),
      deletion: state.deletion && {
        ...state.deletion,
        finalizers: [...state.deletion.finalizers],
      },
      hydration: state.hydration,
      rollingSync: input.rollingSync,
      compared: comparedTexts(application.spec, state),
      revision: state.revision,
      revisions: filled(state.revisions),
      running: runningOf(state, cluster.stale),
      since: sinceOf(overall, steps, state),
      statusAt: state.statusAt,
      images: filled(state.images),
      externalUrls: filled(state.externalUrls),
      history: filled(state.history),
      resourceHealthHidden: state.healthHidden,
      rollouts: filled(state.rollouts),
      childApplications: filled(state.childApplications),
      resourcesOmitted: state.resourcesOmitted || undefined,
      sources: sourcesOf(state),
    }),
  };
}

/**
 * Since when it has the overall state that it has: while something is wrong, since that is known to be; while something is
 * awaited, since that step is as it is; once done, since it is healthy.
 */
function sinceOf(
  overall: OverallState,
  steps: ClusterApplication['steps'],
  { since }: ApplicationState,
): string | undefined {
  const problem = problemOf({ steps });
  const current =
    overall === 'ok' ? undefined : steps.find(({ state }) => state !== 'done');
  return (
    (problem?.severity !== 'info' && problem?.since) || current?.at || since
  );
}

/** The finding that says what is wrong: that of the failed step, else the first of the most severe ones. */
export function problemOf({
  steps,
}: Pick<ClusterApplication, 'steps'>): Finding | undefined {
  const found = steps.filter(({ finding }) => finding);
  return (
    found.find(({ state }) => state === 'failed') ??
    found.find(({ finding }) => finding?.severity === 'error') ??
    found.find(({ finding }) => finding?.severity === 'warning') ??
    found[0]
  )?.finding;
}

/**
 * How far an Application is. Whoever waits for a person is not in trouble for that, however severe what is asked; and
 * one that is as the hub wants it is done, whatever else of its ManifestWork is on its way.
 */
function overallState(
  { metadata }: ArgoApplication,
  { sync, health, phase, statusFrom, deletion }: ApplicationState,
  steps: readonly DeliveryStep[],
  stale: boolean,
): OverallState {
  const isInTrouble =
    steps.some(
      ({ state, finding }) =>
        finding?.severity === 'error' && state !== 'paused',
    ) ||
    // Before the first report, nothing is known to be wrong.
    (sync === 'Unknown' && statusFrom !== undefined) ||
    phase === 'Failed' ||
    phase === 'Error' ||
    stale;
  if (isInTrouble) {
    return 'inTrouble';
  }
  const current = steps.find(({ state }) => state !== 'done');
  if (
    sync === 'Synced' &&
    health === 'Healthy' &&
    !metadata.deletionTimestamp &&
    !deletion &&
    // No work delivers what the hub wants next.
    !(current?.id === 'manifestwork' && current.state === 'paused')
  ) {
    return 'ok';
  }
  switch (current?.state) {
    case 'paused':
      return 'paused';
    case 'blocked':
    case 'failed':
      return 'blocked';
    default:
      return 'running';
  }
}

/** What the spec wants of each source, as it is written. */
function wantedTexts(spec: ArgoApplication['spec']): string[] {
  return textsOf(wantedSources(spec));
}

function textsOf(
  sources: readonly Pick<ArgoSource, 'targetRevision'>[],
): string[] {
  return sources.map(({ targetRevision }) =>
    targetRevision ? shownText(targetRevision) : 'HEAD',
  );
}

/** The texts of the sources that Argo CD compared with for this state; undefined where it does not say. */
function comparedTexts(
  spec: ArgoApplication['spec'],
  state: ApplicationState,
): string[] | undefined {
  if ((state.reportedSync ?? state.sync) === 'Unknown') {
    // It could not compare: the revision that it reports is that of the comparison before.
    return undefined;
  }
  if (state.comparedTo) {
    return textsOf(
      // With several sources, Argo CD adds an empty single one.
      state.comparedTo.sources.filter(({ repoURL }) => repoURL),
    );
  }
  return state.statusFrom === undefined || state.reportedSync
    ? undefined
    : wantedTexts(spec);
}

/**
 * What runs: while Argo CD says Synced, what it compared with; else what its last successful sync deployed. Whether a
 * silent cluster still runs that is not known once the hub wants something else.
 */
function runningOf(
  state: ApplicationState,
  stale: boolean,
): ClusterApplication['running'] {
  const [last] = state.history;
  const lastRevision = last?.revision ?? last?.revisions?.[0];
  const notKnown = stale && state.reportedSync && { notKnown: true };
  if ((state.reportedSync ?? state.sync) === 'Synced' && state.revision) {
    return {
      revision: state.revision,
      ...(state.revisions?.length && { revisions: [...state.revisions] }),
      ...(lastRevision === state.revision &&
        last.deployedAt && { since: last.deployedAt }),
      ...notKnown,
    };
  }
  return lastRevision !== undefined
    ? {
        revision: lastRevision,
        ...(last.revisions?.length && { revisions: last.revisions }),
        ...(last.deployedAt && { since: last.deployedAt }),
        ...notKnown,
      }
    : undefined;
}

/** Source of each part of the details; undefined where there are none. */
function sourcesOf(state: ApplicationState): ClusterApplication['sources'] {
  const { detailsFrom, statusAt, sources } = state;
  const own = detailsFrom && {
    from: detailsFrom === 'application' ? 'application' : 'manifestWork',
    // A work's details are current as long as its cluster reports; the only time they have is a condition's last
    // transition.
    ...(statusAt && detailsFrom === 'application' && { observedAt: statusAt }),
  };
  const all = {
    ...(own && { conditions: own, resources: own, images: own }),
    ...sources,
  };
  return Object.keys(all).length > 0 ? all : undefined;
}

/**
 * The error of the step that does not go on by itself, before those of other steps. The evidence says more than the
 * finding's title: it names the object.
 */
function firstError(
  steps: readonly DeliveryStep[],
  state: ApplicationState,
): string | undefined {
  const { finding } =
    steps.find(
      ({ state: step, finding: found }) =>
        step === 'failed' ||
        ((step === 'paused' || step === 'blocked') &&
          found?.severity !== 'info'),
    ) ??
    steps.find(step => step.finding?.severity === 'error') ??
    {};
  const text =
    finding?.evidence ||
    finding?.title ||
    state.conditions.find(({ type }) => type.endsWith('Error'))?.message;
  return text?.replace(/\s+/g, ' ').trim();
}

/** A copy of the list; undefined if it is empty. */
function filled<T>(list: readonly T[] | undefined): T[] | undefined {
  return list && list.length > 0 ? [...list] : undefined;
}

/** Without undefined fields, as in JSON, so that a value equals its copy received over HTTP. */
function present<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined),
  ) as T;
}
