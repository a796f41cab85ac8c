import { ObjectRef, refKey } from '../cluster/clusterStore';
import { KubeObject, OwnerReference } from '../kubernetes/objects';
import { ManifestWork, ResourceMeta } from '../kubernetes/workTypes';

/** An agent's record of a work that it applied; corresponds to OCM's AppliedManifestWork. */
export interface AppliedWork {
  /** Owns the work's objects; it stays the same while the work's namespace and name do. */
  owner: OwnerReference;
  /** The work as it was applied last. */
  work: ManifestWork;
  /** The resources of all manifests whose kind the cluster has. */
  resources: readonly ResourceMeta[];
  /** The objects of the manifests that exist, and dropped ones whose deletion waits for their finalizers. */
  applied: readonly ObjectRef[];
  /** The objects of the manifests that the agent writes, as the last application left them. */
  written: readonly { ref: ObjectRef; object: KubeObject | undefined }[];
  /** Why a manifest could not be applied, by its ordinal. */
  errors: ReadonlyMap<number, string>;
}

/** All applied works by key, with an index over their objects. */
export interface AppliedWorks {
  get(key: string): AppliedWork | undefined;
  set(key: string, work: AppliedWork): void;
  delete(key: string): void;
  /** The keys of all works of a cluster. */
  keysOn(cluster: string): string[];
  /** The keys of the works with a manifest for the object, or that wait for its deletion. */
  worksWith(cluster: string, ref: ObjectRef): string[];
}

/** The objects that a work may own: its owner reference on each decides. */
export function objectsOf({ resources, applied }: AppliedWork): ObjectRef[] {
  return [...resources, ...applied];
}

/** Creates an empty record of applied works. */
export function createAppliedWorks(): AppliedWorks {
  const works = new Map<string, AppliedWork>();
  const byObject = new Map<string, Set<string>>();
  const objectOf = (cluster: string, ref: ObjectRef) =>
    `${cluster}/${refKey(ref)}`;
  const clusterOf = (key: string) => key.slice(0, key.indexOf('/'));

  function deleteWork(key: string) {
    const work = works.get(key);
    (work ? objectsOf(work) : []).forEach(ref =>
      byObject.get(objectOf(clusterOf(key), ref))?.delete(key),
    );
    works.delete(key);
  }

  return {
    get: key => works.get(key),
    set(key, work) {
      deleteWork(key);
      works.set(key, work);
      for (const ref of objectsOf(work)) {
        const object = objectOf(clusterOf(key), ref);
        byObject.set(object, (byObject.get(object) ?? new Set()).add(key));
      }
    },
    delete: deleteWork,
    keysOn: cluster =>
      [...works.keys()].filter(key => clusterOf(key) === cluster),
    worksWith: (cluster, ref) => [
      ...(byObject.get(objectOf(cluster, ref)) ?? []),
    ],
  };
}
