import type {
  ArgoSource,
  LabelSelector,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { sameJson } from '../json';
import { matchesLabels } from '../placement';
import {
  entityTerm,
  folderTerms,
  projectTerm,
  repositoryTerm,
  selectorTerms,
  termsOf,
  type SourcePlace,
} from './linkTerms';
import {
  isSameServer,
  parseRepositoryAddress,
  repositoryKey,
} from './repositoryAddress';
import type { ApplicationFacts, SetFacts } from './setFacts';
import { pathInRepository, type LocatedRepository } from './sourceLocation';

interface IndexedSet {
  readonly facts: SetFacts;
  readonly places: readonly SourcePlace[];
  readonly terms: readonly string[];
}

/** The ApplicationSets of one hub, by what links them to entities of the catalog. Keys are `<namespace>/<name>`. */
export interface LinkableSets {
  /**
   * Adds it, or replaces what is known of it.
   * @returns the terms by which it was or is found; none where nothing has changed
   */
  set(key: string, facts: SetFacts): readonly string[];
  /** @returns the terms by which it was found */
  delete(key: string): readonly string[];
  get(key: string): SetFacts | undefined;
  all(): Iterable<SetFacts>;
  /** Of all ApplicationSets. */
  namespaces(): Iterable<string>;
  ofEntity(entityRef: string): Iterable<SetFacts>;
  /** By labels of their own. */
  selected(selector: LabelSelector): Iterable<SetFacts>;
  /** By Applications for which everything holds that is given. */
  ofApplications(wanted: {
    readonly selector?: LabelSelector;
    readonly project?: string;
    readonly namespace?: string;
  }): Iterable<SetFacts>;
  /** By a source in the folder of the repository. */
  inFolder(location: LocatedRepository): Iterable<SetFacts>;
  /** By any source in the repository. */
  inRepository(location: LocatedRepository): Iterable<SetFacts>;
}

/** Longest address and path of a source that are looked for: each is in as many terms as the path has folders. */
const MAX_LENGTH = 512;

/** Creates an empty index. To add a set takes as long as it has terms, and to find sets as long as there are of the rarest. */
export function createLinkableSets(): LinkableSets {
  const sets = new Map<string, IndexedSet>();
  const postings = new Map<string, Set<string>>();
  /** How many are in each namespace. */
  const namespaces = new Map<string, number>();

  function count({ namespace }: NamespacedName, by: number) {
    const number = (namespaces.get(namespace) ?? 0) + by;
    if (number === 0) {
      namespaces.delete(namespace);
    } else {
      namespaces.set(namespace, number);
    }
  }

  function remove(key: string): readonly string[] {
    const set = sets.get(key);
    if (!set) {
      return [];
    }
    const { facts, terms } = set;
    count(facts.ref, -1);
    for (const term of terms) {
      const keys = postings.get(term);
      keys?.delete(key);
      if (keys?.size === 0) {
        postings.delete(term);
      }
    }
    sets.delete(key);
    return terms;
  }

  function* withTerm(terms: readonly string[]): Iterable<IndexedSet> {
    const seen = new Set<string>();
    for (const term of terms) {
      for (const key of postings.get(term) ?? []) {
        const set = sets.get(key);
        if (set && !seen.has(key)) {
          seen.add(key);
          yield set;
        }
      }
    }
  }

  /** Of the alternatives of terms that a set must have, those of the fewest sets. */
  function rarest(alternatives: readonly (readonly string[])[]) {
    const sizeOf = (terms: readonly string[]) =>
      terms.reduce((sum, term) => sum + (postings.get(term)?.size ?? 0), 0);
    return alternatives.reduce(
      (a, b) => (sizeOf(b) < sizeOf(a) ? b : a),
      alternatives[0] ?? [],
    );
  }

  return {
    set(key, facts) {
      const before = sets.get(key);
      if (before && sameJson(before.facts, facts)) {
        return [];
      }
      remove(key);
      const places = facts.sources.flatMap(source => placeOf(source) ?? []);
      const terms = termsOf(facts, places);
      sets.set(key, { facts, places, terms });
      count(facts.ref, 1);
      for (const term of terms) {
        const keys = postings.get(term);
        if (keys) {
          keys.add(key);
        } else {
          postings.set(term, new Set([key]));
        }
      }
      return [...terms, ...(before?.terms ?? [])];
    },
    delete: remove,
    get: key => sets.get(key)?.facts,
    *all() {
      for (const { facts } of sets.values()) {
        yield facts;
      }
    },
    namespaces: () => namespaces.keys(),
    *ofEntity(entityRef) {
      for (const { facts } of withTerm([entityTerm(entityRef)])) {
        yield facts;
      }
    },
    *selected(selector) {
      for (const { facts } of withTerm(rarest(selectorTerms('l', selector)))) {
        if (matchesLabels(facts.labels, selector)) {
          yield facts;
        }
      }
    },
    *ofApplications(wanted) {
      const { selector, project } = wanted;
      const alternatives = [
        ...(selector ? selectorTerms('a', selector) : []),
        ...(project === undefined ? [] : [[projectTerm(project)]]),
      ];
      for (const { facts } of withTerm(rarest(alternatives))) {
        if (facts.applications.some(each => isWanted(each, wanted))) {
          yield facts;
        }
      }
    },
    *inFolder(location) {
      for (const { facts, places } of withTerm(folderTerms(location))) {
        if (
          places.some(
            place =>
              isThere(place, location) &&
              place.path &&
              isUnder(place.path, pathInRepository(location, place.revision)),
          )
        ) {
          yield facts;
        }
      }
    },
    *inRepository(location) {
      for (const { facts, places } of withTerm([
        repositoryTerm(location.repository),
      ])) {
        if (places.some(place => isThere(place, location))) {
          yield facts;
        }
      }
    },
  };
}

/** Whether all that is given holds of an Application. */
export function isWanted(
  application: ApplicationFacts,
  wanted: Parameters<LinkableSets['ofApplications']>[0],
): boolean {
  const { selector, project, namespace } = wanted;
  return (
    (project === undefined || application.project === project) &&
    (namespace === undefined || application.namespace === namespace) &&
    (!selector || matchesLabels(application.labels, selector))
  );
}

function placeOf({
  repoURL,
  path,
  chart,
  ref,
  targetRevision,
}: ArgoSource): SourcePlace | undefined {
  // A chart in an OCI registry is `<repository>/<chart>` there, and the address may be without its scheme. In a Helm
  // repository it has no place of its own.
  const written = chart
    ? `oci://${repoURL.replace(/^oci:\/\//i, '').replace(/\/$/, '')}/${chart}`
    : repoURL;
  const address =
    written.length > MAX_LENGTH || (chart && /^https?:/i.test(repoURL))
      ? undefined
      : parseRepositoryAddress(written);
  const segments = (path ?? '').split('/').filter(part => part && part !== '.');
  const isPlace =
    (path?.length ?? 0) <= MAX_LENGTH &&
    !segments.includes('..') &&
    (path !== undefined || !ref);
  return (
    address && {
      address,
      path: isPlace ? segments : undefined,
      revision: targetRevision,
    }
  );
}

function isThere(
  { address }: SourcePlace,
  { repository }: LocatedRepository,
): boolean {
  return (
    repositoryKey(address) === repositoryKey(repository) &&
    isSameServer(address, repository)
  );
}

/** A location in a folder means what is in it; one of the whole repository only what is deployed from its root. */
function isUnder(path: readonly string[], folder: readonly string[]): boolean {
  return folder.length === 0
    ? path.length === 0
    : folder.every((segment, index) => path[index] === segment);
}
