import type {
  ManagedCluster,
  NotSelectedCluster,
  Placement,
  PlacementPreview,
} from 'backstage-plugin-argocd-fleet-common';
import {
  claimsOf,
  clusterSetsOf,
  isMember,
  matchesLabels,
} from './clusterSetMembers';
import { selectionOf } from './placementManifest';
import { boundSetsByNamespace, type PlacementInputs } from './placementOptions';

/** Names that a preview shows. */
const MAX_NAMES = 10;
/** Clusters that a preview says of why they are not selected. */
const MAX_NOT_SELECTED = 20;

/** In this order people want to know of them: the first are those that a small change selects. */
const REASONS: readonly NotSelectedCluster['reason'][] = [
  'taint',
  'claim',
  'label',
  'clusterSet',
  'deleting',
];

/** What a Placement would select now, of the clusters of {@link PlacementInputs}. */
export interface Selectable {
  /** Names of the clusters that match, sorted. */
  readonly names: readonly string[];
  /** How many of them the hub would select. */
  readonly selected: number;
  /** Clusters that would match but have a taint that the Placement does not tolerate. */
  readonly tainted: number;
  /** Names of the cluster sets that they are selected from. */
  readonly clusterSets: readonly string[];
  /** Sets that the Placement names and that are not bound to its namespace. */
  readonly unboundSets: readonly string[];
}

/**
 * The clusters that a Placement would select now. Of its predicates and tolerations it considers what
 * `placementManifest` writes: labels, claims, and taints that are tolerated for any time.
 * @see https://open-cluster-management.io/docs/concepts/content-placement/placement/
 */
export function selectClusters(
  placement: Placement,
  inputs: PlacementInputs,
): Selectable {
  const { namespace = '' } = placement.metadata;
  const { clusterSets: wanted = [], numberOfClusters } = placement.spec ?? {};
  const bound = boundSetsByNamespace(inputs).get(namespace) ?? new Set();
  const eligible = wanted.length > 0 ? wanted : [...bound];
  const clusterSets = eligible.filter(name => bound.has(name)).sort();
  const sets = inputs.clusterSets.filter(({ metadata }) =>
    clusterSets.includes(metadata.name),
  );
  const candidates = inputs.clusters.filter(
    cluster =>
      !cluster.metadata.deletionTimestamp &&
      sets.some(set => isMember(cluster, set)) &&
      matchesPredicates(cluster, placement),
  );
  const names = candidates
    .filter(cluster => isTolerated(cluster, placement))
    .map(({ metadata }) => metadata.name)
    .sort();
  return {
    names,
    selected: Math.min(names.length, numberOfClusters ?? names.length),
    tainted: candidates.length - names.length,
    clusterSets,
    unboundSets: wanted.filter(name => !bound.has(name)).sort(),
  };
}

/** The same, as a form shows it. */
export function previewPlacement(
  placement: Placement,
  inputs: PlacementInputs,
): PlacementPreview {
  const { names, ...rest } = selectClusters(placement, inputs);
  const matching = new Set(names);
  const others = inputs.clusters.filter(
    ({ metadata }) => !matching.has(metadata.name),
  );
  return {
    ...rest,
    clusterSets: [...rest.clusterSets],
    unboundSets: [...rest.unboundSets],
    clusters: names.slice(0, MAX_NAMES),
    longestName: names.reduce((most, { length }) => Math.max(most, length), 0),
    matching: names.length,
    notSelected: others
      .map(cluster => whyNot(cluster, placement, rest.clusterSets, inputs))
      .sort(
        (a, b) =>
          REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason) ||
          (a.cluster < b.cluster ? -1 : 1),
      )
      .slice(0, MAX_NOT_SELECTED),
    notSelectedCount: others.length,
  };
}

/** Why a cluster does not match: the reason that would remain last. */
function whyNot(
  cluster: ManagedCluster,
  placement: Placement,
  clusterSets: readonly string[],
  inputs: PlacementInputs,
): NotSelectedCluster {
  const { name, labels = {}, deletionTimestamp } = cluster.metadata;
  if (deletionTimestamp) {
    return { cluster: name, reason: 'deleting' };
  }
  const memberOf = clusterSetsOf(cluster, inputs.clusterSets);
  if (!memberOf.some(set => clusterSets.includes(set))) {
    return {
      ...{ cluster: name, reason: 'clusterSet' },
      ...(memberOf.length > 0 && { actual: memberOf.sort().join(', ') }),
    };
  }
  const { matchLabels = {}, matchClaims = {} } = selectionOf(placement);
  const claims = claimsOf(cluster);
  const missed =
    missing('label', matchLabels, labels) ??
    missing('claim', matchClaims, claims);
  if (missed) {
    return { cluster: name, ...missed };
  }
  const taint = cluster.spec?.taints?.find(
    each => !isToleratedTaint(each, placement),
  );
  return {
    ...{ cluster: name, reason: 'taint' },
    ...(taint && { actual: taint.key }),
  };
}

/** The first value that is wanted and that a cluster does not have. */
function missing(
  reason: 'label' | 'claim',
  wanted: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
): Omit<NotSelectedCluster, 'cluster'> | undefined {
  const missed = Object.entries(wanted).find(
    ([key, value]) => actual[key] !== value,
  );
  if (!missed) {
    return undefined;
  }
  const [key, value] = missed;
  return {
    ...{ reason, wanted: `${key}=${value}` },
    ...(actual[key] !== undefined && { actual: actual[key] }),
  };
}

function matchesPredicates(
  cluster: ManagedCluster,
  { spec: { predicates = [] } = {} }: Placement,
): boolean {
  const { labels = {} } = cluster.metadata;
  const claims = claimsOf(cluster);
  return (
    predicates.length === 0 ||
    predicates.some(
      ({ requiredClusterSelector: { labelSelector, claimSelector } = {} }) =>
        matchesLabels(labels, labelSelector ?? {}) &&
        matchesLabels(claims, claimSelector ?? {}),
    )
  );
}

function isTolerated(
  { spec: { taints = [] } = {} }: ManagedCluster,
  placement: Placement,
): boolean {
  return taints.every(taint => isToleratedTaint(taint, placement));
}

function isToleratedTaint(
  taint: NonNullable<NonNullable<ManagedCluster['spec']>['taints']>[number],
  { spec: { tolerations = [] } = {} }: Placement,
): boolean {
  return (
    // This effect only ranks clusters.
    taint.effect === 'PreferNoSelect' ||
    tolerations.some(
      ({ key, operator, value = '', effect }) =>
        (!key || key === taint.key) &&
        (!effect || effect === taint.effect) &&
        (operator === 'Exists' || value === (taint.value ?? '')),
    )
  );
}
