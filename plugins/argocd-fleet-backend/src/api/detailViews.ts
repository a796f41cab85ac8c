import type {
  ApplicationSetDetail,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';
import { createResourceReader } from '../model/feedback';
import {
  applicationSetDetail,
  detailRow,
  placementNameOf,
  type DetailRow,
} from '../model/views';
import type { ApiHub } from './apiHub';
import {
  createApplicationSetViews,
  type ApplicationSetViews,
} from './applicationSetViews';

/** The ApplicationSets of one hub with their rows. */
export type DetailViews = Pick<
  ApplicationSetViews<ApplicationSetDetail>,
  'apply' | 'get' | 'invalidateAll'
>;

/** The rows of so many ApplicationSets are kept, those that were read last: a row has some kilobytes. */
const KEPT_SETS = 10;

/** Creates the views. */
export function createDetailViews(options: {
  readonly hub: Pick<ApiHub, 'cache' | 'reader'>;
  readonly state: () => HubState;
}): DetailViews {
  const { hub, state } = options;
  const { cache, reader } = hub;
  const resourcesIn = createResourceReader();
  const views = createApplicationSetViews<DetailRow, ApplicationSetDetail>({
    cache,
    rowOf: (application, applicationSet) =>
      detailRow(
        reader.fleetApplication(application, placementNameOf(applicationSet)),
        resourcesIn,
      ),
    viewOf: (applicationSet, rows) =>
      applicationSetDetail(
        reader.fleetApplicationSet(applicationSet),
        rows,
        state(),
      ),
  });
  /** The last one that was read comes last. */
  const read = new Set<string>();

  return {
    apply: change => (read.size > 0 ? views.apply(change) : []),
    async get(key) {
      if (!cache.applicationSets.get(key)) {
        return undefined;
      }
      read.delete(key);
      read.add(key);
      if (read.size > KEPT_SETS) {
        const [oldest] = read;
        read.delete(oldest);
        views.drop(oldest);
      }
      return views.get(key);
    },
    invalidateAll: views.invalidateAll,
  };
}
