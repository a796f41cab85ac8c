import { InputError } from '@backstage/errors';
import type { PlacementSelection } from 'backstage-plugin-argocd-fleet-common';
import type { z as zod } from 'zod/v3';
import { readPairs, type PairsInput } from './pairs';

type Z = typeof zod;

/** Inputs of the actions that say which clusters a Placement selects. */
export const SELECTION_INPUT = {
  clusterSets: (z: Z) =>
    z
      .array(z.string().min(1))
      .optional()
      .describe(
        'ManagedClusterSets to select from, each bound to the namespace; by default all that are bound',
      ),
  matchLabels: (z: Z) =>
    z
      .union([z.record(z.string()), z.array(z.string().min(1))])
      .optional()
      .describe(
        'Labels that a cluster must have: an object, or a list of key=value',
      ),
  matchClaims: (z: Z) =>
    z
      .union([z.record(z.string()), z.array(z.string().min(1))])
      .optional()
      .describe(
        'Claims that a cluster must report: an object, or a list of name=value',
      ),
  tolerations: (z: Z) =>
    z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Taints that a selected cluster may have, each as key, for any value, or key=value',
      ),
  numberOfClusters: (z: Z) =>
    z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Select this many clusters; by default all that match'),
  allClusters: (z: Z) =>
    z
      .boolean()
      .optional()
      .describe(
        'Must be true to select every cluster of all sets that are bound to the namespace, which is what no cluster sets, no labels and no number mean',
      ),
};

/** Values of {@link SELECTION_INPUT}. */
interface SelectionInput {
  readonly clusterSets?: readonly string[];
  readonly matchLabels?: PairsInput;
  readonly matchClaims?: PairsInput;
  readonly tolerations?: readonly string[];
  readonly numberOfClusters?: number;
  readonly allClusters?: boolean;
}

/**
 * The selection that an action was given.
 * @param placement - for messages
 * @throws InputError where it says nothing, and not that all clusters are meant
 */
export function readSelection(
  input: SelectionInput,
  placement: string,
): PlacementSelection {
  const { clusterSets = [], numberOfClusters, tolerations = [] } = input;
  const matchLabels = readPairs('matchLabels', input.matchLabels);
  const matchClaims = readPairs('matchClaims', input.matchClaims);
  const selection: PlacementSelection = {
    ...(clusterSets.length && { clusterSets: [...clusterSets] }),
    ...(Object.keys(matchLabels).length && { matchLabels }),
    ...(Object.keys(matchClaims).length && { matchClaims }),
    ...(numberOfClusters && { numberOfClusters }),
  };
  if (Object.keys(selection).length === 0 && !input.allClusters) {
    throw new InputError(
      `No clusters are chosen for ${placement}: give clusterSets, matchLabels, matchClaims or numberOfClusters, or, for every cluster of the sets that are bound to its namespace, allClusters: true`,
    );
  }
  return {
    ...selection,
    ...(tolerations.length && { tolerations: [...tolerations] }),
  };
}
