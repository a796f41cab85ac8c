import type {
  ApplicationSet,
  DeliveryModel,
} from 'backstage-plugin-argocd-fleet-common';

export const MODELS: readonly DeliveryModel[] = ['pull', 'push', 'agent'];

/** States that a set can be looked for by; a set may be in several. */
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

export interface ListSort {
  readonly column: ListColumn;
  readonly descending: boolean;
}

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

/** First error of a set: of its clusters, or of the set itself. */
export function worstMessageOf(set: ApplicationSet): string | undefined {
  return set.worst
    ? `${set.worst.cluster}: ${set.worst.message}`
    : set.findings[0]?.title;
}

export function filterSets(
  sets: readonly ApplicationSet[],
  { text = '', model, state }: ListFilter,
): ApplicationSet[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return sets.filter(set => {
    const searched = [
      ...Object.values(set.ref),
      ...Object.values(set.labels ?? {}),
      ...Object.values(set.annotations ?? {}),
      ...set.sources.flatMap(({ repoURL, path }) => [repoURL, path]),
      worstMessageOf(set),
    ]
      .join(' ')
      .toLocaleLowerCase();
    return (
      (!model || set.deliveryModel === model) &&
      (!state || IN_STATE[state](set)) &&
      words.every(word => searched.includes(word))
    );
  });
}

/** How much of a set is in trouble: failing clusters first, then what is on its way. */
function urgencyOf({ summary: { health, sync }, findings }: ApplicationSet) {
  return (
    (health.Degraded + health.Missing) * 1_000_000 +
    findings.length * 1_000 +
    health.Unknown +
    sync.OutOfSync +
    health.Progressing
  );
}

const BY_NAME = new Intl.Collator(undefined, { numeric: true });

type Comparison = (a: ApplicationSet, b: ApplicationSet) => number;

const COMPARISONS: Readonly<Record<ListColumn, Comparison>> = {
  worst: (a, b) => urgencyOf(b) - urgencyOf(a),
  name: (a, b) => BY_NAME.compare(a.ref.name, b.ref.name),
  clusters: (a, b) => a.summary.clusters - b.summary.clusters,
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
