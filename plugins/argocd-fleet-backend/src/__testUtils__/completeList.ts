import type { ApplicationSetList } from 'backstage-plugin-argocd-fleet-common';
import type { FleetViews } from '../api/fleetViews';
import { waitFor } from './waitFor';

/** The list of ApplicationSets of one hub, once it counts everything: on a busy machine, it answers before that. */
export function completeList(views: FleetViews): Promise<ApplicationSetList> {
  return waitFor(async () => {
    const list = await views.listApplicationSets();
    return list.hubs[0].state === 'ready' && list;
  });
}
