import type {
  ArgoApplication,
  KubernetesObject,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import {
  createApplicationSetRows,
  orWithoutContent,
  type FleetCache,
  type FleetReader,
} from '../../fleet';
import { isPullModel, targetCluster } from '../../model/delivery';
import { createResourceReader } from '../../model/feedback';
import {
  reportRow,
  type DeployedLists,
  type ReportRow,
} from '../../model/report';
import { reportedStateOf, type FleetApplication } from '../../model/views';

/** The rows of each ApplicationSet's report. Only invalidated rows are made again. */
export interface ReportRows {
  /**
   * Must be called for each change of an Application, its work or its cluster. Returns the keys of the ApplicationSets
   * that own them.
   */
  invalidate(applications: readonly ArgoApplication[]): string[];
  /** Drops all rows of an ApplicationSet that was created, deleted or created again. */
  drop(applicationSet: string): void;
  /** @param yieldSometimes - awaited after each row, to let other work of the process run */
  of(
    applicationSet: string,
    yieldSometimes?: () => Promise<void> | undefined,
  ): Promise<readonly ReportRow[]>;
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
  const rows = createApplicationSetRows({ cache, rowOf });

  /** Undefined for an Application that is not part of the report. */
  function rowOf(
    application: ArgoApplication,
    key: string,
  ): ReportRow | undefined {
    if (!isPullModel(application)) {
      return undefined;
    }
    return orWithoutContent(
      application,
      () => {
        const work = reader.workOf(application, key);
        if (!work && reader.isExcluded(application)) {
          return undefined;
        }
        const sourced = reader.sourcedOf(application, key);
        return rowFor({
          application,
          work,
          sourced,
          defaultDestinationNamespace: reader.defaultDestinationNamespace(),
          managedCluster:
            sourced && cache.clusters.get(targetCluster(application) ?? ''),
        });
      },
      it => rowFor({ application: it }),
    );
  }

  function rowFor(input: FleetApplication): ReportRow {
    const { application, work } = input;
    return reportRow(
      {
        application: nameOf(application),
        cluster: targetCluster(application) ?? '',
        work: work && nameOf(work),
        state: reportedStateOf(input, resourcesIn),
      },
      deployedLists,
    );
  }

  return {
    invalidate: rows.invalidate,
    drop: rows.drop,
    of: async (applicationSet, yieldSometimes) => [
      ...(await rows.of(applicationSet, yieldSometimes)).values(),
    ],
  };
}

function nameOf({ metadata }: KubernetesObject): NamespacedName {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}
