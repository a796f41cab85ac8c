import {
  PLACEMENT_LABEL,
  type GitOpsCluster,
  type ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache, FleetEvent } from '../../fleet';
import { objectKey, parseKey } from '../../kubernetes/client';
import { clientConfigOf } from '../../model/clusterimport';
import { sameJson } from '../../model/json';

/** Keys of the GitOpsClusters whose Secrets may have to change. */
export function gitOpsClustersConcernedBy(
  change: FleetEvent,
  cache: FleetCache,
): readonly string[] {
  switch (change.resource) {
    case 'gitOpsClusters':
      // Several may share an Argo CD, and there are few of them.
      return sameJson(asked(change.before), asked(change.after))
        ? []
        : [...new Set([change.key, ...cache.gitOpsClusters.keys()])];
    case 'placements':
      return keysOf(cache.gitOpsClusters.by('placement', change.key));
    case 'decisions': {
      const { metadata } = change.after ?? change.before ?? {};
      const name = metadata?.labels?.[PLACEMENT_LABEL];
      return metadata && name
        ? keysOf(
            cache.gitOpsClusters.by(
              'placement',
              objectKey({ namespace: metadata.namespace, name }),
            ),
          )
        : [];
    }
    case 'clusters':
      return sameJson(imported(change.before), imported(change.after))
        ? []
        : importersOf(change.key, cache);
    case 'managedServiceAccounts':
      return importersOf(parseKey(change.key).namespace, cache);
    case 'clusterSecrets':
    case 'generatorConfigs':
    case 'placementRoles':
    case 'placementRoleBindings':
    case 'serviceAccounts':
      return keysOf(
        cache.gitOpsClusters.by(
          'argoNamespace',
          parseKey(change.key).namespace,
        ),
      );
    default:
      return [];
  }
}

function importersOf(cluster: string, cache: FleetCache): string[] {
  return keysOf(
    [...cache.gitOpsClusters.list()].filter(
      ({ metadata: { namespace } }) =>
        cache.decisions.by('cluster', objectKey({ namespace, name: cluster }))
          .length > 0,
    ),
  );
}

/** What a GitOpsCluster asks for: not its status, which we write. */
function asked(gitOpsCluster: GitOpsCluster | undefined) {
  return (
    gitOpsCluster && [
      gitOpsCluster.spec,
      gitOpsCluster.metadata.uid,
      gitOpsCluster.metadata.deletionTimestamp,
    ]
  );
}

/** What of a cluster goes into its Secret: not its heartbeats. */
function imported(cluster: ManagedCluster | undefined) {
  return (
    cluster && [
      cluster.metadata.labels,
      cluster.metadata.deletionTimestamp,
      clientConfigOf(cluster),
    ]
  );
}

function keysOf(gitOpsClusters: readonly GitOpsCluster[]): string[] {
  return gitOpsClusters.map(({ metadata }) => objectKey(metadata));
}
