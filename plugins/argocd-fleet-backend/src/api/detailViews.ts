import type {
  ApplicationSetDetail,
  ApplicationSetRows,
  ArgoApplication,
  ClusterApplication,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';
import { createYield } from '../async';
import { isOwnedBy, orWithoutContent } from '../fleet';
import { objectKey } from '../kubernetes/client';
import { owningApplicationSet } from '../model/delivery';
import { createResourceReader } from '../model/feedback';
import {
  applicationSetDetail,
  applicationSetRows,
  clusterApplication,
  detailRow,
  placementNameOf,
  type DetailRow,
} from '../model/views';
import type { Alarms } from './alarms';
import type { ApiHub } from './apiHub';
import {
  createApplicationSetViews,
  type ApplicationSetViews,
} from './applicationSetViews';
import { createRowChanges, type RowChanges } from './rowChanges';

/** The ApplicationSets of one hub with their rows, and their Applications in detail. */
export interface DetailViews extends Pick<
  ApplicationSetViews<ApplicationSetRows>,
  'apply' | 'invalidateAll'
> {
  /**
   * The set with the rows that changed since an earlier answer. Undefined where there is no such ApplicationSet.
   * @param since - `next` of that answer; where it is missing or no longer known, every row is in the answer
   */
  rowsSince(
    key: string,
    since: string | undefined,
  ): Promise<ApplicationSetRows | undefined>;
  /** Made at each call. Undefined where no ApplicationSet has such an Application that is delivered. */
  application(key: string): ClusterApplication | undefined;
  /** Every Application in detail, made at each call. Undefined where there is no such ApplicationSet. */
  withApplications(key: string): Promise<ApplicationSetDetail | undefined>;
}

/** The rows of so many ApplicationSets are kept, those that were read last. */
const KEPT_SETS = 10;

/** Creates the views. */
export function createDetailViews(options: {
  readonly hub: Pick<ApiHub, 'cache' | 'reader'>;
  readonly state: () => HubState;
  readonly alarms: Alarms;
}): DetailViews {
  const { hub, state, alarms } = options;
  const { cache, reader } = hub;
  const resourcesIn = createResourceReader();
  const views = createApplicationSetViews<DetailRow, ApplicationSetRows>({
    cache,
    alarms,
    changesAt: ({ summary }) => summary.changesAt,
    rowOf: (application, applicationSet) =>
      orWithoutContent(
        application,
        () =>
          detailRow(
            reader.fleetApplication(
              application,
              placementNameOf(applicationSet),
            ),
            resourcesIn,
          ),
        it => detailRow({ application: it }, resourcesIn),
      ),
    viewOf: (applicationSet, rows) =>
      orWithoutContent(
        applicationSet,
        () =>
          applicationSetRows(
            reader.fleetApplicationSet(applicationSet),
            rows,
            state(),
          ),
        it =>
          applicationSetRows(
            {
              hub: cache.hub,
              applicationSet: it,
              components: reader.components,
            },
            rows,
            state(),
          ),
      ),
  });
  /** The rows that readers know. The last one that was read comes last. */
  const read = new Map<string, RowChanges>();

  /** The view of a set that is read now, with what its readers know. */
  async function readView(key: string) {
    if (!cache.applicationSets.get(key)) {
      return undefined;
    }
    const changes = read.get(key) ?? createRowChanges();
    read.delete(key);
    read.set(key, changes);
    if (read.size > KEPT_SETS) {
      const [oldest] = read.keys();
      read.delete(oldest);
      views.drop(oldest);
    }
    const view = await views.get(key);
    return view && { view, changes };
  }

  function detailOf(
    application: ArgoApplication,
  ): ClusterApplication | undefined {
    const owner = owningApplicationSet(application);
    const applicationSet = owner && cache.applicationSets.get(objectKey(owner));
    if (!applicationSet || !isOwnedBy(application, applicationSet)) {
      return undefined;
    }
    return orWithoutContent(
      application,
      () => {
        const input = reader.fleetApplicationInDetail(
          application,
          placementNameOf(applicationSet),
        );
        return input.plan?.kind === 'excluded'
          ? undefined
          : clusterApplication(input, resourcesIn);
      },
      it => clusterApplication({ application: it }, resourcesIn),
    );
  }

  function detailAt(key: string): ClusterApplication | undefined {
    const application = cache.applications.get(key);
    return application && detailOf(application);
  }

  return {
    apply: change => (read.size > 0 ? views.apply(change) : []),
    async rowsSince(key, since) {
      const found = await readView(key);
      return found?.changes.since(found.view, since);
    },
    application: detailAt,
    async withApplications(key) {
      const { view } = (await readView(key)) ?? {};
      const details: ClusterApplication[] = [];
      const yieldSometimes = createYield();
      for (const row of view?.applications ?? []) {
        const detail = detailAt(objectKey(row.application));
        if (detail) {
          details.push(detail);
        }
        await yieldSometimes();
      }
      return view && applicationSetDetail(view, details);
    },
    invalidateAll: views.invalidateAll,
  };
}
