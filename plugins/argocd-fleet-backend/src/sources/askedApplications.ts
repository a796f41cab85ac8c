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
 * Applications that are on their way to a cluster: there is something to know about them there. The hub itself is not asked about, and what
 * travels without a ManifestWork has its whole status on the hub.
 */
export async function askedApplications(
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
