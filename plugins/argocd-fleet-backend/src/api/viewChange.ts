import {
  HOSTING_APPLICATION_SET_ANNOTATION,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationsShownOtherwise,
  identityChanged,
  redecidedClusters,
  sameOrigin,
  type EventOf,
  type FleetCache,
  type FleetEvent,
} from '../fleet';
import { objectKey, parseKey } from '../kubernetes/client';
import {
  hubApplicationOf,
  isPullModel,
  sameRollingSync,
} from '../model/delivery';
import { placementNameOf } from '../model/views';

/** What changes on the pages of ApplicationSets. */
export interface ViewChange {
  /** Applications whose row must be made again. */
  readonly applications: readonly ArgoApplication[];
  /** Keys of ApplicationSets that have changed themselves. */
  readonly applicationSets: readonly string[];
  /** Keys of ApplicationSets of which all rows must be made again. */
  readonly replaced: readonly string[];
}

const NONE: readonly never[] = [];

/** What an event changes on the pages; a report, which this plugin writes, changes nothing. */
export function viewChange(event: FleetEvent, cache: FleetCache): ViewChange {
  const applications = applicationsShownOtherwise(event, cache);
  switch (event.resource) {
    case 'applicationSets': {
      const { key, before, after } = event;
      const keys = [key];
      // One that was created again under the same name owns other Applications. The rows name the Placement, and what
      // they wait for.
      const isReplaced =
        identityChanged(event) ||
        !sameRollingSync(before, after) ||
        (before && placementNameOf(before)) !==
          (after && placementNameOf(after));
      return {
        applications,
        applicationSets: keys,
        replaced: isReplaced ? keys : NONE,
      };
    }
    case 'placements':
      return {
        applications,
        applicationSets: identityChanged(event)
          ? setsBeside(event.key, cache)
          : NONE,
        replaced: NONE,
      };
    case 'decisions':
      return {
        applications,
        applicationSets:
          redecidedClusters(event).length > 0 ||
          !sameOrigin(event.before, event.after)
            ? setsBeside(event.key, cache)
            : NONE,
        replaced: NONE,
      };
    case 'works':
      return {
        applications,
        applicationSets: setsOfRemaining(event, cache),
        replaced: NONE,
      };
    default:
      return { applications, applicationSets: NONE, replaced: NONE };
  }
}

/** ApplicationSets of works that deliver no Application, whose number the page of the set shows. */
function setsOfRemaining(
  { before, after }: EventOf<'works'>,
  { applications, applicationSets }: FleetCache,
): string[] {
  const keys = [before, after].flatMap(work => {
    const name = work && hubApplicationOf(work);
    const application = name && applications.get(objectKey(name));
    const set =
      work?.metadata.annotations?.[HOSTING_APPLICATION_SET_ANNOTATION];
    return set && !(application && isPullModel(application)) ? [set] : [];
  });
  return [...new Set(keys)].filter(key => applicationSets.get(key));
}

/** Keys of the ApplicationSets in the namespace of the object. */
function setsBeside(key: string, cache: FleetCache): string[] {
  const prefix = `${parseKey(key).namespace}/`;
  return [...cache.applicationSets.keys()].filter(set =>
    set.startsWith(prefix),
  );
}
