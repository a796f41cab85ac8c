import { ObjectRef, refKey } from '../cluster/clusterStore';
import { ResourceMeta } from '../kubernetes/workTypes';

/** An agent's record of a work that it applied; corresponds to OCM's AppliedManifestWork. */
export interface AppliedWork {
  uid: string;
  generation: number;
  /** The resources of all manifests whose kind the cluster has. */
  resources: readonly ResourceMeta[];
  /** The resources that are deleted with the work. */
  owned: readonly ResourceMeta[];
  /** Why a manifest could not be applied, by its ordinal. */
  errors: ReadonlyMap<number, string>;
}

/** All applied works by key, with an index over the objects of their manifests. */
export interface AppliedWorks {
  get(key: string): AppliedWork | undefined;
  set(key: string, work: AppliedWork): void;
  delete(key: string): void;
  /** The keys of all works of a cluster. */
  keysOn(cluster: string): string[];
  /** The keys of the works with a manifest for the object. */
  worksWith(cluster: string, ref: ObjectRef): string[];
  /** Whether a work other than `key` also owns the object. */
  isOwnedByOther(key: string, cluster: string, ref: ObjectRef): boolean;
  /** The objects that the work owns and no other work does. */
  ownedAlone(key: string): ResourceMeta[];
}

/** Creates an empty record of applied works. */
export function createAppliedWorks(): AppliedWorks {
  const works = new Map<string, AppliedWork>();
  const byObject = new Map<string, Set<string>>();
  const objectOf = (cluster: string, ref: ObjectRef) =>
    `${cluster}/${refKey(ref)}`;
  const clusterOf = (key: string) => key.slice(0, key.indexOf('/'));

  function deleteWork(key: string) {
    works
      .get(key)
      ?.resources.forEach(ref =>
        byObject.get(objectOf(clusterOf(key), ref))?.delete(key),
      );
    works.delete(key);
  }

  const applied: AppliedWorks = {
    get: key => works.get(key),
    set(key, work) {
      deleteWork(key);
      works.set(key, work);
      for (const ref of work.resources) {
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
    isOwnedByOther: (key, cluster, ref) =>
      applied
        .worksWith(cluster, ref)
        .some(
          other =>
            other !== key &&
            works
              .get(other)
              ?.owned.some(owned => refKey(owned) === refKey(ref)),
        ),
    ownedAlone: key =>
      (works.get(key)?.owned ?? []).filter(
        ref => !applied.isOwnedByOther(key, clusterOf(key), ref),
      ),
  };
  return applied;
}
