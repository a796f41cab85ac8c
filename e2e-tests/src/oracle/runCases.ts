import { isDeepStrictEqual } from 'node:util';

import { HubClient, Json } from '../hub/hubClient';
import { placementDecisionStatus } from '../hub/manifests';
import { LIMIT_MS } from '../polling';
import { Change, OracleCase } from './oracleCase';
import { Outcome, outcomeOf } from './outcome';
import { Snapshots } from './snapshots';

const REFRESH = 'argocd.argoproj.io/application-set-refresh';
// A controller that has changed nothing in so many snapshots is done. They are counted, not timed: on a busy machine, a
// simulated controller is late as well.
const QUIET_SNAPSHOTS = 10;

/** Outcomes by case: one after its start and one after each change, or the error with which it failed. */
export type Outcomes = Record<string, readonly Outcome[] | string>;

/**
 * Runs cases concurrently on a hub with an ApplicationSet controller for the namespace.
 * @param snapshotEveryMs - a tenth of a pause after which the controller is certainly done
 */
export async function runCases(
  hub: HubClient,
  namespace: string,
  cases: readonly OracleCase[],
  snapshotEveryMs: number,
): Promise<Outcomes> {
  const snapshots = new Snapshots(hub, namespace, snapshotEveryMs);
  const names = cases.map(({ name }) => name);
  const outcomes = await Promise.all(
    cases.map(async each => {
      // An Application belongs to the set with the longest name that is a prefix of its own.
      const others = names.filter(
        name => name !== each.name && name.startsWith(`${each.name}-`),
      );
      const isOwn = (application: string) =>
        application.startsWith(`${each.name}-`) &&
        !others.some(name => application.startsWith(`${name}-`));
      return [
        each.name,
        await runCase(hub, snapshots, namespace, each, isOwn).catch(String),
      ];
    }),
  );
  return Object.fromEntries(outcomes);
}

/** A case while it runs. */
interface CaseRun {
  readonly hub: HubClient;
  readonly snapshots: Snapshots;
  readonly namespace: string;
  readonly name: string;
  /** Whether each change sets the refresh annotation, which the controller removes when it reconciles the set. */
  readonly usesRefresh: boolean;
  readonly isOwn: (application: string) => boolean;
}

async function runCase(
  hub: HubClient,
  snapshots: Snapshots,
  namespace: string,
  { name, spec, finalizers, before, then }: OracleCase,
  isOwn: (application: string) => boolean,
): Promise<Outcome[]> {
  // Argo CD 3.2's controller fails on a refresh in a rolling sync: it removes the annotation with a resourceVersion
  // from before its own status writes.
  const usesRefresh = spec.strategy === undefined;
  const run: CaseRun = { hub, snapshots, namespace, name, usesRefresh, isOwn };
  for (const object of before) {
    const metadata = { ...object.metadata, namespace };
    await hub.create({ ...object, metadata });
  }
  await hub.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace, finalizers, ...refreshMetadata(run) },
    spec,
  });
  const outcomes = [await settledOutcome(run)];
  for (const change of then) {
    const { applicationSets } = await snapshots.next();
    const set = applicationSets.find(({ metadata }) => metadata.name === name);
    await makeChange(run, change);
    outcomes.push(await settledOutcome(run, errorOf(set), change.rollout));
  }
  return outcomes;
}

function refreshMetadata({ usesRefresh }: CaseRun): Json {
  return usesRefresh ? { annotations: { [REFRESH]: 'true' } } : {};
}

async function makeChange(
  run: CaseRun,
  { set = {}, applications = {}, decisions = {}, deleteSet }: Change,
): Promise<void> {
  const { hub, namespace, name } = run;
  for (const [suffix, patch] of Object.entries(applications)) {
    await hub.patch('applications', namespace, `${name}-${suffix}`, patch);
  }
  for (const [decision, clusters] of Object.entries(decisions)) {
    await hub.patchStatus(
      'placementdecisions',
      namespace,
      decision,
      placementDecisionStatus(clusters),
    );
  }
  if (deleteSet) {
    await hub.delete('applicationsets', namespace, name);
  } else {
    // A refresh triggers a reconcile even if nothing has changed that the controller watches.
    await hub.patch('applicationsets', namespace, name, {
      ...set,
      metadata: refreshMetadata(run),
    });
  }
}

/** The outcome once the controller has handled the change and then written nothing in {@link QUIET_SNAPSHOTS}. */
async function settledOutcome(
  run: CaseRun,
  errorBefore = '',
  rollout?: Change['rollout'],
): Promise<Outcome> {
  const { name, snapshots, isOwn } = run;
  const deadline = Date.now() + LIMIT_MS;
  let versions = '';
  let unchanged = 0;
  for (;;) {
    const snapshot = await snapshots.next();
    const set = snapshot.applicationSets.find(
      ({ metadata }) => metadata.name === name,
    );
    const applications = snapshot.applications.filter(({ metadata }) =>
      isOwn(metadata.name),
    );
    const current = [set, ...applications]
      .map(each => each?.metadata.resourceVersion)
      .join();
    unchanged = current === versions ? unchanged + 1 : 0;
    versions = current;
    const isQuiet = unchanged >= QUIET_SNAPSHOTS;
    if (
      isQuiet &&
      isHandled(set, errorBefore) &&
      (!rollout || isDeepStrictEqual(rolloutOf(set, name), rollout))
    ) {
      return outcomeOf(set, applications, name);
    }
    if (Date.now() > deadline) {
      throw new Error(
        `${name} did not settle within ${LIMIT_MS / 1000} s: ${
          isQuiet
            ? 'the controller did not handle the change'
            : 'it keeps changing'
        }; its conditions are ${JSON.stringify(set?.status?.conditions)}`,
      );
    }
  }
}

/** Whether the controller has removed the refresh annotation or the set, or reports a new error. */
function isHandled(set: Json | undefined, errorBefore: string): boolean {
  if (set === undefined) {
    return true;
  }
  const isRefreshed = set.metadata.annotations?.[REFRESH] === undefined;
  const error = errorOf(set);
  return (
    !set.metadata.deletionTimestamp &&
    error !== '' &&
    (isRefreshed || (error.startsWith('True') && error !== errorBefore))
  );
}

/** Rollout status of each Application by its name without the prefix `<set>-`. */
function rolloutOf(set: Json | undefined, name: string) {
  return Object.fromEntries(
    (set?.status?.applicationStatus ?? []).map(
      ({ application, status }: Json) => [
        application.slice(name.length + 1),
        status,
      ],
    ),
  );
}

/** The condition `ErrorOccurred` as one text; empty if there is none or a transient one. */
function errorOf(set: Json | undefined): string {
  const error = set?.status?.conditions?.find(
    ({ type, reason }: Json) =>
      type === 'ErrorOccurred' && reason !== 'RefreshApplicationError',
  );
  return error
    ? [error.status, error.lastTransitionTime, error.message].join(' ')
    : '';
}
