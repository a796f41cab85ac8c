import { FleetContext } from '../hub/hubInformers';
import { jsonEqual } from '../kubernetes/json';
import { Placement, PlacementDecision } from '../kubernetes/clusterTypes';
import { objectKey } from '../kubernetes/objects';
import { placementDecisions, placements } from '../kubernetes/resources';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import {
  PLACEMENT_LABEL,
  groupedDecisions,
  placementStatus,
} from './placementDecisions';
import { decisionGroups } from './decisionGroups';
import { selectClusters } from './selectClusters';
import { namesIn, writeOrder } from './writeOrder';

const FIELD_MANAGER = 'placement';
const CLUSTER_BURST_MS = 100;

/** Simulates OCM's placement controller, which makes PlacementDecisions of Placements. */
export function startPlacementController(context: FleetContext): void {
  const { client, hub, clock } = context;
  const decisionsOf = hub.placementDecisions.index(({ metadata }) => [
    `${metadata.namespace}/${metadata.labels?.[PLACEMENT_LABEL] ?? ''}`,
  ]);

  // Cluster names by the Placement's UID: the informer may not have the last
  // decisions yet, and the next selection must keep them.
  const lastSelection = new Map<string, readonly string[]>();

  async function reconcile(key: string, requeueAfter: (ms: number) => void) {
    const placement = hub.placements.get(key);
    if (!placement || placement.metadata.deletionTimestamp) {
      return;
    }
    const { uid = '' } = placement.metadata;
    const current = decisionsOf(key);
    const selection = selectClusters(placement, {
      bindings: hub.managedClusterSetBindings
        .list()
        .filter(
          ({ metadata }) => metadata.namespace === placement.metadata.namespace,
        ),
      clusterSets: hub.managedClusterSets.list(),
      clusters: hub.managedClusters.list(),
      selected: new Set(lastSelection.get(uid) ?? current.flatMap(namesIn)),
      now: clock.now(),
      since: clock.since,
    });
    lastSelection.set(uid, selection.clusterNames);
    if (selection.expiresInMs !== undefined) {
      requeueAfter(Math.ceil(selection.expiresInMs) + 1);
    }
    const groups = decisionGroups(
      selection.clusterNames.flatMap(
        name => hub.managedClusters.get(name) ?? [],
      ),
      placement.spec?.decisionStrategy?.groupStrategy,
    );
    const desired = groupedDecisions(placement, groups);
    for (const decision of writeOrder(current, desired)) {
      await ensureDecision(decision);
    }
    const names = new Set(desired.map(objectKey));
    for (const surplus of current.filter(d => !names.has(objectKey(d)))) {
      await client.delete(placementDecisions, surplus.metadata);
    }
    await writeStatus(
      placement,
      placementStatus(placement, selection, desired, clock.now()),
    );
  }

  async function ensureDecision(desired: PlacementDecision) {
    const existing =
      hub.placementDecisions.get(objectKey(desired)) ??
      (await client.create(
        placementDecisions,
        { ...desired, status: undefined },
        { fieldManager: FIELD_MANAGER },
      ));
    if (!jsonEqual(existing.metadata.labels, desired.metadata.labels)) {
      await client.patch(
        placementDecisions,
        desired.metadata,
        { metadata: { labels: desired.metadata.labels } },
        { fieldManager: FIELD_MANAGER },
      );
    }
    if (!jsonEqual(existing.status?.decisions, desired.status?.decisions)) {
      await client.patch(
        placementDecisions,
        desired.metadata,
        { status: { decisions: desired.status?.decisions } },
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
        placements,
        placement.metadata,
        { status },
        { fieldManager: FIELD_MANAGER, subresource: 'status' },
      );
    }
  }

  const queue = createReconcileQueue({
    name: 'Placement',
    reconcile,
    startAfter: hub.waitForSync(),
    ...context,
  });
  const enqueueAll = () =>
    hub.placements.list().forEach(placement => queue.add(objectKey(placement)));

  hub.placements.onChange((now, before) => {
    if (now) {
      queue.add(objectKey(now));
    } else {
      lastSelection.delete(before?.metadata.uid ?? '');
    }
  });
  hub.placementDecisions.onChange((now, before) => {
    const { namespace, labels } = (now ?? before)?.metadata ?? {};
    queue.add(`${namespace}/${labels?.[PLACEMENT_LABEL] ?? ''}`);
  });
  hub.managedClusterSets.onChange(enqueueAll);
  hub.managedClusterSetBindings.onChange(enqueueAll);
  hub.managedClusters.onChange((now, before) => {
    const inputs = (cluster: typeof now) => [
      cluster?.metadata.labels,
      cluster?.metadata.deletionTimestamp,
      cluster?.spec?.taints,
      cluster?.status?.clusterClaims,
    ];
    if (!jsonEqual(inputs(now), inputs(before))) {
      // Clusters often change in bursts: the delay makes one reconcile of them.
      hub.placements
        .list()
        .forEach(placement =>
          queue.addAfter(objectKey(placement), CLUSTER_BURST_MS),
        );
    }
  });
}
