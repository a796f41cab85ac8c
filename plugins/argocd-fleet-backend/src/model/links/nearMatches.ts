import type {
  NearMatch,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { distance } from 'fastest-levenshtein';
import type { LinkHub } from './entityLinks';
import type { LinkRequest } from './linkRequest';

/** So many are offered, the nearest first. */
const MAX_MATCHES = 5;

/** So many of the names in an annotation are compared, each with every ApplicationSet. */
const MAX_NAMES = 10;

/** Words that names of ApplicationSets have besides that of the application. */
const KIND_WORDS = new Set(['app', 'apps', 'set', 'appset', 'applicationset']);

/**
 * ApplicationSets that an entity without link may mean: those that own an Application which it names, those of its repository, and those with a name like its own or
 * like one that its annotation names.
 * @param name - the entity's
 * @param isVisible - whether the reader may see an ApplicationSet
 */
export function nearMatches(
  name: string,
  { refs, applications, repositories }: LinkRequest,
  hubs: readonly LinkHub[],
  isVisible: (ref: ObjectRef) => boolean,
): NearMatch[] {
  const matches = new Map<string, NearMatch & { readonly rank: number }>();

  function add(
    hub: string,
    set: { readonly namespace: string; readonly name: string },
    why: NearMatch['why'],
    rank: number,
  ) {
    const ref = { hub, namespace: set.namespace, name: set.name };
    const key = JSON.stringify(Object.values(ref));
    const known = matches.get(key);
    if ((!known || rank < known.rank) && isVisible(ref)) {
      matches.set(key, { ref, why, rank });
    }
  }

  const names = [
    name,
    ...refs.slice(0, MAX_NAMES).map(ref => ref.name),
    ...(applications?.names ?? []).slice(0, MAX_NAMES),
  ];
  for (const { name: hub, sets, applicationsNamed } of hubs) {
    for (const wanted of (applications?.names ?? []).slice(0, MAX_NAMES)) {
      for (const { applicationSet } of applicationsNamed(wanted)) {
        add(hub, applicationSet, 'application', 0);
      }
    }
    for (const location of repositories) {
      for (const { ref } of sets.inRepository(location)) {
        add(hub, ref, 'repository', 0);
      }
    }
    for (const { ref } of sets.all()) {
      const likeness = Math.min(
        ...names.map(each => unlikeness(each, ref.name)),
      );
      if (likeness < Infinity) {
        add(hub, ref, 'name', 1 + likeness);
      }
    }
  }
  return [...matches.values()]
    .sort((a, b) => a.rank - b.rank || (a.ref.name < b.ref.name ? -1 : 1))
    .slice(0, MAX_MATCHES)
    .map(({ ref, why }) => ({ ref, why }));
}

/** From 0 for the same words to infinity for names that have nothing to do with each other. */
function unlikeness(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const [few, many] =
    left.length < right.length ? [left, right] : [right, left];
  if (few.length === 0) {
    return Infinity;
  }
  if (few.every(word => many.includes(word))) {
    return (many.length - few.length) / many.length;
  }
  const [x, y] = [left.join('-'), right.join('-')];
  // One letter of six may be wrong, as in a slip.
  const allowed = Math.floor(Math.min(x.length, y.length) / 6) + 1;
  return Math.min(x.length, y.length) > 3 && distance(x, y) <= allowed
    ? 1
    : Infinity;
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '' && !KIND_WORDS.has(word));
}
