import type {
  NearMatch,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { createYield } from '../async';
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
  /**
   * Reads what has changed on the hubs, and lets others run in between. The other calls read the rest: where all of a
   * large hub is new, that takes long.
   */
  refresh(): Promise<void>;
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

  function refreshNow() {
    for (const hub of hubs) {
      const steps = hub.refresh(changedTerms)[Symbol.iterator]();
      while (!steps.next().done);
    }
  }

  return {
    ways,
    async refresh() {
      const yieldSometimes = createYield();
      for (const hub of hubs) {
        for (const _ of hub.refresh(changedTerms)) {
          await yieldSometimes();
        }
      }
    },
    linksOf(request, isVisible = () => true) {
      refreshNow();
      return entityLinks(request, hubs, ways, isVisible);
    },
    suggestionsFor(name, request, isVisible) {
      refreshNow();
      const hint = unmatchedHint(request, hubs, ways);
      return {
        nearMatches: nearMatches(name, request, hubs, isVisible),
        ...(hint && !request.isExplicit && { hint }),
      };
    },
    takeChangedTerms() {
      refreshNow();
      const taken = changedTerms;
      changedTerms = new Set();
      return taken;
    },
  };
}
