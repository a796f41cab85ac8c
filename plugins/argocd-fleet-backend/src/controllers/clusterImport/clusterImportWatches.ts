import {
  PLACEMENT_LABEL,
  type GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import {
  clusterAccessChanged,
  importDemandChanged,
  parseKey,
  type FleetCache,
} from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import type { Watches } from '../../runtime';

/** Decisions and cluster Secrets change many at a time. */
const DEBOUNCE_MS = 150;

/** Events enqueue the GitOpsClusters whose Secrets may have to change. */
export function clusterImportWatches(cache: FleetCache): Watches {
  const importersInto = ({ key }: { readonly key: string }) =>
    keysOf(cache.gitOpsClusters.by('argoNamespace', parseKey(key).namespace));
  return {
    synced: [
      'gitOpsClusters',
      'placements',
      'decisions',
      'clusters',
      'applications',
    ],
    debounceMs: DEBOUNCE_MS,
    events: {
      // Several may share an Argo CD, and there are few of them.
      gitOpsClusters: event =>
        importDemandChanged(event)
          ? new Set([event.key, ...cache.gitOpsClusters.keys()])
          : [],
      placements: ({ key }) =>
        keysOf(cache.gitOpsClusters.by('placement', key)),
      decisions({ before, after }) {
        const { metadata } = after ?? before ?? {};
        const name = metadata?.labels?.[PLACEMENT_LABEL];
        return metadata && name
          ? keysOf(
              cache.gitOpsClusters.by(
                'placement',
                objectKey({ namespace: metadata.namespace, name }),
              ),
            )
          : [];
      },
      clusters: event =>
        clusterAccessChanged(event) ? importersOf(event.key, cache) : [],
      managedServiceAccounts: ({ key }) =>
        importersOf(parseKey(key).namespace, cache),
      clusterSecrets: importersInto,
      generatorConfigs: importersInto,
      placementRoles: importersInto,
      placementRoleBindings: importersInto,
      serviceAccounts: importersInto,
    },
  };
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

function keysOf(gitOpsClusters: readonly GitOpsCluster[]): string[] {
  return gitOpsClusters.map(({ metadata }) => objectKey(metadata));
}
