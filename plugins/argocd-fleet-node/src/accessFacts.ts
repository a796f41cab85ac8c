import type { ObjectRef } from 'backstage-plugin-argocd-fleet-common';

/**
 * What rules know of an ApplicationSet. A fact that is undefined is not known: of an ApplicationSet that is gone, only
 * its reference is.
 * @public
 */
export interface ApplicationSetFacts {
  /** Hub, namespace and name. */
  readonly ref: ObjectRef;
  /** Entity references in full (`group:default/team-a`, lower case); empty where it has no owner. */
  readonly owners?: readonly string[];
  /** Labels of the object on the hub. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What rules know of a managed cluster; a fact that is undefined is not known. @public */
export interface ClusterFacts {
  /** Name of the hub, as configured. */
  readonly hub: string;
  /** Name of the ManagedCluster. */
  readonly name: string;
  /** Labels of the ManagedCluster. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Names of the ManagedClusterSets that it is in. */
  readonly clusterSets?: readonly string[];
}

/**
 * A condition on a resource. Undefined where it is about a fact that is not known; such a condition denies, also below
 * `not`.
 * @public
 */
export type FactCondition<Facts> = (facts: Facts) => boolean | undefined;
