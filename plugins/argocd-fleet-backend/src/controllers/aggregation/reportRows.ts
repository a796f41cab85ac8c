import type {
  ArgoApplication,
  KubernetesObject,
  ManagedCluster,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import {
  affectedApplications,
  isOwnedBy,
  type FleetCache,
  type FleetReader,
  type FleetEvent,
} from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import {
  clusterState,
  isLocalCluster,
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

/** Rows that are made at one go: a few milliseconds of a set's first report. */
const ROWS_AT_ONCE = 100;

/** The rows of each ApplicationSet's report. Only those are made again of which something changed. */
export interface ReportRows {
  /** Has to hear of each change, once at least. Answers with the keys of the ApplicationSets whose report may have to change. */
  changed(change: FleetEvent): string[];
  /** The same, for Applications of which a resource source told something; by their keys. */
  changedApplications(keys: readonly string[]): string[];
  /** @param turn - lets others have theirs; called between large pieces of work */
  of(
    applicationSet: string,
    turn: () => Promise<void>,
  ): Promise<readonly ReportRow[]>;
}

interface SetRows {
  /** By the key of its Application. */
  readonly rows: Map<string, ReportRow>;
  /** Keys of Applications whose row has to be made again. */
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
  /** Of ApplicationSets that were asked about, as long as they exist. */
  const sets = new Map<string, SetRows>();

  function rowsChanged(applications: readonly ArgoApplication[]): string[] {
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

  function changed(change: FleetEvent): string[] {
    const { resource, key, before, after } = change;
    switch (resource) {
      case 'applicationSets':
        // One that was made anew under the same name owns other Applications.
        if (before?.metadata.uid !== after?.metadata.uid) {
          sets.delete(key);
        }
        return [key];
      case 'reports':
        return [key];
      case 'clusters': {
        const turned = isLocal(before) !== isLocal(after);
        // Most of what happens to a cluster is that it says that it is there.
        return !turned && sameSilence(before, after)
          ? []
          : rowsChanged(
              affectedApplications(change, cache).filter(
                application => turned || reader.sourcedOf(application),
              ),
            );
      }
      default:
        return rowsChanged(affectedApplications(change, cache));
    }
  }

  async function of(
    applicationSet: string,
    turn: () => Promise<void>,
  ): Promise<readonly ReportRow[]> {
    const known = sets.get(applicationSet) ?? allStale(applicationSet);
    sets.set(applicationSet, known);
    let made = 0;
    // What becomes stale meanwhile is made too.
    for (const key of known.stale) {
      if (made > 0 && made % ROWS_AT_ONCE === 0) {
        await turn();
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

  /** Undefined for an Application that has no place in the report. */
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
    changed,
    changedApplications: keys =>
      rowsChanged(
        keys
          .map(key => cache.applications.get(key))
          .filter(application => application !== undefined),
      ),
    of,
  };
}

function nameOf({ metadata }: KubernetesObject): NamespacedName {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

function isLocal(cluster: ManagedCluster | undefined): boolean {
  return cluster !== undefined && isLocalCluster(cluster);
}

/** What a resource source said counts for more once a cluster has fallen silent. */
function sameSilence(
  before: ManagedCluster | undefined,
  after: ManagedCluster | undefined,
): boolean {
  const [was, is] = [before, after].map(cluster => clusterState('', cluster));
  return was.stale === is.stale && was.staleSince === is.staleSince;
}
