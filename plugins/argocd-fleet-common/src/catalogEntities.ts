import type { LinkWay } from './api';

/** Type of the location of every entity that the catalog module makes. @public */
export const FLEET_LOCATION_TYPE = 'argocd-fleet';

/**
 * The ways in which an entity is linked to an ApplicationSet, in the order in which they count; see {@link LinkWay}.
 * @public
 */
export const LINK_WAYS: readonly LinkWay[] = [
  'annotation',
  'selector',
  'relation',
  'argocdAnnotation',
  'repository',
];

/** References in one request: Backstage reads bodies of at most 100 kB. */
const PER_REQUEST = 200;

/**
 * Whether the catalog module made an entity.
 * @param location - its annotation `backstage.io/managed-by-location`
 * @public
 */
export function isFleetLocation(location: string | undefined): boolean {
  return location?.startsWith(`${FLEET_LOCATION_TYPE}:`) ?? false;
}

/**
 * Reference of the component that an ApplicationSet's annotation names. It is in lower case: the catalog compares
 * names case-insensitively.
 * @public
 */
export function componentRef(name: string): string {
  return `component:default/${name.toLowerCase()}`;
}

/**
 * Reads entities of the catalog, each once, in requests of a size that Backstage accepts.
 * @param read - returns an item for each reference, in the same order
 * @returns what the catalog has, by reference
 * @public
 */
export async function readEntities<Entity>(
  refs: Iterable<string>,
  read: (
    entityRefs: string[],
  ) => Promise<{ readonly items: readonly (Entity | undefined)[] }>,
): Promise<Map<string, Entity>> {
  const wanted = [...new Set(refs)];
  const found = new Map<string, Entity>();
  for (let from = 0; from < wanted.length; from += PER_REQUEST) {
    const part = wanted.slice(from, from + PER_REQUEST);
    const { items } = await read(part);
    for (const [index, ref] of part.entries()) {
      const entity = items[index];
      if (entity !== undefined) {
        found.set(ref, entity);
      }
    }
  }
  return found;
}
