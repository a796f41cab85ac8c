import type {
  ClusterApplication,
  DeliveryStep,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState, ResourceReader } from '../feedback';
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
  const problem = problemOf({ steps });
  return {
    application: {
      namespace: application.metadata.namespace ?? '',
      name: application.metadata.name,
    },
    cluster,
    deliveryModel: modelOf(input),
    health: state.health,
    sync: state.sync,
    inTrouble:
      steps.some(({ finding }) => finding?.severity === 'error') ||
      // Before the first report, nothing is known to be wrong.
      (state.sync === 'Unknown' && state.statusFrom !== undefined) ||
      state.phase === 'Failed' ||
      state.phase === 'Error' ||
      cluster.stale,
    conditions: [...state.conditions],
    resources: [...state.resources],
    steps,
    ...present({
      manifestWork: work && {
        namespace: work.metadata.namespace ?? '',
        name: work.metadata.name,
      },
      error: firstError(steps, state),
      phase: state.phase,
      operationStartedAt: state.operationStartedAt,
      operationMessage: state.operationMessage,
      operationRetries: state.operationRetries,
      revision: state.revision,
      revisions: filled(state.revisions),
      running: runningOf(state),
      since: (problem?.severity !== 'info' && problem?.since) || state.since,
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

/** What runs: while Argo CD says Synced, what it compared with; else what its last successful sync deployed. */
function runningOf(state: ApplicationState): ClusterApplication['running'] {
  const [last] = state.history;
  const lastRevision = last?.revision ?? last?.revisions?.[0];
  if (state.sync === 'Synced' && state.revision) {
    return {
      revision: state.revision,
      ...(state.revisions?.length && { revisions: [...state.revisions] }),
      ...(lastRevision === state.revision &&
        last.deployedAt && { since: last.deployedAt }),
    };
  }
  return lastRevision !== undefined
    ? {
        revision: lastRevision,
        ...(last.revisions?.length && { revisions: last.revisions }),
        ...(last.deployedAt && { since: last.deployedAt }),
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
 * The error of the failed step, before those of other steps. The evidence says more than the finding's title: it names
 * the object.
 */
function firstError(
  steps: readonly DeliveryStep[],
  state: ApplicationState,
): string | undefined {
  const { finding } =
    steps.find(step => step.state === 'failed') ??
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
