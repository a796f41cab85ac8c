import { isDeepStrictEqual } from 'node:util';

import { Change, Json, OracleCase } from './oracleCase';
import { OracleHub } from './oracleHub';
import { Outcome, outcomeOf } from './outcome';
import { Snapshots } from './snapshots';
import { decisionStatus } from './world';

const ARGO = '/apis/argoproj.io/v1alpha1/namespaces';
const DECISIONS = '/apis/cluster.open-cluster-management.io/v1beta1/namespaces';
const REFRESH = 'argocd.argoproj.io/application-set-refresh';
// A controller that changed nothing for so long has nothing left to do.
const QUIET_MS = 2_000;
const SETTLED_TIMEOUT_MS = 120_000;

/**
 * What came of every case: one outcome at its start, one more after each of
 * its changes; or why there is none.
 */
export type Outcomes = Record<string, readonly Outcome[] | string>;

/** Plays cases side by side on a hub where an ApplicationSet controller runs for the namespace. */
export async function playCases(
  hub: OracleHub,
  namespace: string,
  cases: readonly OracleCase[],
): Promise<Outcomes> {
  const snapshots = new Snapshots(hub, namespace);
  const names = cases.map(({ name }) => name);
  const outcomes = await Promise.all(
    cases.map(async each => {
      // Of several names that an Application's begins with the longest is its set's.
      const others = names.filter(
        name => name !== each.name && name.startsWith(`${each.name}-`),
      );
      const isOwn = (application: string) =>
        application.startsWith(`${each.name}-`) &&
        !others.some(name => application.startsWith(`${name}-`));
      return [
        each.name,
        await playCase(hub, snapshots, namespace, each, isOwn).catch(String),
      ];
    }),
  );
  return Object.fromEntries(outcomes);
}

/** The case as it is being played. */
interface Play {
  readonly hub: OracleHub;
  readonly snapshots: Snapshots;
  readonly namespace: string;
  readonly name: string;
  /** Whether the controller is asked by an annotation to look, and answers by taking it off. */
  readonly refreshes: boolean;
  readonly isOwn: (application: string) => boolean;
}

async function playCase(
  hub: OracleHub,
  snapshots: Snapshots,
  namespace: string,
  { name, spec, finalizers, before, then }: OracleCase,
  isOwn: (application: string) => boolean,
): Promise<Outcome[]> {
  // Argo CD 3.2's controller trips over a refresh in a rolling sync: it takes
  // the annotation off with a version from before its own writes of the status.
  const refreshes = spec.strategy === undefined;
  const play: Play = { hub, snapshots, namespace, name, refreshes, isOwn };
  for (const object of before) {
    const metadata = { ...object.metadata, namespace };
    await hub.create({ ...object, metadata });
  }
  await hub.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace, finalizers, ...refresh(play) },
    spec,
  });
  const outcomes = [await settledOutcome(play)];
  for (const change of then) {
    const { applicationSets } = await snapshots.next();
    const set = applicationSets.find(({ metadata }) => metadata.name === name);
    await makeChange(play, change);
    outcomes.push(await settledOutcome(play, errorOf(set), change.rollout));
  }
  return outcomes;
}

function refresh({ refreshes }: Play): Json {
  return refreshes ? { annotations: { [REFRESH]: 'true' } } : {};
}

async function makeChange(
  play: Play,
  { set = {}, applications = {}, decisions = {}, deleteSet }: Change,
): Promise<void> {
  const { hub, namespace, name } = play;
  const path = `${ARGO}/${namespace}/applicationsets/${name}`;
  for (const [suffix, patch] of Object.entries(applications)) {
    await hub.patch(
      `${ARGO}/${namespace}/applications/${name}-${suffix}`,
      patch,
    );
  }
  for (const [decision, clusters] of Object.entries(decisions)) {
    await hub.patch(
      `${DECISIONS}/${namespace}/placementdecisions/${decision}/status`,
      { status: decisionStatus(clusters) },
    );
  }
  if (deleteSet) {
    await hub.delete(path);
  } else {
    // A refresh is looked at even where nothing changed that the controller watches.
    await hub.patch(path, { ...set, metadata: refresh(play) });
  }
}

/**
 * The outcome once the controller took the refresh, or could not and said so
 * or let the set go, and then left everything as it is for a while.
 */
async function settledOutcome(
  play: Play,
  errorBefore = '',
  rollout?: Change['rollout'],
): Promise<Outcome> {
  const { name, snapshots, isOwn } = play;
  const deadline = Date.now() + SETTLED_TIMEOUT_MS;
  let versions = '';
  let since = Date.now();
  for (;;) {
    const snapshot = await snapshots.next();
    const set = snapshot.applicationSets.find(
      ({ metadata }) => metadata.name === name,
    );
    const applications = snapshot.applications.filter(({ metadata }) =>
      isOwn(metadata.name),
    );
    const seen = [set, ...applications]
      .map(each => each?.metadata.resourceVersion)
      .join();
    if (seen !== versions) {
      versions = seen;
      since = Date.now();
    }
    const isQuiet = Date.now() - since >= QUIET_MS;
    if (
      isQuiet &&
      isAnswered(set, errorBefore) &&
      (!rollout || isDeepStrictEqual(rolloutOf(set, name), rollout))
    ) {
      return outcomeOf(set, applications, name);
    }
    if (Date.now() > deadline) {
      throw new Error(
        `${name} did not settle within ${SETTLED_TIMEOUT_MS / 1000} s: ${
          isQuiet ? 'the controller did not answer' : 'it keeps changing'
        }; its conditions are ${JSON.stringify(set?.status?.conditions)}`,
      );
    }
  }
}

/** Whether the controller took the refresh, let the set go, or says an error that it did not say before. */
function isAnswered(set: Json | undefined, errorBefore: string): boolean {
  if (set === undefined) {
    return true;
  }
  const isTaken = set.metadata.annotations?.[REFRESH] === undefined;
  const error = errorOf(set);
  return (
    !set.metadata.deletionTimestamp &&
    error !== '' &&
    (isTaken || (error.startsWith('True') && error !== errorBefore))
  );
}

/** The status of each Application in the rollout, by what the names have after the set's. */
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

/** The condition for errors as one text; empty where there is none, or one that the controller gets over at once. */
function errorOf(set: Json | undefined): string {
  const error = set?.status?.conditions?.find(
    ({ type, reason }: Json) =>
      type === 'ErrorOccurred' && reason !== 'RefreshApplicationError',
  );
  return error
    ? [error.status, error.lastTransitionTime, error.message].join(' ')
    : '';
}
