import type { ResourceSourceApplication } from 'backstage-plugin-argocd-fleet-node';
import { createYield } from '../async';
import type { FleetCache } from '../fleet';
import { objectKey } from '../kubernetes/client';
import {
  applicationManifest,
  deliveringWork,
  hubApplicationOf,
  isLocalCluster,
  owningApplicationSet,
} from '../model/delivery';

/**
 * Lists the Applications that ManifestWorks deliver to managed clusters: sources may have details of them. The hub as
 * its own managed cluster is left out, and so are Applications without a ManifestWork: their complete status is on the
 * hub.
 */
export async function listQueriedApplications(
  cache: FleetCache,
): Promise<ResourceSourceApplication[]> {
  const found = new Map<string, ResourceSourceApplication>();
  const yieldSometimes = createYield();
  for (const work of cache.works.list()) {
    await yieldSometimes();
    const name = hubApplicationOf(work);
    const application = name && cache.applications.get(objectKey(name));
    const { namespace: cluster = '' } = work.metadata;
    const managedCluster = cache.clusters.get(cluster);
    const delivered = applicationManifest(work)?.metadata;
    if (
      name &&
      application &&
      delivered &&
      deliveringWork(
        cache.works.by('hubApplication', objectKey(name)),
        application,
      ) === work &&
      !(managedCluster && isLocalCluster(managedCluster))
    ) {
      found.set(objectKey(name), {
        application: name,
        // As delivered: a refused Application may name the place of another one.
        onCluster: { namespace: delivered.namespace ?? '', name: name.name },
        cluster,
        applicationSet: owningApplicationSet(application),
      });
    }
  }
  return [...found.values()];
}
