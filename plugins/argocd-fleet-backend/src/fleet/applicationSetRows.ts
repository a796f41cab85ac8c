import type {
  ArgoApplication,
  ArgoApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { createYield } from '../async';
import { objectKey } from '../kubernetes/client';
import { owningApplicationSet } from '../model/delivery';
import type { FleetCache } from './fleetCache';
import { isOwnedBy } from './fleetReader';

/** A row for each Application of an ApplicationSet. Only invalidated rows are made again. */
export interface ApplicationSetRows<Row> {
  /** Must be called for each change of what a row is made of. Returns the keys of the ApplicationSets that own them. */
  invalidate(applications: readonly ArgoApplication[]): string[];
  /** Drops all rows of an ApplicationSet: they are made again when they are read. */
  drop(applicationSet: string): void;
  /**
   * The rows by the key of their Application; read-only, and changed by the next call.
   * @param yieldSometimes - awaited after each row, to let other work of the process run
   */
  of(
    applicationSet: string,
    yieldSometimes?: () => Promise<void> | undefined,
  ): Promise<ReadonlyMap<string, Row>>;
}

interface SetRows<Row> {
  /** By the key of its Application. */
  readonly rows: Map<string, Row>;
  /** Keys of Applications whose row must be made again. */
  readonly stale: Set<string>;
}

/** Creates the rows of one hub. */
export function createApplicationSetRows<Row>(options: {
  readonly cache: FleetCache;
  /** Makes the row of an Application that the set owns; undefined for one that has none. */
  readonly rowOf: (
    application: ArgoApplication,
    key: string,
    applicationSet: ArgoApplicationSet,
  ) => Row | undefined;
}): ApplicationSetRows<Row> {
  const { cache, rowOf } = options;
  /** Of ApplicationSets whose rows were requested, as long as the sets exist. */
  const sets = new Map<string, SetRows<Row>>();

  function invalidate(applications: readonly ArgoApplication[]): string[] {
    const owners = new Set<string>();
    for (const application of applications) {
      const owner = owningApplicationSet(application);
      if (owner) {
        const key = objectKey(owner);
        sets.get(key)?.stale.add(objectKey(application.metadata));
        owners.add(key);
      }
    }
    return [...owners];
  }

  async function of(
    applicationSet: string,
    yieldSometimes = createYield(),
  ): Promise<ReadonlyMap<string, Row>> {
    const known = sets.get(applicationSet) ?? allStale(applicationSet);
    sets.set(applicationSet, known);
    // A row that becomes stale meanwhile is made too.
    for (const key of known.stale) {
      const row = makeRow(applicationSet, key);
      known.stale.delete(key);
      if (row === undefined) {
        known.rows.delete(key);
      } else {
        known.rows.set(key, row);
      }
      await yieldSometimes();
    }
    if (!cache.applicationSets.get(applicationSet)) {
      sets.delete(applicationSet);
    }
    return known.rows;
  }

  function allStale(applicationSet: string): SetRows<Row> {
    return {
      rows: new Map(),
      // In order: readers sort the rows, which is fast where they are nearly sorted.
      stale: new Set(
        [...cache.applications.keysBy('applicationSet', applicationSet)].sort(),
      ),
    };
  }

  function makeRow(setKey: string, key: string): Row | undefined {
    const application = cache.applications.get(key);
    const applicationSet = cache.applicationSets.get(setKey);
    return application &&
      applicationSet &&
      isOwnedBy(application, applicationSet)
      ? rowOf(application, key, applicationSet)
      : undefined;
  }

  return {
    invalidate,
    drop: applicationSet => void sets.delete(applicationSet),
    of,
  };
}
