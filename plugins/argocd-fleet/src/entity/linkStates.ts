import type {
  ApplicationSet,
  EntityFleet,
  EntityLink,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';
import { refKey } from '../objectRef';

/** One link of an entity, with the ApplicationSet and the state of its hub, or the reason why there is none. */
export type ResolvedLink =
  | {
      readonly state: 'found';
      readonly link: EntityLink;
      readonly set: ApplicationSet;
      readonly hub: HubState | undefined;
    }
  | {
      readonly state: 'missing' | 'hubUnknown';
      readonly link: Pick<EntityLink, 'ref' | 'via'>;
    }
  | {
      readonly state: 'hubUnavailable';
      readonly link: EntityLink;
      readonly hub: HubState;
    };

/** Joins each link with its ApplicationSet or the state of its hub. */
export function resolveLinks(fleet: EntityFleet): ResolvedLink[] {
  return fleet.links.map(link => {
    const { ref } = link;
    const hub = fleet.hubs.find(({ name }) => name === ref.hub);
    const set = fleet.applicationSets.find(
      ({ ref: own }) => refKey(own) === refKey(ref),
    );
    if (set) {
      return { state: 'found', link, set, hub };
    }
    if (link.state === 'hubUnavailable') {
      return {
        state: 'hubUnavailable',
        link,
        hub: hub ?? { name: ref.hub, state: 'unreachable' },
      };
    }
    return {
      state: link.state === 'hubUnknown' ? 'hubUnknown' : 'missing',
      link,
    };
  });
}
