import { ObjectRef } from '../cluster/clusterStore';
import { ManifestWork } from '../kubernetes/workTypes';
import { configOf, resourceMetaOf } from './manifests';

/** Which resources of the clusters are watched for feedback, of those that ask for it. */
export interface WatchedResources {
  /** Takes a place for each resource that a work wants watched, as far as there are any; `undefined` gives its places back. */
  update(key: string, cluster: string, work: ManifestWork | undefined): void;
  has(cluster: string, ref: ObjectRef): boolean;
}

/** At most `limit` resources on a cluster; first come, first served. */
export function createWatchedResources(limit: number): WatchedResources {
  // Cluster, then resource, then the works that want it watched.
  const places = new Map<string, Map<string, Set<string>>>();

  return {
    update(key, cluster, work) {
      const taken = places.get(cluster) ?? new Map<string, Set<string>>();
      places.set(cluster, taken);
      const wanted = new Set(work ? watchedBy(work) : []);
      for (const [resource, works] of taken) {
        if (!wanted.has(resource) && works.delete(key) && works.size === 0) {
          taken.delete(resource);
        }
      }
      for (const resource of wanted) {
        const works = taken.get(resource);
        if (works) {
          works.add(key);
        } else if (taken.size < limit) {
          taken.set(resource, new Set([key]));
        }
      }
    },
    has: (cluster, ref) => Boolean(places.get(cluster)?.has(nameOf(ref))),
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
    .map(nameOf);
}

function nameOf({ group, resource, namespace, name }: ObjectRef): string {
  return [group, resource, namespace, name].join('/');
}
