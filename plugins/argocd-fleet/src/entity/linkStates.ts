import type {
  ApplicationSetDetail,
  EntityFleet,
  EntityLink,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';
import { refKey } from '../objectRef';

/** One link of an entity, with the ApplicationSet or the reason why there is none. */
export type ResolvedLink =
  | {
      readonly state: 'found';
      readonly link: EntityLink;
      readonly set: ApplicationSetDetail;
    }
  | { readonly state: 'missing' | 'hubUnknown'; readonly link: EntityLink }
  | {
      readonly state: 'hubUnavailable';
      readonly link: EntityLink;
      readonly hub: HubState;
    };

/** Joins each link with its ApplicationSet or the state of its hub. */
export function resolveLinks(fleet: EntityFleet): ResolvedLink[] {
  return fleet.links.map(link => {
    const { ref } = link;
    const set = fleet.applicationSets.find(
      ({ ref: own }) => refKey(own) === refKey(ref),
    );
    if (set) {
      return { state: 'found', link, set };
    }
    if (link.state === 'hubUnavailable') {
      const hub = fleet.hubs.find(({ name }) => name === ref.hub);
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
