import type {
  ArgoApplication,
  KubernetesObject,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { isOwnedBy, type FleetCache, type FleetReader } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import {
  isPullModel,
  owningApplicationSet,
  targetCluster,
} from '../../model/delivery';
import { createResourceReader } from '../../model/feedback';
import {
  reportRow,
  type DeployedLists,
  type ReportRow,
} from '../../model/report';
import { reportedStateOf } from '../../model/views';

/** Rows between two yields: a few milliseconds of a set's first report. */
const ROWS_PER_YIELD = 100;

/** The rows of each ApplicationSet's report. Only invalidated rows are made again. */
export interface ReportRows {
  /**
   * Must be called for each change of an Application, its work or its cluster. Returns the keys of the ApplicationSets
   * that own them.
   */
  invalidate(applications: readonly ArgoApplication[]): string[];
  /** Drops all rows of an ApplicationSet that was created, deleted or created again. */
  drop(applicationSet: string): void;
  /** @param yieldNow - called between large pieces of work, to let other work of the process run */
  of(
    applicationSet: string,
    yieldNow: () => Promise<void>,
  ): Promise<readonly ReportRow[]>;
}

interface SetRows {
  /** By the key of its Application. */
  readonly rows: Map<string, ReportRow>;
  /** Keys of Applications whose row must be made again. */
  readonly stale: Set<string>;
}

/** Creates the rows of one hub. */
export function createReportRows(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
}): ReportRows {
  const { cache, reader } = options;
  /** Clusters mostly have the same resources: their rows share one list. */
  const resourcesIn = createResourceReader();
  const deployedLists: DeployedLists = new WeakMap();
  /** Of ApplicationSets whose rows were requested, as long as the sets exist. */
  const sets = new Map<string, SetRows>();

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
    yieldNow: () => Promise<void>,
  ): Promise<readonly ReportRow[]> {
    const known = sets.get(applicationSet) ?? allStale(applicationSet);
    sets.set(applicationSet, known);
    let made = 0;
    // A row that becomes stale meanwhile is made too.
    for (const key of known.stale) {
      if (made > 0 && made % ROWS_PER_YIELD === 0) {
        await yieldNow();
      }
      const row = rowOf(applicationSet, key);
      known.stale.delete(key);
      if (row) {
        known.rows.set(key, row);
      } else {
        known.rows.delete(key);
      }
      made += 1;
    }
    if (!cache.applicationSets.get(applicationSet)) {
      sets.delete(applicationSet);
    }
    return [...known.rows.values()];
  }

  function allStale(applicationSet: string): SetRows {
    return {
      rows: new Map(),
      stale: new Set(
        cache.applications.keysBy('applicationSet', applicationSet),
      ),
    };
  }

  /** Undefined for an Application that is not part of the report. */
  function rowOf(setKey: string, key: string): ReportRow | undefined {
    const application = cache.applications.get(key);
    const applicationSet = cache.applicationSets.get(setKey);
    if (
      !application ||
      !applicationSet ||
      !isPullModel(application) ||
      !isOwnedBy(application, applicationSet)
    ) {
      return undefined;
    }
    const work = reader.workOf(application, key);
    if (!work && reader.isExcluded(application)) {
      return undefined;
    }
    const cluster = targetCluster(application) ?? '';
    const sourced = reader.sourcedOf(application, key);
    return reportRow(
      {
        application: nameOf(application),
        cluster,
        work: work && nameOf(work),
        state: reportedStateOf(
          {
            application,
            work,
            sourced,
            managedCluster: sourced && cache.clusters.get(cluster),
          },
          resourcesIn,
        ),
      },
      deployedLists,
    );
  }

  return {
    invalidate,
    drop: applicationSet => void sets.delete(applicationSet),
    of,
  };
}

function nameOf({ metadata }: KubernetesObject): NamespacedName {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}
