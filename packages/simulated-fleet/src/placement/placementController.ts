import { FleetContext } from '../hubView';
import { jsonEqual } from '../kubernetes/json';
import { Placement, PlacementDecision } from '../kubernetes/clusterTypes';
import { objectKey } from '../kubernetes/objects';
import {
  placementDecisions as decisionsResource,
  placements as placementsResource,
} from '../kubernetes/resources';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import {
  PLACEMENT_LABEL,
  placementDecisions,
  placementStatus,
} from './placementDecisions';
import { selectClusters } from './selectClusters';

const FIELD_MANAGER = 'placement';

/** Plays OCM's placement controller: Placements become PlacementDecisions. */
export function startPlacementController(context: FleetContext): void {
  const { client, hub, clock } = context;
  const decisionsOf = hub.placementDecisions.index(({ metadata }) => [
    `${metadata.namespace}/${metadata.labels?.[PLACEMENT_LABEL] ?? ''}`,
  ]);

  async function reconcile(key: string) {
    const placement = hub.placements.get(key);
    if (!placement || placement.metadata.deletionTimestamp) {
      return;
    }
    const current = decisionsOf(key);
    const selection = selectClusters(placement, {
      bindings: hub.managedClusterSetBindings
        .list()
        .filter(
          ({ metadata }) => metadata.namespace === placement.metadata.namespace,
        ),
      clusterSets: hub.managedClusterSets.list(),
      clusters: hub.managedClusters.list(),
      selected: new Set(
        current.flatMap(({ status }) =>
          (status?.decisions ?? []).map(({ clusterName }) => clusterName),
        ),
      ),
      now: clock.now(),
    });
    const wanted = placementDecisions(placement, selection.clusterNames);
    for (const decision of wanted) {
      await ensureDecision(decision);
    }
    const names = new Set(wanted.map(objectKey));
    for (const surplus of current.filter(d => !names.has(objectKey(d)))) {
      await client.delete(decisionsResource, surplus.metadata);
    }
    await writeStatus(
      placement,
      placementStatus(placement, selection, wanted, clock.now()),
    );
  }

  async function ensureDecision(wanted: PlacementDecision) {
    const existing =
      hub.placementDecisions.get(objectKey(wanted)) ??
      (await client.create(
        decisionsResource,
        { ...wanted, status: undefined },
        { fieldManager: FIELD_MANAGER },
      ));
    if (!jsonEqual(existing.metadata.labels, wanted.metadata.labels)) {
      await client.patch(
        decisionsResource,
        wanted.metadata,
        { metadata: { labels: wanted.metadata.labels } },
        { fieldManager: FIELD_MANAGER },
      );
    }
    if (!jsonEqual(existing.status?.decisions, wanted.status?.decisions)) {
      await client.patch(
        decisionsResource,
        wanted.metadata,
        { status: { decisions: wanted.status?.decisions } },
        { fieldManager: FIELD_MANAGER, subresource: 'status' },
      );
    }
  }

  async function writeStatus(
    placement: Placement,
    status: NonNullable<Placement['status']>,
  ) {
    if (!jsonEqual(placement.status, { ...placement.status, ...status })) {
      await client.patch(
        placementsResource,
        placement.metadata,
        { status },
        { fieldManager: FIELD_MANAGER, subresource: 'status' },
      );
    }
  }

  const queue = createReconcileQueue({
    name: 'Placement',
    reconcile,
    opensAfter: hub.listed(),
    ...context,
  });
  const everyPlacement = () =>
    hub.placements.list().forEach(placement => queue.add(objectKey(placement)));

  hub.placements.onChange(now => now && queue.add(objectKey(now)));
  hub.placementDecisions.onChange((now, before) => {
    const { namespace, labels } = (now ?? before)?.metadata ?? {};
    queue.add(`${namespace}/${labels?.[PLACEMENT_LABEL] ?? ''}`);
  });
  hub.managedClusterSets.onChange(everyPlacement);
  hub.managedClusterSetBindings.onChange(everyPlacement);
  hub.managedClusters.onChange((now, before) => {
    const facts = (cluster: typeof now) => [
      cluster?.metadata.labels,
      cluster?.metadata.deletionTimestamp,
      cluster?.spec?.taints,
      cluster?.status?.clusterClaims,
    ];
    if (!jsonEqual(facts(now), facts(before))) {
      everyPlacement();
    }
  });
}
