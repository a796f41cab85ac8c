import {
  PLACEMENT_LABEL,
  type GitOpsCluster,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import {
  clusterAccessChanged,
  decidedClusters,
  identityChanged,
  importDemandChanged,
  redecidedClusters,
  type EventOf,
  type FleetCache,
} from '../../fleet';
import { objectKey, parseKey } from '../../kubernetes/client';
import { clusterOfSecretName } from '../../model/clusterimport';
import type { Watches } from '../../runtime';
import { abandonedNamespaces } from './argoNamespaces';
import type { ImportedSecrets } from './importedSecrets';
import { clustersOf, importerOf, imports } from './importers';
import {
  argoNamespaceKeys,
  gitOpsClusterKey,
  namespaceKey,
  parseImportKey,
  secretKey,
} from './importKeys';
import type { ImportOutcomes } from './importOutcomes';

/** Decisions and cluster Secrets change many at a time. */
const DEBOUNCE_MS = 150;

/**
 * Events enqueue the keys of importKeys.ts. Applications are read before a removal, and their events wait for the next
 * full pass.
 */
export function clusterImportWatches(
  cache: FleetCache,
  secrets: Pick<ImportedSecrets, 'blockedIn'>,
  outcomes: Pick<ImportOutcomes, 'onChange'>,
): Watches {
  const ofArgoNamespace = ({ key }: { readonly key: string }) =>
    argoNamespaceKeys(parseKey(key).namespace);

  /** The Secrets of a cluster in all Argo CD namespaces. */
  const ofCluster = (cluster: string) =>
    [...cache.gitOpsClusters.list()].flatMap(gitOpsCluster => {
      const importer = importerOf(gitOpsCluster);
      return importer && imports(importer, cluster, cache)
        ? [secretKey(importer.target.argoNamespace, cluster)]
        : [];
    });

  /** A GitOpsCluster, its Argo CD namespace, and the Secrets of these clusters in it. */
  function* ofGitOpsCluster(
    gitOpsCluster: GitOpsCluster,
    clusters: Iterable<string>,
  ) {
    yield gitOpsClusterKey(gitOpsCluster);
    const argoNamespace = gitOpsCluster.spec?.argoServer?.argoNamespace;
    if (argoNamespace) {
      yield* argoNamespaceKeys(argoNamespace);
      for (const cluster of clusters) {
        yield secretKey(argoNamespace, cluster);
      }
    }
  }

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
      *gitOpsClusters(event) {
        if (!importDemandChanged(event)) {
          return;
        }
        for (const gitOpsCluster of [event.before, event.after]) {
          const importer = gitOpsCluster && importerOf(gitOpsCluster);
          if (gitOpsCluster) {
            yield* ofGitOpsCluster(
              gitOpsCluster,
              importer ? clustersOf(importer, cache) : [],
            );
          }
        }
        // One of them may prevent removals in every namespace, and share clusters with others. There are few of them.
        yield* importNamespaces(cache).map(namespaceKey);
        yield* [...cache.gitOpsClusters.list()].map(gitOpsClusterKey);
      },
      *placements(event) {
        for (const gitOpsCluster of cache.gitOpsClusters.by(
          'placement',
          event.key,
        )) {
          const importer = identityChanged(event) && importerOf(gitOpsCluster);
          yield* ofGitOpsCluster(
            gitOpsCluster,
            importer ? clustersOf(importer, cache) : [],
          );
        }
      },
      *decisions(event) {
        const clusters = changedClusters(event);
        for (const placement of placementsOf(event)) {
          for (const gitOpsCluster of cache.gitOpsClusters.by(
            'placement',
            placement,
          )) {
            yield* ofGitOpsCluster(gitOpsCluster, clusters);
          }
        }
      },
      clusters: event =>
        clusterAccessChanged(event) ? ofCluster(event.key) : [],
      managedServiceAccounts: ({ key }) => ofCluster(parseKey(key).namespace),
      clusterSecrets({ key }) {
        const { namespace, name } = parseKey(key);
        const cluster = clusterOfSecretName(name);
        return [
          namespaceKey(namespace),
          ...(cluster ? [secretKey(namespace, cluster)] : []),
          ...secrets.blockedIn(namespace),
        ];
      },
      generatorConfigs: ofArgoNamespace,
      placementRoles: ofArgoNamespace,
      placementRoleBindings: ofArgoNamespace,
      serviceAccounts: ofArgoNamespace,
    },
    onOutsideEvent: listener =>
      outcomes.onChange(key =>
        listener(
          cache.gitOpsClusters
            .by('argoNamespace', parseImportKey(key).namespace)
            .map(gitOpsClusterKey),
        ),
      ),
  };
}

/** Argo CD namespaces that GitOpsClusters name, and those that none names any more. */
export function importNamespaces(cache: FleetCache): string[] {
  return [
    ...cache.gitOpsClusters.values('argoNamespace'),
    ...abandonedNamespaces(cache),
  ];
}

function placementsOf({ before, after }: EventOf<'decisions'>): Set<string> {
  return new Set(
    [before, after].flatMap(decision => {
      const placement = decision && placementOf(decision);
      return placement ? [placement] : [];
    }),
  );
}

function changedClusters(event: EventOf<'decisions'>): string[] {
  const { before, after } = event;
  return before && after && placementOf(before) !== placementOf(after)
    ? [...decidedClusters(before), ...decidedClusters(after)]
    : redecidedClusters(event);
}

function placementOf({ metadata }: PlacementDecision): string | undefined {
  const name = metadata.labels?.[PLACEMENT_LABEL];
  return name && objectKey({ namespace: metadata.namespace, name });
}
