import {
  PLACEMENT_LABEL,
  type NamespacedName,
  type Placement,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * What decisions of a namespace say about a cluster. From the best to the worst:
 * - `authorised`: a decision of a Placement names it
 * - `unverified`: one names it, and what else would have to be known cannot be read now
 * - `notInSet`: the cluster is in no ManagedClusterSet that the Placement may use
 * - `notOwned`: the decision belongs to another object, or to an earlier Placement of that name
 * - `noPlacement`: the Placement that the decision names does not exist
 * - `unlabelled`: the decision names no Placement
 * - `undecided`: no decision names the cluster
 */
export type Verdict =
  | 'authorised'
  | 'unverified'
  | 'notInSet'
  | 'notOwned'
  | 'noPlacement'
  | 'unlabelled'
  | 'undecided';

/** Whether Applications of a namespace may be delivered to a cluster. */
export interface Authorisation {
  readonly verdict: Verdict;
  /** The decision that comes closest; undefined where none names the cluster. */
  readonly decision?: NamespacedName;
  /** Name of its Placement. */
  readonly placement?: string;
  /** Why it does not count, in one sentence. */
  readonly reason?: string;
  /** Of `unverified`: what is missing is being listed, so that it is known soon. Nothing may be written until then. */
  readonly isPending?: boolean;
}

/** What decides whether a decision counts. */
export interface AuthorisationInputs {
  /** Undefined while the Placements of the hub are not known. */
  readonly placement:
    ((name: NamespacedName) => Placement | undefined) | undefined;
  /**
   * Names of the ManagedClusterSets that contain the cluster and are bound to the namespace. Undefined while sets or
   * bindings of the hub are not known.
   */
  readonly boundSets: readonly string[] | undefined;
  /** Whether one of these is not known because it was not listed yet, and not because it may not be read. */
  readonly isPending?: boolean;
}

const GROUP = 'cluster.open-cluster-management.io';
const UNDECIDED: Authorisation = { verdict: 'undecided' };
const ORDER: readonly Verdict[] = [
  'authorised',
  'unverified',
  'notInSet',
  'notOwned',
  'noPlacement',
  'unlabelled',
  'undecided',
];

/**
 * Whether a decision makes Applications of its namespace deliverable to a cluster that it names. It does so only as
 * Open Cluster Management's placement controller writes it: with the label of its Placement, and controlled by that
 * Placement. A tenant who may write PlacementDecisions can copy both, so the cluster must also be in a set that is
 * bound to the namespace and that the Placement may use: a tenant can change neither.
 * @param decisions - all decisions of a namespace that name the cluster
 */
export function authorise(
  decisions: readonly PlacementDecision[],
  inputs: AuthorisationInputs,
): Authorisation {
  let best = UNDECIDED;
  for (const decision of decisions) {
    const next = judgeSafely(decision, inputs);
    if (ORDER.indexOf(next.verdict) < ORDER.indexOf(best.verdict)) {
      best = next;
    }
    if (best.verdict === 'authorised') {
      return best;
    }
  }
  return best;
}

/** Whether the decision is one of the Placement, and not of another object of that name. */
export function isDecisionOf(
  { metadata }: PlacementDecision,
  placement: Placement,
): boolean {
  return (
    metadata.namespace === placement.metadata.namespace &&
    metadata.labels?.[PLACEMENT_LABEL] === placement.metadata.name &&
    controllingPlacement(metadata) === placement.metadata.uid &&
    placement.metadata.uid !== undefined
  );
}

/** One object that cannot be processed must not keep the other decisions from counting. */
function judgeSafely(
  decision: PlacementDecision,
  inputs: AuthorisationInputs,
): Authorisation {
  try {
    return judge(decision, inputs);
  } catch {
    const { namespace = '', name } = decision.metadata;
    return {
      verdict: 'unverified',
      decision: { namespace, name },
      reason: 'The decision or its Placement could not be processed',
    };
  }
}

function judge(
  decision: PlacementDecision,
  inputs: AuthorisationInputs,
): Authorisation {
  const { placement: placementNamed, boundSets } = inputs;
  const { namespace = '', name, labels } = decision.metadata;
  const placementName = labels?.[PLACEMENT_LABEL];
  const found = (verdict: Verdict, reason?: string): Authorisation => ({
    verdict,
    decision: { namespace, name },
    placement: placementName,
    reason,
  });
  const unverified = (): Authorisation => ({
    ...found('unverified'),
    ...(inputs.isPending && { isPending: true }),
  });
  if (!placementName) {
    return found('unlabelled', `It has no label ${PLACEMENT_LABEL}`);
  }
  if (controllingPlacement(decision.metadata) === undefined) {
    return found(
      'notOwned',
      'No ownerReference of kind Placement controls it, as Open Cluster Management sets it',
    );
  }
  if (!placementNamed) {
    return unverified();
  }
  const placement = placementNamed({ namespace, name: placementName });
  if (!placement) {
    return found(
      'noPlacement',
      `There is no Placement ${placementName} in ${namespace}`,
    );
  }
  if (!isDecisionOf(decision, placement)) {
    return found(
      'notOwned',
      `Its ownerReference has another UID than the Placement ${placementName}`,
    );
  }
  if (!boundSets) {
    return unverified();
  }
  const { clusterSets = [] } = placement.spec ?? {};
  if (
    boundSets.some(set => clusterSets.length === 0 || clusterSets.includes(set))
  ) {
    return found('authorised');
  }
  return found(
    'notInSet',
    // Other bound sets are not named: they may change without a change for this cluster.
    boundSets.length === 0
      ? `No ManagedClusterSet that contains the cluster is bound to ${namespace}`
      : `The cluster is in ${boundSets.join(', ')}, but the Placement is limited to ${clusterSets.join(', ')}`,
  );
}

/** UID of the Placement that controls an object. */
function controllingPlacement({
  ownerReferences = [],
}: PlacementDecision['metadata']): string | undefined {
  return ownerReferences.find(
    ({ apiVersion, kind, controller }) =>
      controller === true &&
      kind === 'Placement' &&
      apiVersion.split('/')[0] === GROUP,
  )?.uid;
}
