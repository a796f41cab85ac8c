// What is asked of Backstage's catalog: which entities belong to which ApplicationSets. `createLinkHub` reads what can be
// linked on a hub, `createFleetLinks` finds the links of one entity on all hubs, and `createLinkedEntities` knows those of
// the whole catalog. The rules are in model/links.

export { createFleetLinks, type FleetLinks } from './fleetLinks';
export {
  createLinkedEntities,
  type LinkedEntities,
  type LinkedEntity,
} from './linkedEntities';
export { createLinkHub, type FleetLinkHub } from './linkHub';
