import { ObjectRef, refKey } from '../cluster/clusterStore';
import { ManifestWork } from '../kubernetes/workTypes';
import { configOf, resourceMetaOf } from './manifests';

/** The resources that agents watch for feedback, among those with the scrape type `Watch`. */
export interface WatchedResources {
  /** Watches the resources that a work requests, up to the limit; `undefined` as the work releases them. */
  update(key: string, cluster: string, work: ManifestWork | undefined): void;
  has(cluster: string, ref: ObjectRef): boolean;
}

/** Watches at most `limit` resources on each cluster; the first requests win. */
export function createWatchedResources(limit: number): WatchedResources {
  // By cluster and resource: the keys of the works that request the watch.
  const watched = new Map<string, Map<string, Set<string>>>();

  return {
    update(key, cluster, work) {
      const onCluster = watched.get(cluster) ?? new Map<string, Set<string>>();
      watched.set(cluster, onCluster);
      const desired = new Set(work ? watchedBy(work) : []);
      for (const [resource, works] of onCluster) {
        if (!desired.has(resource) && works.delete(key) && works.size === 0) {
          onCluster.delete(resource);
        }
      }
      for (const resource of desired) {
        const works = onCluster.get(resource);
        if (works) {
          works.add(key);
        } else if (onCluster.size < limit) {
          onCluster.set(resource, new Set([key]));
        }
      }
    },
    has: (cluster, ref) => Boolean(watched.get(cluster)?.has(refKey(ref))),
  };
}

function watchedBy({ spec }: ManifestWork): string[] {
  return (spec?.workload?.manifests ?? [])
    .map(resourceMetaOf)
    .filter(
      meta =>
        configOf(meta, spec?.manifestConfigs ?? []).feedbackScrapeType ===
        'Watch',
    )
    .map(refKey);
}
