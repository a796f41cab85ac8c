import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import {
  affectedApplications,
  identityChanged,
  localClusterChanged,
  stalenessChanged,
  type EventOf,
  type FleetCache,
  type FleetEvent,
  type FleetReader,
  type ResourceDetails,
} from '../../fleet';
import type { Watches } from '../../runtime';
import type { ReportRows } from './reportRows';

/** The statuses of a set's clusters change many at a time. */
const DEBOUNCE_MS = 150;

/** Events enqueue the ApplicationSets whose report they may change, and invalidate the rows of it that they change. */
export function aggregationWatches(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly rows: Pick<ReportRows, 'invalidate' | 'drop'>;
  readonly details?: ResourceDetails;
  /** Whether we are writing a report: its events are then the answers to our own write. */
  readonly isBeingWritten: (key: string) => boolean;
}): Watches {
  const { cache, reader, rows, details, isBeingWritten } = options;
  const rowsOf = (event: FleetEvent) =>
    rows.invalidate(affectedApplications(event, cache));
  return {
    synced: ['applicationSets', 'applications', 'works', 'clusters', 'reports'],
    debounceMs: DEBOUNCE_MS,
    events: {
      applicationSets(event) {
        // One that was created again under the same name owns other Applications.
        if (identityChanged(event)) {
          rows.drop(event.key);
        }
        return [event.key];
      },
      reports: ({ key }) => (isBeingWritten(key) ? [] : [key]),
      applications: rowsOf,
      works: rowsOf,
      clusters: event => rows.invalidate(onCluster(event, cache, reader)),
    },
    onOutsideEvent:
      details &&
      (listener =>
        details.onChange(keys =>
          listener(
            rows.invalidate(
              keys
                .map(key => cache.applications.get(key))
                .filter(application => application !== undefined),
            ),
          ),
        )),
  };
}

/** Where only the staleness changed, details of resource sources count for more or less than before. */
function onCluster(
  event: EventOf<'clusters'>,
  cache: FleetCache,
  reader: FleetReader,
): readonly ArgoApplication[] {
  if (localClusterChanged(event)) {
    return affectedApplications(event, cache);
  }
  return stalenessChanged(event)
    ? affectedApplications(event, cache).filter(application =>
        reader.sourcedOf(application),
      )
    : [];
}
