// Which ApplicationSets belong to an entity of the catalog, and how are they found? `readLinkRequest` reads what an entity
// says, `createLinkableSets` knows the ApplicationSets of a hub, and `entityLinks`, the main entry, joins the two for the
// tab, the card, the list, the catalog's relations and the permissions alike. `nearMatches` is what to offer where nothing
// is found. Rules: docs/links.md.

export {
  entityLinks,
  unmatchedHint,
  type EntityLinks,
  type LinkHub,
} from './entityLinks';
export { createLinkableSets, type LinkableSets } from './linkableSets';
export { applicationTerm, requestTerms } from './linkTerms';
export type { ApplicationFacts, SetFacts } from './setFacts';
export { readLinkRequest, type LinkRequest } from './linkRequest';
export { DEFAULT_LINK_WAYS, type LinkWays } from './linkWays';
export { nearMatches } from './nearMatches';
export { isSameRepository } from './repositoryAddress';
