import type {
  ArgoApplication,
  ArgoApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { yieldToEventLoop } from '../async';
import { createApplicationSetRows, type FleetCache } from '../fleet';
import type { Alarms } from './alarms';
import type { ViewChange } from './viewChange';

/** Views of ApplicationSets that are put together from a row for each of their Applications. */
export interface ApplicationSetViews<View> {
  /** Must be called for each change. Returns the keys of the ApplicationSets whose view changes. */
  apply(change: ViewChange): string[];
  /** Makes the rows that changed, and the view again if it changed. Undefined where there is no such ApplicationSet. */
  get(key: string): Promise<View | undefined>;
  /** The view as it was last made; without any rows if it never was. */
  known(key: string): View | undefined;
  /** All views must be made again, from the same rows. */
  invalidateAll(): void;
  /** Drops a view with its rows. */
  drop(key: string): void;
}

interface Entry<View> {
  view?: View;
  /** `version` for which the view was made. */
  madeFor?: number;
  /** Counts the changes. */
  version: number;
}

/** Creates the views of one hub. */
export function createApplicationSetViews<Row, View>(options: {
  readonly cache: FleetCache;
  readonly rowOf: (
    application: ArgoApplication,
    applicationSet: ArgoApplicationSet,
  ) => Row;
  readonly viewOf: (
    applicationSet: ArgoApplicationSet,
    rows: ReadonlyMap<string, Row>,
  ) => View;
  /** When a row changes by itself, in milliseconds since the epoch. */
  readonly changesAt: (row: Row) => number | undefined;
  readonly alarms: Alarms;
}): ApplicationSetViews<View> {
  const { cache, rowOf, viewOf, changesAt, alarms } = options;
  const entries = new Map<string, Entry<View>>();

  const rows = createApplicationSetRows<Row>({
    cache,
    rowOf(application, key, applicationSet) {
      const row = rowOf(application, applicationSet);
      const at = changesAt(row);
      if (at !== undefined) {
        alarms.set(key, at);
      }
      return row;
    },
  });

  function drop(key: string) {
    entries.delete(key);
    rows.drop(key);
  }

  function invalidate(key: string) {
    const entry = entries.get(key);
    if (entry) {
      entry.version += 1;
    }
  }

  function entryOf(key: string): Entry<View> {
    const known = entries.get(key);
    if (known) {
      return known;
    }
    const entry = { version: 0 };
    entries.set(key, entry);
    return entry;
  }

  return {
    apply({ applications, applicationSets, replaced }) {
      replaced.forEach(drop);
      const owners = rows.invalidate(applications);
      owners.forEach(invalidate);
      applicationSets.forEach(invalidate);
      return applicationSets.length > 0
        ? [...new Set([...owners, ...applicationSets])]
        : owners;
    },
    async get(key) {
      if (!cache.applicationSets.get(key)) {
        return undefined;
      }
      const entry = entryOf(key);
      const { version } = entry;
      if (entry.madeFor === version) {
        return entry.view;
      }
      const made = await rows.of(key);
      // The view of thousands of rows takes a turn of its own.
      await yieldToEventLoop();
      const applicationSet = cache.applicationSets.get(key);
      if (!applicationSet) {
        return undefined;
      }
      const view = viewOf(applicationSet, made);
      // What has changed meanwhile is made by the next call; after `drop` this entry is nobody's.
      entry.view = view;
      entry.madeFor = version;
      return view;
    },
    known(key) {
      const view = entries.get(key)?.view;
      const applicationSet = view ? undefined : cache.applicationSets.get(key);
      return applicationSet ? viewOf(applicationSet, new Map()) : view;
    },
    invalidateAll: () => [...entries.keys()].forEach(invalidate),
    drop,
  };
}
