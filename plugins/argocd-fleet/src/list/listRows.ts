import type {
  ApplicationSet,
  DeliveryModel,
  Severity,
} from 'backstage-plugin-argocd-fleet-common';
import { severityRank } from '../findings/severity';
import { setStateOf } from '../status/SetHeadline';
import type { Sort } from '../table/sorting';
import type { ComponentsOf } from './useLinkedComponents';
import { BY_NAME, labelTexts, matcherOf } from '../table/textSearch';

export const MODELS: readonly DeliveryModel[] = ['pull', 'push', 'agent'];

/** States to filter by; an ApplicationSet may be in several. */
export const SET_STATES = [
  'inTrouble',
  'blocked',
  'paused',
  'running',
  'outOfSync',
  'syncUnknown',
  'stale',
  'healthy',
] as const;
export type SetState = (typeof SET_STATES)[number];

export const LIST_COLUMNS = [
  'worst',
  'name',
  'clusters',
  'lastChange',
] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number];

export interface ListFilter {
  readonly text?: string;
  readonly model?: DeliveryModel;
  readonly state?: SetState;
}

export type ListSort = Sort<ListColumn>;

const IN_STATE: Readonly<Record<SetState, (set: ApplicationSet) => boolean>> = {
  inTrouble: set => isBroken(set) || set.summary.state.inTrouble > 0,
  blocked: ({ summary }) => summary.state.blocked > 0,
  paused: ({ summary }) => summary.state.paused > 0,
  running: ({ summary }) => summary.state.running > 0,
  outOfSync: ({ summary }) => summary.sync.OutOfSync > 0,
  syncUnknown: ({ summary }) => summary.sync.Unknown > 0,
  stale: ({ summary }) => summary.stale > 0,
  healthy: set => setStateOf(set) === 'ok',
};

/** Whether the set itself has an error, whatever the states of its clusters. */
function isBroken({ findings }: ApplicationSet): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** One line about what is wrong. */
export interface Problem {
  readonly severity: Severity;
  readonly text: string;
  readonly code?: string;
  /** RFC 3339 time since when the problem exists, if known. */
  readonly since?: string;
}

/**
 * The most urgent problem of an ApplicationSet. An error of the set itself comes before those of its clusters, which
 * follow from it; a warning of the set comes after them.
 */
export function worstProblemOf({
  worst,
  findings,
}: ApplicationSet): Problem | undefined {
  const problems: Problem[] = findings.map(
    ({ severity, title, code, since }) => ({
      severity,
      text: title,
      code,
      since,
    }),
  );
  if (worst) {
    const { cluster, severity, message, code, since } = worst;
    problems.push({
      severity,
      text: cluster ? `${cluster}: ${message}` : message,
      code,
      since,
    });
  }
  return problems.sort(
    (a, b) => severityRank(a.severity) - severityRank(b.severity),
  )[0];
}

function searchedTexts(set: ApplicationSet, componentsOf: ComponentsOf) {
  const problem = worstProblemOf(set);
  return [
    ...Object.values(set.ref),
    ...labelTexts(set.labels),
    ...Object.values(set.annotations ?? {}),
    ...componentsOf(set).flatMap(({ entityRef, owner }) => [entityRef, owner]),
    ...set.sources.flatMap(({ repoURL, path }) => [repoURL, path]),
    ...set.revisions.flatMap(({ revision, targetRevisions = [] }) => [
      revision,
      ...targetRevisions,
    ]),
    problem?.text,
    problem?.code,
  ];
}

export function filterSets(
  sets: readonly ApplicationSet[],
  { text, model, state }: ListFilter,
  componentsOf: ComponentsOf,
): ApplicationSet[] {
  const matches = matcherOf(text);
  return sets.filter(
    set =>
      (!model || isOfModel(set, model)) &&
      (!state || IN_STATE[state](set)) &&
      matches(() => searchedTexts(set, componentsOf)),
  );
}

/** Whether any of its Applications is of the model. */
function isOfModel(
  { deliveryModel, deliveryModels }: ApplicationSet,
  wanted: DeliveryModel,
): boolean {
  return deliveryModels
    ? deliveryModels.some(({ model }) => model === wanted)
    : deliveryModel === wanted;
}

/** Sort keys, each descending: an error of the set, then clusters in trouble, then what is not as it should be. */
function urgencyOf(set: ApplicationSet) {
  const { state, health, sync } = set.summary;
  return [
    isBroken(set) ? 1 : 0,
    state.inTrouble,
    health.Degraded + health.Missing + health.Unknown + sync.OutOfSync,
    set.findings.some(({ severity }) => severity === 'warning') ? 1 : 0,
    state.blocked,
    state.paused,
    state.running,
  ];
}

function byUrgency(a: ApplicationSet, b: ApplicationSet): number {
  const [left, right] = [urgencyOf(a), urgencyOf(b)];
  return (
    left
      .map((amount, index) => right[index] - amount)
      .find(difference => difference !== 0) ?? 0
  );
}

type Comparison = (a: ApplicationSet, b: ApplicationSet) => number;

const COMPARISONS: Readonly<Record<ListColumn, Comparison>> = {
  worst: byUrgency,
  name: (a, b) => BY_NAME.compare(a.ref.name, b.ref.name),
  // The largest first.
  clusters: (a, b) => b.summary.clusters - a.summary.clusters,
  // The latest change first.
  lastChange: (a, b) =>
    Date.parse(b.lastChange ?? '1970-01-01') -
    Date.parse(a.lastChange ?? '1970-01-01'),
};

export function sortSets(
  sets: readonly ApplicationSet[],
  { column, descending }: ListSort,
): ApplicationSet[] {
  const direction = descending ? -1 : 1;
  return [...sets].sort(
    (a, b) =>
      direction * COMPARISONS[column](a, b) ||
      BY_NAME.compare(a.ref.name, b.ref.name) ||
      BY_NAME.compare(a.ref.namespace, b.ref.namespace) ||
      BY_NAME.compare(a.ref.hub, b.ref.hub),
  );
}
