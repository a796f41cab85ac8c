import {
  HOSTING_APPLICATION_SET_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type ArgoApplication,
  type ManifestWork,
  type MulticlusterApplicationSetReport,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey, type HubChange } from '../hub';
import {
  aggregateReport,
  clusterNameOf,
  hubApplicationOf,
  isPullModel,
  owningApplicationSet,
  reportPatch,
  stateOf,
  type ReportRow,
} from '../model';
import type { Controller, ReconcileContext } from './controller';
import type { FleetCache } from './fleetIndexes';
import { parseKey, type FleetReader } from './fleetReader';

/** Statuses of a set's clusters come in bursts. */
const DEBOUNCE_MS = 150;

/**
 * Keeps one MulticlusterApplicationSetReport for each ApplicationSet with pulled Applications. A key is an ApplicationSet, whether it
 * exists or only its report does.
 *
 * A report is removed only where it carries both labels that we give it: the ApplicationSet that it is about, and who made it. One
 * that RHACM made is taken over, label included, with the first change that it needs; until then it is not ours to remove.
 */
export function createAggregation(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
}): Controller {
  const { cache, reader } = options;

  function rowsOf(key: string): ReportRow[] {
    const applicationSet = cache.applicationSets.get(key);
    if (!applicationSet) {
      return [];
    }
    return reader
      .applicationsOf(applicationSet)
      .filter(isPullModel)
      .flatMap(application => {
        const fleet = reader.fleetApplication(application, undefined);
        if (fleet.plan?.kind === 'excluded' && !fleet.work) {
          return [];
        }
        const { namespace = '', name } = application.metadata;
        return [
          {
            application: { namespace, name },
            cluster: clusterNameOf(application),
            work: fleet.work && workName(fleet.work),
            state: stateOf(fleet),
          },
        ];
      });
  }

  async function reconcile(key: string, { writer }: ReconcileContext) {
    const rows = rowsOf(key);
    const existing = cache.reports.get(key);
    if (rows.length === 0) {
      if (existing && isOurs(existing)) {
        await writer.delete('reports', existing);
      }
      return [];
    }
    const desired = aggregateReport(parseKey(key), rows);
    if (!existing) {
      await writer.create('reports', withMark(desired));
      return [];
    }
    const patch = reportPatch(existing, desired);
    if (patch) {
      await writer.patch(
        'reports',
        existing,
        isOurs(existing) ? patch : withMark(patch),
      );
    }
    return [];
  }

  return {
    name: 'aggregation',
    needs: ['applicationSets', 'applications', 'works', 'clusters', 'reports'],
    debounceMs: DEBOUNCE_MS,
    *allKeys() {
      yield* cache.applications.values('applicationSet');
      yield* cache.reports.keys();
    },
    keysOf: change => applicationSetsConcernedBy(change, cache),
    reconcile,
  };
}

/** Keys of the ApplicationSets whose report, or whose page, may have to change. */
export function applicationSetsConcernedBy(
  change: HubChange,
  cache: FleetCache,
): readonly string[] {
  switch (change.resource) {
    case 'applicationSets':
    case 'reports':
      return [change.key];
    case 'applications':
      return ownersOf([change.before, change.after]);
    case 'works':
      return [change.before, change.after].flatMap(work => {
        const name = work && hubApplicationOf(work);
        return name ? ownersOf([cache.applications.get(objectKey(name))]) : [];
      });
    case 'clusters':
      return ownersOf(cache.applications.by('cluster', change.key));
    default:
      return [];
  }
}

function ownersOf(
  applications: readonly (ArgoApplication | undefined)[],
): string[] {
  const owners = applications.flatMap(application => {
    const owner = application && owningApplicationSet(application);
    return owner ? [objectKey(owner)] : [];
  });
  return [...new Set(owners)];
}

function isOurs({ metadata }: MulticlusterApplicationSetReport): boolean {
  return (
    metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY &&
    metadata.labels[HOSTING_APPLICATION_SET_LABEL] !== undefined
  );
}

/** Marks a report, or a patch of one, as made by us. */
function withMark<T extends { readonly metadata?: unknown }>(object: T): T {
  const metadata = object.metadata as
    { readonly labels?: Readonly<Record<string, string>> } | undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, [MANAGED_BY_LABEL]: MANAGED_BY },
    },
  };
}

function workName({ metadata }: ManifestWork): NamespacedName {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}
