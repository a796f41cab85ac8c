import type {
  ApplicationSet,
  DeliveryModel,
} from 'backstage-plugin-argocd-fleet-common';
import { mostSevere, severityRank, type Severity } from '../findings/severity';
import type { Sort } from '../table/sorting';
import { BY_NAME, matcherOf } from '../table/textSearch';

export const MODELS: readonly DeliveryModel[] = ['pull', 'push', 'agent'];

/** States to filter by; an ApplicationSet may be in several. */
export const SET_STATES = [
  'failing',
  'progressing',
  'outOfSync',
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
  failing: ({ summary: { health }, findings }) =>
    health.Degraded + health.Missing > 0 ||
    findings.some(({ severity }) => severity === 'error'),
  progressing: ({ summary }) => summary.health.Progressing > 0,
  outOfSync: ({ summary }) => summary.sync.OutOfSync > 0,
  stale: ({ summary }) => summary.stale > 0,
  healthy: ({ summary: { clusters, health, sync } }) =>
    clusters > 0 && health.Healthy === clusters && sync.Synced === clusters,
};

/** One line about what is wrong. */
export interface Problem {
  readonly severity: Exclude<Severity, undefined>;
  readonly text: string;
}

/**
 * The most urgent problem of an ApplicationSet. An error of the set itself comes before those of its clusters, which
 * follow from it; a warning of the set comes after them.
 */
export function worstProblemOf({
  worst,
  findings,
}: ApplicationSet): Problem | undefined {
  const problems: Problem[] = findings.map(({ severity, title }) => ({
    severity,
    text: title,
  }));
  if (worst) {
    const { cluster, message } = worst;
    problems.push({
      severity: 'error',
      text: cluster ? `${cluster}: ${message}` : message,
    });
  }
  const most = mostSevere(problems.map(({ severity }) => severity));
  return problems.find(({ severity }) => severity === most);
}

function searchedTexts(set: ApplicationSet) {
  return [
    ...Object.values(set.ref),
    ...Object.values(set.labels ?? {}),
    ...Object.values(set.annotations ?? {}),
    ...set.sources.flatMap(({ repoURL, path }) => [repoURL, path]),
    worstProblemOf(set)?.text,
  ];
}

export function filterSets(
  sets: readonly ApplicationSet[],
  { text, model, state }: ListFilter,
): ApplicationSet[] {
  const matches = matcherOf(text);
  return sets.filter(
    set =>
      (!model || set.deliveryModel === model) &&
      (!state || IN_STATE[state](set)) &&
      matches(() => searchedTexts(set)),
  );
}

/** Severity of an ApplicationSet, from its findings and the states of its clusters. */
export function setSeverityOf({
  summary: { health, sync, stale },
  findings,
}: ApplicationSet): Severity {
  const failing = health.Degraded + health.Missing;
  const doubtful = health.Unknown + sync.OutOfSync + sync.Unknown + stale;
  const unfinished = health.Progressing + health.Suspended;
  return mostSevere([
    ...findings.map(({ severity }) => severity),
    failing > 0 ? 'error' : undefined,
    doubtful > 0 ? 'warning' : undefined,
    unfinished > 0 ? 'info' : undefined,
  ]);
}

/** Sort keys within a severity, each descending: an error of the set, then numbers of clusters by state. */
function urgencyCountsOf({
  summary: { health, sync, stale },
  findings,
}: ApplicationSet) {
  const broken = findings.some(({ severity }) => severity === 'error');
  return [
    broken ? 1 : 0,
    health.Degraded + health.Missing,
    health.Unknown + sync.Unknown + stale,
    sync.OutOfSync,
    health.Progressing,
  ];
}

function byUrgency(a: ApplicationSet, b: ApplicationSet): number {
  const [left, right] = [urgencyCountsOf(a), urgencyCountsOf(b)];
  return (
    severityRank(setSeverityOf(a)) - severityRank(setSeverityOf(b)) ||
    left
      .map((amount, index) => right[index] - amount)
      .find(difference => difference !== 0) ||
    0
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
