import {
  labelValue,
  HOSTING_APPLICATION_SET_LABEL,
  type ApplicationResource,
  type MulticlusterApplicationSetReport,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState } from './applicationState';
import { withinLimits } from './reportLimits';
import { worstByCluster } from './summary';

type Statuses = MulticlusterApplicationSetReport['statuses'];
type ReportResource = NonNullable<Statuses['resources']>[number];
type ReportCondition = NonNullable<Statuses['clusterConditions']>[number];

/** One pulled Application of a set, as the report needs it. */
export interface ReportRow {
  readonly application: NamespacedName;
  readonly cluster: string;
  /** Its ManifestWork, where there is one. */
  readonly work?: NamespacedName;
  readonly state: ApplicationState;
}

/**
 * The report of an ApplicationSet: the same, to the byte, for the same rows in any order, and always small enough to be stored.
 */
export function aggregateReport(
  applicationSet: NamespacedName,
  rows: readonly ReportRow[],
): MulticlusterApplicationSetReport {
  const { namespace, name } = applicationSet;
  return withinLimits({
    apiVersion: 'apps.open-cluster-management.io/v1alpha1',
    kind: 'MulticlusterApplicationSetReport',
    metadata: {
      name,
      namespace,
      labels: {
        [HOSTING_APPLICATION_SET_LABEL]: labelValue(`${namespace}.${name}`),
      },
    },
    statuses: {
      resources: deployedResources(rows),
      clusterConditions: rows
        .toSorted(
          (a, b) =>
            compare(a.cluster, b.cluster) ||
            compare(a.application.namespace, b.application.namespace) ||
            compare(a.application.name, b.application.name),
        )
        .map(clusterCondition),
      summary: summary(rows),
    },
  });
}

function summary(rows: readonly ReportRow[]): Statuses['summary'] {
  const clusters = worstByCluster(
    rows.map(({ cluster, state }) => ({ cluster, ...state })),
  );
  const count = (of: (status: (typeof clusters)[number]) => boolean) =>
    String(clusters.filter(of).length);
  return {
    clusters: String(clusters.length),
    synced: count(({ sync }) => sync === 'Synced'),
    notSynced: count(({ sync }) => sync !== 'Synced'),
    healthy: count(({ health }) => health === 'Healthy'),
    notHealthy: count(({ health }) => health !== 'Healthy'),
    inProgress: count(({ health }) => health === 'Progressing'),
  };
}

function clusterCondition(row: ReportRow): ReportCondition {
  const { state, application, work } = row;
  const trouble = state.health !== 'Healthy' || state.sync !== 'Synced';
  return {
    cluster: row.cluster,
    healthStatus: state.health,
    syncStatus: state.sync,
    ...(state.phase && { operationStatePhase: state.phase }),
    ...(state.operationStartedAt && {
      operationStateStartedAt: state.operationStartedAt,
    }),
    ...(state.revision && { syncRevision: state.revision }),
    app: [application, ...(work ? [work] : [])]
      .map(({ namespace, name }) => `${namespace}/${name}`)
      .join('/'),
    ...(trouble &&
      state.conditions.length > 0 && {
        conditions: state.conditions.map(({ type, message }) => ({
          type,
          message,
        })),
      }),
  };
}

/** What is deployed on at least one cluster. */
function deployedResources(rows: readonly ReportRow[]): ReportResource[] {
  const resources = new Map<string, ReportResource>();
  for (const { state } of rows) {
    const failed = new Set(state.failedResources.map(identity));
    for (const resource of state.resources) {
      if (resource.health !== 'Missing' && !failed.has(identity(resource))) {
        const reported = reportResource(resource);
        resources.set(JSON.stringify(reported), reported);
      }
    }
  }
  return [...resources]
    .sort(([a], [b]) => compare(a, b))
    .map(([, resource]) => resource);
}

function reportResource(resource: ApplicationResource): ReportResource {
  const { group, version, kind, name, namespace } = resource;
  return {
    apiVersion: apiVersion(group, version),
    kind,
    name,
    ...(namespace && { namespace }),
  };
}

/** Argo CD leaves a version out at times; the core group has only the one. */
function apiVersion(group = '', version = ''): string {
  if (!group) {
    return version || 'v1';
  }
  return version ? `${group}/${version}` : group;
}

function identity(
  resource: Pick<ApplicationResource, 'group' | 'kind' | 'namespace' | 'name'>,
): string {
  const { group = '', kind, namespace = '', name } = resource;
  return [group, kind, namespace, name].join('/');
}

/** By code point, so that the order is the same in every locale. */
function compare(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
