import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { clusterFindings, controllerFindings } from '../findings';

/** What a hub has of clusters that other hubs may have too. */
export interface HubClaims {
  readonly hub: string;
  /** Names of the hub's ManagedClusters by the ID that each reports. */
  readonly clusters: ReadonlyMap<string, string>;
  /**
   * Names of the works that deliver an Application, by its `<namespace>/<name>` on the cluster, for each of the clusters
   * by name.
   */
  deliveriesTo(
    clusters: ReadonlySet<string>,
  ): ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface SharedCluster {
  readonly id: string;
  readonly name: string;
  readonly other: { readonly hub: string; readonly name: string };
}

/** An Application on a shared cluster that works of both hubs deliver. */
interface DoubleDelivery {
  readonly cluster: SharedCluster;
  /** `<namespace>/<name>` on the cluster. */
  readonly application: string;
  /** Name of the own hub's work. */
  readonly work: string;
}

/** The state of a hub is in many answers, and one hub may be configured twice. */
const MAX_FINDINGS = 20;

/**
 * What is wrong with the clusters that a hub shares with others: first Applications that two hubs deliver, then the
 * clusters themselves. Each hub has findings of its own.
 */
export function sharedClusterFindings(
  own: HubClaims,
  others: readonly HubClaims[],
): readonly Finding[] {
  const shared = others.flatMap(other => clustersSharedWith(other, own));
  if (shared.length === 0) {
    return [];
  }
  const doubles = others.flatMap(other =>
    doubleDeliveries(
      own,
      other,
      shared.filter(({ other: { hub } }) => hub === other.hub),
    ),
  );
  const count = doubles.length + shared.length;
  return [
    ...doubles
      .slice(0, MAX_FINDINGS)
      .map(({ cluster: { name, other }, application, work }) =>
        clusterFindings.claimedOnOtherHub(name, application, other, {
          object: { kind: 'ManifestWork', namespace: name, name: work },
        }),
      ),
    ...shared
      .slice(0, Math.max(0, MAX_FINDINGS - doubles.length))
      .map(({ id, name, other }) =>
        clusterFindings.clusterOnOtherHub(name, other, {
          evidence: `id.k8s.io: ${id}`,
          object: { kind: 'ManagedCluster', name },
        }),
      ),
    ...(count > MAX_FINDINGS
      ? [controllerFindings.moreFindings(MAX_FINDINGS, count)]
      : []),
  ];
}

function clustersSharedWith(
  { hub, clusters }: HubClaims,
  own: HubClaims,
): SharedCluster[] {
  return [...own.clusters]
    .flatMap(([id, name]) => {
      const other = clusters.get(id);
      return other === undefined
        ? []
        : [{ id, name, other: { hub, name: other } }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function doubleDeliveries(
  own: HubClaims,
  other: HubClaims,
  shared: readonly SharedCluster[],
): DoubleDelivery[] {
  const ours = own.deliveriesTo(new Set(shared.map(({ name }) => name)));
  const theirs = other.deliveriesTo(
    new Set(shared.map(({ other: { name } }) => name)),
  );
  return shared.flatMap(cluster =>
    [...(ours.get(cluster.name) ?? [])]
      .filter(([application]) =>
        theirs.get(cluster.other.name)?.has(application),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([application, work]) => ({ cluster, application, work })),
  );
}
