import type {
  ArgoApplication,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES, knownAgents, type FleetCache } from '../../fleet';
import { findObject, type KubernetesClient } from '../../kubernetes/client';
import {
  argoClusterName,
  clusterNameIdentity,
  duplicateClusterFinding,
  duplicateClusters,
  namesOfCluster,
  supersededSecret,
  type StoredSecret,
  type SupersededSecret,
} from '../../model/clusterimport';
import { agentOfSecret, deliveryModel } from '../../model/delivery';
import type { ReconcileContext } from '../../runtime';
import type { Importers } from './importers';
import { secretUsers } from './secretUsers';

/** Clusters of which an Argo CD has several Secrets. */
export interface DuplicateClusters {
  /** What is wrong with a cluster that a GitOpsCluster imports; none where it has one Secret or none. */
  findingsOf(argoNamespace: string, cluster: string): Finding[];
  /**
   * Removes Secrets of ours that argocd-agent made superfluous; answers with what is wrong with the clusters of an Argo
   * CD namespace that no GitOpsCluster imports.
   */
  tidy(argoNamespace: string, context: ReconcileContext): Promise<Finding[]>;
}

const SHOWN = 20;

/**
 * Creates the duplicates of one hub.
 *
 * Argo CD refuses a cluster of which two Secrets have the name. This happens when argocd-agent registers a cluster that
 * was imported before: then our Secret is removed, if it has no credentials and only the agent's Applications have it
 * as destination.
 */
export function createDuplicateClusters(options: {
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
  readonly importers: Pick<Importers, 'deciding'>;
}): DuplicateClusters {
  const { cache, client, importers } = options;
  const agents = knownAgents(cache);

  /** Those of an agent do not need our Secret. */
  function* otherApplications(
    applications: Iterable<ArgoApplication>,
  ): Generator<ArgoApplication> {
    for (const application of applications) {
      if (deliveryModel(application, agents) !== 'agent') {
        yield application;
      }
    }
  }

  function findingOf(
    cluster: string,
    namesakes: readonly StoredSecret[],
  ): Finding {
    const secret = supersededSecret(namesakes)?.secret;
    const users = secret ? indexedUsersOf(secret) : [];
    return duplicateClusterFinding(cluster, namesakes, users.slice(0, SHOWN));
  }

  /** By the indexes, since a finding may be made for each of many clusters; a removal compares all Applications. */
  function indexedUsersOf(secret: StoredSecret): string[] {
    const applications = namesOfCluster(secret).flatMap(name =>
      cache.applications.by('cluster', name),
    );
    const users = secretUsers([secret], otherApplications(applications));
    return [...(users.get(secret) ?? [])].sort();
  }

  function findingsAbout(
    duplicates: Iterable<readonly [string, readonly StoredSecret[]]>,
  ): Finding[] {
    return Array.from(duplicates, ([cluster, namesakes]) =>
      findingOf(cluster, namesakes),
    );
  }

  /** As the hub says now: without any Secret of its cluster, a generator deletes the cluster's Applications. */
  async function isStillSuperseded(
    { secret, agents: other }: SupersededSecret,
    signal: AbortSignal,
  ): Promise<boolean> {
    const read = ({ metadata }: StoredSecret) =>
      findObject(client, FLEET_RESOURCES.clusterSecrets, metadata, { signal });
    const [ours, current] = await Promise.all([read(secret), read(other)]);
    return (
      // A person may have given it credentials.
      ours?.metadata.resourceVersion === secret.metadata.resourceVersion &&
      current !== undefined &&
      !current.metadata.deletionTimestamp &&
      agentOfSecret(current) !== undefined &&
      argoClusterName(current) === argoClusterName(secret)
    );
  }

  return {
    findingsOf(argoNamespace, cluster) {
      const namesakes = cache.clusterSecrets.by(
        'identity',
        clusterNameIdentity(argoNamespace, cluster),
      );
      return findingsAbout(duplicateClusters(namesakes));
    },
    async tidy(argoNamespace, { writer, signal, logger }) {
      if (
        await cache.waitForNamespaceSync(
          ['clusterSecrets'],
          argoNamespace,
          signal,
        )
      ) {
        return [];
      }
      const duplicates = duplicateClusters(
        cache.clusterSecrets.by('namespace', argoNamespace),
      );
      const superseded = Array.from(
        duplicates.values(),
        supersededSecret,
      ).filter(each => each !== undefined);
      const used = secretUsers(
        superseded.map(({ secret }) => secret),
        superseded.length > 0
          ? otherApplications(cache.applications.list())
          : [],
      );
      for (const each of superseded.filter(({ secret }) => !used.has(secret))) {
        if (await isStillSuperseded(each, signal)) {
          const { namespace, name } = each.secret.metadata;
          logger.info('argocd-agent registered an imported cluster', {
            hub: cache.hub,
            namespace,
            name,
          });
          await writer.delete('clusterSecrets', each.secret);
        }
      }
      return findingsAbout(
        [...duplicates].filter(
          ([cluster]) => !importers.deciding(argoNamespace, cluster),
        ),
      );
    },
  };
}
