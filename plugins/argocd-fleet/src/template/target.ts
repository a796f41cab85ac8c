import type { PlacementSelection } from 'backstage-plugin-argocd-fleet-common';

/** Name by which a template uses the field: `ui:field`. */
export const TARGET_FIELD = 'ArgocdFleetTargetPicker';

/** The same of the field for an ApplicationSet. */
export const APPLICATION_SET_FIELD = 'ArgocdFleetApplicationSetPicker';

/**
 * Value of the template's form field: which clusters a Placement selects. What is not chosen yet is missing.
 * @public
 */
export interface Target {
  /** Name of the hub, as configured. */
  readonly hub?: string;
  /** Namespace of the Placement on the hub. */
  readonly namespace?: string;
  /** AppProject of the ApplicationSet; missing means `default`. */
  readonly project?: string;
  /** Names of ManagedClusterSets; empty or missing means all that are bound to the namespace. */
  readonly clusterSets?: readonly string[];
  /** Labels that a cluster must have, each as `key=value`. */
  readonly clusterLabels?: readonly string[];
  /** Missing means all that match. */
  readonly numberOfClusters?: number;
  /** On purpose every cluster of the sets that are bound to the namespace, where nothing else is chosen. */
  readonly allClusters?: boolean;
  /** What is selected now, in words; for the review of the form only. */
  readonly selected?: string;
}

/** Whether clusters are chosen in any way: an empty form must not mean the whole fleet. */
export function isChosen(target: Target): boolean {
  return Boolean(target.allClusters) || narrows(target);
}

/** Whether something is chosen that leaves clusters out. */
export function narrows({
  clusterSets = [],
  clusterLabels = [],
  numberOfClusters,
}: Target): boolean {
  return (
    clusterSets.length > 0 ||
    clusterLabels.length > 0 ||
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
  const { hub, namespace, clusterSets, clusterLabels, numberOfClusters } =
    target;
  const labels = (clusterLabels ?? []).map(label => label.split('='));
  if (
    !hub ||
    !namespace ||
    labels.some(([key, value, ...more]) => !key || !value || more.length > 0)
  ) {
    return undefined;
  }
  return {
    hub,
    namespace,
    selection: {
      clusterSets: [...(clusterSets ?? [])],
      matchLabels: Object.fromEntries(labels),
      numberOfClusters,
    },
  };
}
