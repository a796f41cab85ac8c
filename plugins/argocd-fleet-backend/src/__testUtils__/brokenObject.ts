import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache, FleetResource } from '../fleet';
import { objectKey } from '../kubernetes/client/client';

/** The object, if it has the key, as one of which only the metadata can be read; any other access throws. */
export function brokenObject<T extends KubernetesObject | undefined>(
  object: T,
  key: string | undefined,
): T {
  return object && objectKey(object.metadata) === key
    ? new Proxy(object, {
        get(target, field: keyof KubernetesObject) {
          if (['metadata', 'apiVersion', 'kind'].includes(field)) {
            return target[field];
          }
          throw new Error(`no ${String(field)}`);
        },
      })
    : object;
}

/** How a resource is read, with the object of the key that `broken` returns broken. */
export function readsWithBroken<Name extends FleetResource>(
  { get, by, list }: FleetCache[Name],
  broken: () => string | undefined,
): Pick<FleetCache[Name], 'get' | 'by' | 'list'> {
  return {
    get: (key: string) => brokenObject(get(key), broken()),
    by: (index: never, value: string) =>
      by(index, value).map(object =>
        brokenObject(object as KubernetesObject, broken()),
      ),
    *list() {
      for (const object of list()) {
        yield brokenObject(object, broken());
      }
    },
  } as Pick<FleetCache[Name], 'get' | 'by' | 'list'>;
}
