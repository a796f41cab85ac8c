import { setTimeout as sleep } from 'node:timers/promises';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { createYield } from '../async';
import { createResourceReader } from '../model/feedback';
import {
  applicationSetView,
  clusterApplication,
  createSharing,
  placementNameOf,
  summaryRow,
  tableRow,
  type FleetApplication,
  type FleetApplicationSet,
  type SummaryRow,
} from '../model/views';
import { orWithoutContent } from '../fleet';
import type { Alarms } from './alarms';
import type { ApiHub } from './apiHub';
import { createApplicationSetViews } from './applicationSetViews';
import type { ViewChange } from './viewChange';

/** The ApplicationSets of one hub as lists show them. */
export interface FleetSummaries {
  /** Must be called for each change. Returns the keys of the ApplicationSets whose summary changes. */
  apply(change: ViewChange): string[];
  /** Undefined where there is no such ApplicationSet. */
  get(key: string): Promise<ApplicationSet | undefined>;
  /** By namespace and name. Answers soon, also while the hub is being listed or many rows have to be made. */
  list(): Promise<{
    readonly items: readonly ApplicationSet[];
    /** Whether every summary counts all that was known when the list was requested. */
    readonly complete: boolean;
  }>;
}

/** Milliseconds that a list waits for rows: enough for thousands. */
const PATIENCE_MS = 1_000;
/** The same while the hub is being listed: most rows will change again. */
const STARTING_PATIENCE_MS = 100;

/**
 * Creates the summaries. A row is made when it is first needed, and again after it changed; it keeps some numbers and
 * no texts.
 */
export function createFleetSummaries(options: {
  readonly hub: Pick<ApiHub, 'cache' | 'reader'>;
  /** Called when the rows are made that a list did not wait for. */
  readonly onComplete: () => void;
  readonly alarms: Alarms;
}): FleetSummaries {
  const { hub, onComplete, alarms } = options;
  const { cache, reader } = hub;
  const resourcesIn = createResourceReader();
  const share = createSharing();
  const views = createApplicationSetViews<SummaryRow, ApplicationSet>({
    cache,
    alarms,
    changesAt: row => row.changesAt,
    rowOf(application, applicationSet) {
      const rowFor = (input: FleetApplication) =>
        summaryRow(input, resourcesIn, share);
      return orWithoutContent(
        application,
        () =>
          rowFor(
            reader.fleetApplication(
              application,
              placementNameOf(applicationSet),
            ),
          ),
        it => rowFor({ application: it }),
      );
    },
    viewOf(applicationSet, rows) {
      const viewFor = (input: FleetApplicationSet) =>
        applicationSetView(input, rows, key =>
          rowOf(key, input.placement?.name),
        );
      return orWithoutContent(
        applicationSet,
        () => viewFor(reader.fleetApplicationSet(applicationSet)),
        it =>
          viewFor({
            hub: cache.hub,
            applicationSet: it,
            components: reader.components,
          }),
      );
    },
  });

  /** Made again: a list shows the problem of one row only. */
  function rowOf(key: string, placement: string | undefined) {
    const application = cache.applications.get(key);
    const rowFor = (input: FleetApplication) =>
      tableRow(clusterApplication(input, resourcesIn)).row;
    return (
      application &&
      orWithoutContent(
        application,
        () => rowFor(reader.fleetApplication(application, placement)),
        it => rowFor({ application: it }),
      )
    );
  }

  /** Makes what changed. Whatever is not made when the signal is aborted remains to be made. */
  async function update(signal: AbortSignal) {
    const yieldSometimes = createYield();
    for (const key of [...cache.applicationSets.keys()]) {
      if (signal.aborted) {
        return;
      }
      await views.get(key);
      await yieldSometimes();
    }
  }

  return {
    apply: views.apply,
    get: views.get,
    async list() {
      const isStarting = cache.state().state === 'starting';
      const answered = new AbortController();
      const stopped = new AbortController();
      let complete = false;
      const updated = update(stopped.signal).then(() => {
        complete = true;
        if (answered.signal.aborted && !stopped.signal.aborted) {
          onComplete();
        }
      });
      const patience = sleep(
        isStarting ? STARTING_PATIENCE_MS : PATIENCE_MS,
        undefined,
        { signal: answered.signal },
      );
      await Promise.race([updated, patience]);
      const items = [...cache.applicationSets.keys()]
        .sort()
        .flatMap(key => views.known(key) ?? []);
      answered.abort();
      if (isStarting) {
        stopped.abort();
      }
      return { items, complete };
    },
  };
}
