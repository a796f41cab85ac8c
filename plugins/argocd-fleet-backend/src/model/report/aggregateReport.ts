import {
  labelValue,
  HOSTING_APPLICATION_SET_LABEL,
  parseHealthStatus,
  parseSyncStatus,
  type ApplicationResource,
  type MulticlusterApplicationSetReport,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import type { ReportedState } from '../feedback';
import {
  withinLimits,
  written,
  type Written,
  type WrittenReport,
} from './reportLimits';
import { worstByCluster } from './summary';

type Statuses = MulticlusterApplicationSetReport['statuses'];
type ReportResource = NonNullable<Statuses['resources']>[number];
type ReportCondition = NonNullable<Statuses['clusterConditions']>[number];

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** One pulled Application of a set, as the report shows it. */
export interface ReportRow extends Written<ReportCondition> {
  /** What is deployed there. */
  readonly deployed: readonly ReportResource[];
}

/** What is deployed, by the list of resources that a cluster reported. */
export type DeployedLists = WeakMap<
  readonly ApplicationResource[],
  readonly ReportResource[]
>;

/** What the row of an Application is made of. */
export interface ReportRowInput {
  readonly application: NamespacedName;
  readonly cluster: string;
  /** Its ManifestWork, where there is one. */
  readonly work?: NamespacedName;
  readonly state: ReportedState;
}

/**
 * Makes the row of an Application.
 * @param deployedLists - the caller's memory: rows with the same list of resources share what is deployed
 */
export function reportRow(
  input: ReportRowInput,
  deployedLists: DeployedLists = new WeakMap(),
): ReportRow {
  return {
    ...written(clusterCondition(input)),
    deployed: deployedResources(input.state, deployedLists),
  };
}

/**
 * The report of an ApplicationSet: byte for byte the same for the same rows in any order, and small enough to be
 * stored.
 */
export function aggregateReport(
  applicationSet: NamespacedName,
  rows: readonly ReportRow[],
): WrittenReport {
  const { namespace, name } = applicationSet;
  const sorted = rows.toSorted(
    ({ value: a }, { value: b }) =>
      compare(a.cluster, b.cluster) || compare(a.app ?? '', b.app ?? ''),
  );
  return withinLimits(
    {
      apiVersion: 'apps.open-cluster-management.io/v1alpha1',
      kind: 'MulticlusterApplicationSetReport',
      metadata: {
        name,
        namespace,
        labels: {
          [HOSTING_APPLICATION_SET_LABEL]: labelValue(`${namespace}.${name}`),
        },
      },
      statuses: { summary: summary(sorted) },
    },
    sorted,
    union(sorted),
  );
}

/** @param rows - by cluster */
function summary(rows: readonly ReportRow[]): Statuses['summary'] {
  const clusters = worstByCluster(
    rows.map(({ value: { cluster, healthStatus, syncStatus } }) => ({
      cluster,
      health: parseHealthStatus(healthStatus),
      sync: parseSyncStatus(syncStatus),
    })),
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

function clusterCondition({
  application,
  cluster,
  work,
  state,
}: ReportRowInput): ReportCondition {
  const unwell = state.health !== 'Healthy' || state.sync !== 'Synced';
  const app = `${application.namespace}/${application.name}`;
  // Keys in the API server's order, so that both sides compare as text. Assigned one by one: for thousands of rows,
  // spreads are measurably slower.
  const condition: Writable<Partial<ReportCondition>> = {
    app: work ? `${app}/${work.namespace}/${work.name}` : app,
    cluster,
  };
  if (unwell && state.conditions.length > 0) {
    condition.conditions = state.conditions.map(({ type, message }) => ({
      message,
      type,
    }));
  }
  condition.healthStatus = state.health;
  if (state.phase) {
    condition.operationStatePhase = state.phase;
  }
  if (state.operationStartedAt) {
    condition.operationStateStartedAt = state.operationStartedAt;
  }
  if (state.revision) {
    condition.syncRevision = state.revision;
  }
  condition.syncStatus = state.sync;
  return condition as ReportCondition;
}

function deployedResources(
  { resources, failedResources }: ReportedState,
  deployedLists: DeployedLists,
): readonly ReportResource[] {
  if (failedResources.length > 0) {
    return withoutFailed(
      resources,
      new Set(
        failedResources.map(failed =>
          isOnlyNamed(failed) ? nameOf(failed) : identity(failed),
        ),
      ),
    );
  }
  const known = deployedLists.get(resources);
  const deployed = known ?? withoutFailed(resources);
  if (!known) {
    deployedLists.set(resources, deployed);
  }
  return deployed;
}

function withoutFailed(
  resources: readonly ApplicationResource[],
  failed: ReadonlySet<string> = new Set(),
): ReportResource[] {
  return resources
    .filter(
      resource =>
        resource.health !== 'Missing' &&
        !isOnlyNamed(resource) &&
        // The failed sync may be older than the comparison: what is Synced now was deployed since.
        (resource.sync === 'Synced' ||
          (!failed.has(identity(resource)) && !failed.has(nameOf(resource)))),
    )
    .map(reportResource);
}

/** Resources that are deployed on at least one cluster. Most clusters share one list. */
function union(rows: readonly ReportRow[]): Written<ReportResource>[] {
  const resources = new Map<string, ReportResource>();
  for (const deployed of new Set(rows.map(row => row.deployed))) {
    for (const resource of deployed) {
      resources.set(JSON.stringify(resource), resource);
    }
  }
  return [...resources]
    .sort(([a], [b]) => compare(a, b))
    .map(([text, value]) => written(value, text));
}

function reportResource(resource: ApplicationResource): ReportResource {
  const { group, version, kind, name, namespace } = resource;
  return {
    // Argo CD sometimes leaves the version out.
    apiVersion: [group, version].filter(Boolean).join('/'),
    kind,
    name,
    ...(namespace && { namespace }),
  };
}

type Identified = Pick<
  ApplicationResource,
  'group' | 'version' | 'kind' | 'namespace' | 'name'
>;

/**
 * Without condition rules, feedback has only a resource's kind and name, and neither its API group nor its namespace.
 */
function isOnlyNamed({ group, version }: Identified): boolean {
  return !group && !version;
}

function nameOf({ kind, name }: Identified): string {
  return `${kind}/${name}`;
}

function identity(resource: Identified): string {
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
