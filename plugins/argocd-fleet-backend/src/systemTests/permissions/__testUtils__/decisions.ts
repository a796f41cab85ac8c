import {
  AuthorizeResult,
  type PermissionCondition,
  type PermissionCriteria,
  type PolicyDecision,
} from '@backstage/plugin-permission-common';
import {
  argocdFleetApplicationSetReadPermission,
  argocdFleetClusterReadPermission,
} from 'backstage-plugin-argocd-fleet-common';
import {
  argocdFleetApplicationSetConditions as set,
  argocdFleetClusterConditions as cluster,
  createArgocdFleetApplicationSetConditionalDecision,
  createArgocdFleetClusterConditionalDecision,
} from 'backstage-plugin-argocd-fleet-node';

export const ALLOW: PolicyDecision = { result: AuthorizeResult.ALLOW };
export const DENY: PolicyDecision = { result: AuthorizeResult.DENY };

/**
 * An ApplicationSet of the suite's hub. Of `gone` only the timeline is left, and `alone` is none: the Application has no
 * ApplicationSet.
 */
export type SetName = 'ours' | 'theirs' | 'linked' | 'gone' | 'alone';
export type ClusterName = 'blue1' | 'red1';

/** What requests to write answer: to change `ours` and `theirs`, and to create an ApplicationSet and a Placement. */
export type WriteStatuses = readonly [
  ours: number,
  theirs: number,
  created: number,
  placement: number,
];

/** A decision on all permissions on ApplicationSets, and what has to come of it. */
export interface SetCase {
  readonly decision: PolicyDecision;
  readonly visible: readonly SetName[];
  readonly writes: WriteStatuses;
  /** Namespaces that a form offers: those in which a new ApplicationSet may be allowed. */
  readonly offers: readonly string[];
}

type SetCriteria = PermissionCriteria<
  PermissionCondition<'argocd-fleet-application-set'>
>;

const BOTH = ['argocd', 'shops'];
const ALL_SETS = ['ours', 'theirs', 'linked', 'gone', 'alone'] as const;

const TEAM_A = set.isOwner({ claims: ['Group:Default/Team-A'] });
const TEAM_B = set.isOwner({ claims: ['group:default/team-b'] });
const SHOPS = set.hasNamespace({ namespaces: ['shops'] });
const GOLD = set.hasLabel({ key: 'tier', value: 'gold' });

/** A decision for reading. */
export function setCase(
  criteria: SetCriteria,
  visible: readonly SetName[],
): Pick<SetCase, 'decision' | 'visible'> {
  return {
    decision: createArgocdFleetApplicationSetConditionalDecision(
      argocdFleetApplicationSetReadPermission,
      criteria,
    ),
    visible,
  };
}

function sets(
  criteria: SetCriteria,
  visible: readonly SetName[],
  writes: WriteStatuses,
  offers: readonly string[] = BOTH,
): SetCase {
  return { ...setCase(criteria, visible), writes, offers };
}

const REFUSED: WriteStatuses = [403, 403, 403, 403];
const DONE: WriteStatuses = [200, 200, 200, 200];
const OURS_AND_NEW: WriteStatuses = [200, 403, 200, 200];

/**
 * By the name of the user of whom it is decided, who is in team-a. A request to write names that team as the owner; where
 * a change is refused of what the caller may not read, and a new one would be allowed, the name is taken (409). Only a
 * decision without conditions changes what another team owns.
 */
export const SET_CASES: Readonly<Record<string, SetCase>> = {
  allow: { decision: ALLOW, visible: ALL_SETS, writes: DONE, offers: BOTH },
  deny: { decision: DENY, visible: [], writes: REFUSED, offers: [] },
  'is-owner': sets(TEAM_A, ['ours', 'linked'], [200, 409, 200, 200]),
  'is-owner-of-nothing': sets(set.isOwner({ claims: [] }), [], REFUSED, []),
  'has-hub': sets(set.hasHub({ hubs: ['hub', 'x'] }), ALL_SETS, OURS_AND_NEW),
  'has-other-hub': sets(set.hasHub({ hubs: ['broken'] }), [], REFUSED, []),
  'has-namespace': sets(SHOPS, ['linked', 'gone'], REFUSED, ['shops']),
  'has-label': sets(
    set.hasLabel({ key: 'tier' }),
    ['ours', 'theirs'],
    [200, 403, 403, 403],
  ),
  'has-label-value': sets(GOLD, ['ours'], [200, 403, 403, 403]),
  'any-of': sets(
    { anyOf: [TEAM_A, SHOPS] },
    ['ours', 'linked', 'gone'],
    [200, 409, 200, 200],
  ),
  'all-of': sets({ allOf: [TEAM_A, SHOPS] }, ['linked'], REFUSED, ['shops']),
  'not-owner': sets({ not: TEAM_A }, ['theirs'], REFUSED),
  'not-namespace': sets(
    { not: SHOPS },
    ['ours', 'theirs', 'alone'],
    OURS_AND_NEW,
    ['argocd'],
  ),
  'not-label': sets({ not: GOLD }, ['theirs', 'linked'], [409, 403, 200, 200]),
  'all-of-with-not': sets(
    { allOf: [SHOPS, { not: TEAM_B }] },
    ['linked'],
    REFUSED,
    ['shops'],
  ),
  'not-any-of': sets(
    { not: { anyOf: [TEAM_B, GOLD] } },
    ['linked'],
    [409, 409, 200, 200],
  ),
};

/** A decision on the permission on clusters, and what has to come of it. */
export interface ClusterCase {
  readonly decision: PolicyDecision;
  readonly visible: readonly ClusterName[];
}

function clusters(
  criteria: PermissionCriteria<PermissionCondition<'argocd-fleet-cluster'>>,
  visible: readonly ClusterName[],
): ClusterCase {
  return {
    decision: createArgocdFleetClusterConditionalDecision(
      argocdFleetClusterReadPermission,
      criteria,
    ),
    visible,
  };
}

const BLUE = cluster.inClusterSet({ clusterSets: ['blue'] });
const PROD = cluster.hasLabel({ key: 'env', value: 'prod' });

/** By the name of the user of whom it is decided. */
export const CLUSTER_CASES: Readonly<Record<string, ClusterCase>> = {
  'clusters-allow': { decision: ALLOW, visible: ['blue1', 'red1'] },
  'clusters-deny': { decision: DENY, visible: [] },
  'clusters-has-hub': clusters(cluster.hasHub({ hubs: ['hub'] }), [
    'blue1',
    'red1',
  ]),
  'clusters-has-other-hub': clusters(cluster.hasHub({ hubs: ['x'] }), []),
  'clusters-in-set': clusters(BLUE, ['blue1']),
  'clusters-has-label': clusters(PROD, ['red1']),
  'clusters-any-of': clusters({ anyOf: [BLUE, PROD] }, ['blue1', 'red1']),
  'clusters-all-of': clusters({ allOf: [BLUE, PROD] }, []),
  'clusters-not': clusters({ not: BLUE }, ['red1']),
};
