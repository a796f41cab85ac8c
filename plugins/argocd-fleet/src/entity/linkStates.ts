import type {
  ApplicationSetDetail,
  EntityFleet,
  EntityLink,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';

/** What became of one link of an entity. */
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

/** Puts each link together with what the answer says about it. */
export function resolveLinks(fleet: EntityFleet): ResolvedLink[] {
  return fleet.links.map(link => {
    const { ref } = link;
    const set = fleet.applicationSets.find(
      ({ ref: own }) =>
        own.hub === ref.hub &&
        own.namespace === ref.namespace &&
        own.name === ref.name,
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
