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
  groupedDecisions,
  placementStatus,
} from './placementDecisions';
import { decisionGroups } from './decisionGroups';
import { selectClusters } from './selectClusters';
import { writeOrder } from './writeOrder';

const FIELD_MANAGER = 'placement';
const CLUSTER_BURST_MS = 100;

/** Plays OCM's placement controller: Placements become PlacementDecisions. */
export function startPlacementController(context: FleetContext): void {
  const { client, hub, clock } = context;
  const decisionsOf = hub.placementDecisions.index(({ metadata }) => [
    `${metadata.namespace}/${metadata.labels?.[PLACEMENT_LABEL] ?? ''}`,
  ]);

  // What was decided last, by the Placement's UID: the watch may not have told
  // of it yet, and a choice that is made twice must be the same.
  const decided = new Map<string, readonly string[]>();

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
      selected: new Set(decided.get(uid) ?? current.flatMap(namesIn)),
      now: clock.now(),
      since: clock.since,
    });
    decided.set(uid, selection.clusterNames);
    if (selection.expiresInMs !== undefined) {
      requeueAfter(Math.ceil(selection.expiresInMs) + 1);
    }
    const groups = decisionGroups(
      selection.clusterNames.flatMap(
        name => hub.managedClusters.get(name) ?? [],
      ),
      placement.spec?.decisionStrategy?.groupStrategy,
    );
    const wanted = groupedDecisions(placement, groups);
    for (const decision of writeOrder(current, wanted)) {
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

  hub.placements.onChange((now, before) => {
    if (now) {
      queue.add(objectKey(now));
    } else {
      decided.delete(before?.metadata.uid ?? '');
    }
  });
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
      // Clusters often change many at a time: one look at all of them.
      hub.placements
        .list()
        .forEach(placement =>
          queue.addAfter(objectKey(placement), CLUSTER_BURST_MS),
        );
    }
  });
}

function namesIn({ status }: PlacementDecision): string[] {
  return (status?.decisions ?? []).map(({ clusterName }) => clusterName);
}
