import type {
  NearMatch,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import {
  entityLinks,
  nearMatches,
  unmatchedHint,
  type EntityLinks,
  type LinkRequest,
  type LinkWays,
} from '../model/links';
import type { FleetLinkHub } from './linkHub';

/** Links entities of the catalog to the ApplicationSets of all hubs. */
export interface FleetLinks {
  /** Which ways of finding are switched on. */
  readonly ways: LinkWays;
  /** @param isVisible - whether the reader may see an ApplicationSet; by default, all are found */
  linksOf(
    request: LinkRequest,
    isVisible?: (ref: ObjectRef) => boolean,
  ): EntityLinks;
  /** What to offer the reader of an entity that has no link, or a wrong one. */
  suggestionsFor(
    name: string,
    request: LinkRequest,
    isVisible: (ref: ObjectRef) => boolean,
  ): { readonly nearMatches: NearMatch[]; readonly hint?: string };
  /** The terms by which ApplicationSets are found that changed since the last call, for the one who finds them anew. */
  takeChangedTerms(): ReadonlySet<string>;
}

/** Creates the links of these hubs, the default one first. */
export function createFleetLinks(options: {
  readonly hubs: readonly FleetLinkHub[];
  readonly ways: LinkWays;
}): FleetLinks {
  const { hubs, ways } = options;
  let changedTerms = new Set<string>();

  function refresh() {
    hubs.forEach(hub => hub.refresh(changedTerms));
  }

  return {
    ways,
    linksOf(request, isVisible = () => true) {
      refresh();
      return entityLinks(request, hubs, ways, isVisible);
    },
    suggestionsFor(name, request, isVisible) {
      refresh();
      const hint = unmatchedHint(request, hubs, ways);
      return {
        nearMatches: nearMatches(name, request, hubs, isVisible),
        ...(hint && !request.isExplicit && { hint }),
      };
    },
    takeChangedTerms() {
      refresh();
      const taken = changedTerms;
      changedTerms = new Set();
      return taken;
    },
  };
}
