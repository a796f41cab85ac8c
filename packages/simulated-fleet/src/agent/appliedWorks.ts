import { stableJson } from '../kubernetes/json';
import { ResourceMeta } from '../kubernetes/workTypes';

/** What an agent remembers about a work that it applied, as an AppliedManifestWork does. */
export interface AppliedWork {
  uid: string;
  generation: number;
  resources: readonly ResourceMeta[];
  /** Resources that go when the work goes. */
  owned: readonly ResourceMeta[];
  errors: ReadonlyMap<number, string>;
}

type Ref = Pick<ResourceMeta, 'group' | 'resource' | 'namespace' | 'name'>;

/** All applied works, and which of them care about an object of their cluster. */
export interface AppliedWorks {
  get(key: string): AppliedWork | undefined;
  set(key: string, work: AppliedWork): void;
  delete(key: string): void;
  /** Keys of all works of a cluster. */
  keysOn(cluster: string): string[];
  /** Keys of the works with a manifest for that object. */
  caringAbout(cluster: string, ref: Ref): string[];
  /** Whether a work other than `key` owns the object too. */
  isOwnedByOther(key: string, cluster: string, ref: Ref): boolean;
}

export function createAppliedWorks(): AppliedWorks {
  const works = new Map<string, AppliedWork>();
  const byObject = new Map<string, Set<string>>();
  const objectOf = (cluster: string, ref: Ref) =>
    stableJson([cluster, ref.group, ref.resource, ref.namespace, ref.name]);
  const clusterOf = (key: string) => key.slice(0, key.indexOf('/'));

  function forget(key: string) {
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
      forget(key);
      works.set(key, work);
      for (const ref of work.resources) {
        const object = objectOf(clusterOf(key), ref);
        byObject.set(object, (byObject.get(object) ?? new Set()).add(key));
      }
    },
    delete: forget,
    keysOn: cluster =>
      [...works.keys()].filter(key => clusterOf(key) === cluster),
    caringAbout: (cluster, ref) => [
      ...(byObject.get(objectOf(cluster, ref)) ?? []),
    ],
    isOwnedByOther: (key, cluster, ref) =>
      applied
        .caringAbout(cluster, ref)
        .some(
          other =>
            other !== key &&
            works
              .get(other)
              ?.owned.some(
                owned => objectOf(cluster, owned) === objectOf(cluster, ref),
              ),
        ),
  };
  return applied;
}
