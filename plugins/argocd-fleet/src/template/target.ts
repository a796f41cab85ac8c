import {
  parseApplicationSetAnnotation,
  type ObjectRef,
  type PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';

/** Name by which a template uses the field: `ui:field`. */
export const TARGET_FIELD = 'ArgocdFleetTargetPicker';

/** The same of the field for an ApplicationSet. */
export const APPLICATION_SET_FIELD = 'ArgocdFleetApplicationSetPicker';

/** The same of the field for the clusters of an ApplicationSet that exists. */
export const PLACEMENT_CHANGE_FIELD = 'ArgocdFleetPlacementChangePicker';

/** Which clusters of a namespace a Placement selects. What is not chosen yet is missing. @public */
export interface ClusterChoice {
  /** Names of ManagedClusterSets; empty or missing means all that are bound to the namespace. */
  readonly clusterSets?: readonly string[];
  /** Labels that a cluster must have, each as `key=value`. */
  readonly clusterLabels?: readonly string[];
  /** Values of claims that a cluster must report, each as `name=value`. */
  readonly clusterClaims?: readonly string[];
  /** Taints that a cluster may have, each as `key` or `key=value`. */
  readonly tolerations?: readonly string[];
  /** Missing means all that match. */
  readonly numberOfClusters?: number;
  /** On purpose every cluster of the sets that are bound to the namespace, where nothing else is chosen. */
  readonly allClusters?: boolean;
  /** What is selected now, or changes, in words; for the review of the form only. */
  readonly selected?: string;
}

/**
 * Value of the form field for where an ApplicationSet runs.
 * @public
 */
export interface PlacementChangeValue extends ClusterChoice {
  /** The ApplicationSet, as `hub:namespace/name`. */
  readonly applicationSet?: string;
}

/**
 * Value of the template's form field: which clusters a Placement selects. What is not chosen yet is missing.
 * @public
 */
export interface Target extends ClusterChoice {
  /** Name of the hub, as configured. */
  readonly hub?: string;
  /** Namespace of the Placement on the hub. */
  readonly namespace?: string;
  /** AppProject of the ApplicationSet; missing means `default`. */
  readonly project?: string;
}

/** Whether clusters are chosen in any way: an empty form must not mean the whole fleet. */
export function isChosen(target: ClusterChoice): boolean {
  return Boolean(target.allClusters) || narrows(target);
}

/** Whether something is chosen that leaves clusters out. */
export function narrows({
  clusterSets = [],
  clusterLabels = [],
  clusterClaims = [],
  numberOfClusters,
}: ClusterChoice): boolean {
  return (
    clusterSets.length > 0 ||
    clusterLabels.length > 0 ||
    clusterClaims.length > 0 ||
    numberOfClusters !== undefined
  );
}

/**
 * What the API previews. Undefined while the hub or the namespace is missing, or where a label is no `key=value`: the
 * template's schema says what is wrong then.
 */
export function selectionOf(target: Target):
  | {
      readonly hub: string;
      readonly namespace: string;
      readonly selection: PlacementSelection;
    }
  | undefined {
  const { hub, namespace, clusterSets, numberOfClusters } = target;
  const { tolerations = [] } = target;
  const matchLabels = pairsOf(target.clusterLabels);
  const matchClaims = pairsOf(target.clusterClaims);
  if (!hub || !namespace || !matchLabels || !matchClaims) {
    return undefined;
  }
  return {
    hub,
    namespace,
    selection: {
      clusterSets: [...(clusterSets ?? [])],
      matchLabels,
      matchClaims,
      tolerations: [...tolerations],
      numberOfClusters,
    },
  };
}

/** Texts of the form `key=value` as an object; undefined where one is none. */
function pairsOf(
  texts: readonly string[] = [],
): Record<string, string> | undefined {
  const pairs = texts.map(text => text.split('='));
  return pairs.some(([key, value, ...more]) => !key || !value || more.length)
    ? undefined
    : Object.fromEntries(pairs);
}

/** The same of an ApplicationSet's own Placement. */
export function changeOf(value: PlacementChangeValue):
  | {
      readonly ref: ObjectRef;
      /** Undefined until clusters are chosen. */
      readonly selection: PlacementSelection | undefined;
    }
  | undefined {
  const [ref, ...others] = parseApplicationSetAnnotation(
    value.applicationSet ?? '',
  ).refs;
  if (!ref?.hub || others.length > 0) {
    return undefined;
  }
  const { hub, namespace, name } = ref;
  return {
    ref: { hub, namespace, name },
    selection: isChosen(value)
      ? selectionOf({ ...value, hub, namespace })?.selection
      : undefined,
  };
}

/** The choice that a Placement has now. */
export function choiceOf({
  clusterSets = [],
  matchLabels = {},
  matchClaims = {},
  tolerations = [],
  numberOfClusters,
}: PlacementSelection): ClusterChoice {
  const texts = (pairs: Readonly<Record<string, string>>) =>
    Object.entries(pairs).map(([key, value]) => `${key}=${value}`);
  const choice: ClusterChoice = {
    clusterSets,
    clusterLabels: texts(matchLabels),
    clusterClaims: texts(matchClaims),
    tolerations,
    ...(numberOfClusters !== undefined && { numberOfClusters }),
  };
  return narrows(choice) ? choice : { ...choice, allClusters: true };
}

/** The value as a form keeps it: its review has a row for each key, also for one without a value. */
export function withoutUndefined<Value extends object>(
  value: Value,
): Partial<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined),
  ) as Partial<Value>;
}
