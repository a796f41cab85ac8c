import {
  isObjectName,
  PLACEMENT_LABEL,
  type GitOpsCluster,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import {
  clusterAccessChanged,
  decidedClusters,
  identityChanged,
  importDemandChanged,
  reauthorised,
  redecidedClusters,
  sameOrigin,
  type EventOf,
  type FleetCache,
  type FleetEvent,
} from '../../fleet';
import { objectKey, parseKey } from '../../kubernetes/client';
import {
  argoClusterName,
  clusterOfSecretName,
} from '../../model/clusterimport';
import type { Watches } from '../../runtime';
import { abandonedNamespaces, permittedNamespaces } from './argoNamespaces';
import type { ImportedSecrets } from './importedSecrets';
import { clustersOf, importAuthorisation, type Importers } from './importers';
import type { ImportPermissions } from './importPermissions';
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
export function clusterImportWatches(options: {
  readonly cache: FleetCache;
  readonly permissions: ImportPermissions;
  readonly importers: Pick<Importers, 'of'>;
  readonly secrets: Pick<ImportedSecrets, 'blockedIn' | 'onKnown'>;
  readonly outcomes: Pick<ImportOutcomes, 'onChange'>;
}): Watches {
  const { cache, permissions, importers, secrets, outcomes } = options;
  const ofArgoNamespace = ({ key }: { readonly key: string }) =>
    argoNamespaceKeys(parseKey(key).namespace);

  /** The Secrets of a cluster in all Argo CD namespaces. */
  const ofCluster = (cluster: string) =>
    [...cache.gitOpsClusters.list()].flatMap(gitOpsCluster => {
      const importer = importers.of(gitOpsCluster);
      return importer &&
        importAuthorisation(importer, cluster, cache).verdict !== 'undecided'
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

  function* ofReauthorised(event: FleetEvent) {
    const clusters = new Map<string, Set<string>>();
    for (const { namespace, cluster } of reauthorised(event, cache)) {
      clusters.set(
        namespace,
        (clusters.get(namespace) ?? new Set()).add(cluster),
      );
    }
    for (const gitOpsCluster of clusters.size > 0
      ? cache.gitOpsClusters.list()
      : []) {
      const changed = clusters.get(gitOpsCluster.metadata.namespace ?? '');
      if (changed) {
        yield* ofGitOpsCluster(gitOpsCluster, changed);
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
          const importer = gitOpsCluster && importers.of(gitOpsCluster);
          if (gitOpsCluster) {
            yield* ofGitOpsCluster(
              gitOpsCluster,
              importer ? clustersOf(importer, cache) : [],
            );
          }
        }
        // It may prevent removals, and share clusters with others of its Argo CD.
        yield* importNamespaces(cache, permissions).map(namespaceKey);
        for (const argoNamespace of new Set(
          [event.before, event.after].map(
            each => each?.spec?.argoServer?.argoNamespace ?? '',
          ),
        )) {
          yield* cache.gitOpsClusters
            .by('argoNamespace', argoNamespace)
            .map(gitOpsClusterKey);
        }
      },
      *placements(event) {
        for (const gitOpsCluster of cache.gitOpsClusters.by(
          'placement',
          event.key,
        )) {
          const importer =
            identityChanged(event) && importers.of(gitOpsCluster);
          yield* ofGitOpsCluster(
            gitOpsCluster,
            importer ? clustersOf(importer, cache) : [],
          );
        }
        yield* ofReauthorised(event);
      },
      clusterSets: ofReauthorised,
      clusterSetBindings: ofReauthorised,
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
      clusterSecrets({ key, before, after }) {
        const { namespace, name } = parseKey(key);
        const clusters = [
          clusterOfSecretName(name) ?? '',
          // Another Secret of the cluster may have the name too.
          ...[before, after].map(secret => argoClusterName(secret ?? {})),
        ].filter(isObjectName);
        return [
          namespaceKey(namespace),
          ...clusters.map(cluster => secretKey(namespace, cluster)),
          ...secrets.blockedIn(namespace),
        ];
      },
      generatorConfigs: ofArgoNamespace,
      placementRoles: ofArgoNamespace,
      placementRoleBindings: ofArgoNamespace,
      serviceAccounts: ofArgoNamespace,
    },
    onOutsideEvent(listener) {
      const unsubscribe = [
        outcomes.onChange(key =>
          listener(
            cache.gitOpsClusters
              .by('argoNamespace', parseImportKey(key).namespace)
              .map(gitOpsClusterKey),
          ),
        ),
        secrets.onKnown(listener),
      ];
      return () => unsubscribe.forEach(each => each());
    },
  };
}

/** Argo CD namespaces that GitOpsClusters name and may import into, and those that none names any more. */
export function importNamespaces(
  cache: FleetCache,
  permissions: ImportPermissions,
): string[] {
  return [
    ...permittedNamespaces(cache, permissions),
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
  return sameOrigin(before, after)
    ? redecidedClusters(event)
    : [...decidedClusters(before), ...decidedClusters(after)];
}

function placementOf({ metadata }: PlacementDecision): string | undefined {
  const name = metadata.labels?.[PLACEMENT_LABEL];
  return name && objectKey({ namespace: metadata.namespace, name });
}
