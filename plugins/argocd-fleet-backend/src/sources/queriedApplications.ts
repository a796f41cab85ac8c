import type { ResourceSourceApplication } from 'backstage-plugin-argocd-fleet-node';
import { createYield } from '../async';
import type { FleetCache } from '../fleet';
import { objectKey } from '../kubernetes/client';
import {
  hubApplicationOf,
  isLocalCluster,
  isOrphan,
  owningApplicationSet,
  payloadNamespace,
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
    if (
      name &&
      application &&
      !isOrphan(work, application) &&
      !(managedCluster && isLocalCluster(managedCluster))
    ) {
      found.set(objectKey(name), {
        application: name,
        onCluster: {
          namespace: payloadNamespace(application),
          name: name.name,
        },
        cluster,
        applicationSet: owningApplicationSet(application),
      });
    }
  }
  return [...found.values()];
}
