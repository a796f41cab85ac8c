import { ConflictError, NotFoundError } from '@backstage/errors';
import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  RELEASE_ANNOTATION,
  type ArgoApplicationSet,
  type Deletion,
  type KubernetesObject,
  type ManifestWork,
  type ObjectRef,
  type Placement,
  type Release,
  type ReleaseOrder,
  type Withdrawal,
} from 'backstage-plugin-argocd-fleet-common';
import { steadyNow } from '../async';
import type { StoredOrder } from '../database';
import { FLEET_RESOURCES, worksOfOwner, type FleetObject } from '../fleet';
import { findObject, objectKey, type ResourceType } from '../kubernetes/client';
import { hubApplicationOf, isPullModel } from '../model/delivery';
import {
  endOfDelivery,
  ORDER_MS,
  releaseOf,
  releasing,
} from '../model/removal';
import { placementNamesOf } from '../model/views';
import {
  isOurs,
  isTracked,
  placementOwner,
  recordedOwner,
  TRACKING_ANNOTATION,
} from '../model/writes';
import type { ApiHub } from './apiHub';
import { requireGrant } from './hubWrites';
import { foreignUse, requireSync, usersOf } from './placementUse';
import { checkOwn, existingFacts, type OwnAccess } from './writeAccess';
import { checkRef } from './writeRequests';

/** Milliseconds that an order must hold on when a deletion relies on it. */
const ORDER_LEFT_MS = ORDER_MS / 2;

/**
 * Orders what becomes of what an ApplicationSet of the portal runs when it is deleted, and says whether the controllers have
 * stored the order yet. Must be repeated until they have.
 * @throws NotFoundError, NotAllowedError; ConflictError where the portal did not make the ApplicationSet, or another Argo CD
 * than the clusters' deploys it and would take the workload along
 */
export async function orderRelease(
  hub: ApiHub,
  ref: ObjectRef,
  release: Release,
  access: OwnAccess,
): Promise<ReleaseOrder> {
  const object = await findOwnSet(hub, ref, access);
  if (release !== 'remove') {
    checkPullModel(hub, ref);
  }
  const order = await storedOrder(hub, ref, object);
  const stored = coversAll(
    hub,
    ref,
    object,
    order?.release === release ? order : undefined,
  );
  if (!stored) {
    await annotate(hub, ref, object, annotationFor(release, order));
  }
  return { ref, release, stored, placements: placementNamesOf(object) };
}

/**
 * Takes an order back, so that it holds for no later work. Must be repeated while the answer says that it is stored: works
 * that already wait for it get it first.
 * @throws NotFoundError, NotAllowedError; ConflictError where the portal did not make the ApplicationSet
 */
export async function withdrawRelease(
  hub: ApiHub,
  ref: ObjectRef,
  access: OwnAccess,
): Promise<Withdrawal> {
  const object = await findOwnSet(hub, ref, access);
  requireSync(hub.cache, 'applications');
  requireSync(hub.cache, 'works');
  const waits = worksOfOwner(hub.cache, 'ApplicationSet', objectKey(ref)).some(
    work => waitsForOrder(hub, work),
  );
  if (!waits) {
    await annotate(hub, ref, object, null);
  }
  const order = await storedOrder(hub, ref, object);
  return { ref, stored: waits || order !== undefined };
}

/** Whether a work delivers no longer, and its end has not begun. */
function waitsForOrder({ cache }: ApiHub, work: ManifestWork): boolean {
  const name = hubApplicationOf(work);
  return (
    !work.metadata.deletionTimestamp &&
    !releasing(work) &&
    endOfDelivery(work, name && cache.applications.get(objectKey(name))) !==
      undefined
  );
}

/**
 * Deletes an ApplicationSet of the portal. It stays on the hub until its last Application is gone from its cluster.
 * @throws NotFoundError, NotAllowedError; ConflictError where the portal did not make it, and until an order is stored that
 * says of each of its works what becomes of the workload
 */
export async function deleteApplicationSet(
  hub: ApiHub,
  ref: ObjectRef,
  access: OwnAccess,
): Promise<Deletion> {
  const object = await findOwnSet(hub, ref, access);
  const { uid = '', resourceVersion, deletionTimestamp } = object.metadata;
  if (deletionTimestamp) {
    return { ref };
  }
  const order = await storedOrder(hub, ref, object);
  if (!coversAll(hub, ref, object, order)) {
    throw new ConflictError(
      `${nameOf('ApplicationSet', ref)} is not deleted: it is not stored yet for each of its ManifestWorks what becomes of what runs on the clusters. Order a release first, and repeat that until it is stored.`,
    );
  }
  await hub.client.delete(FLEET_RESOURCES.applicationSets, ref, {
    // The order is that of this version.
    ...{ uid, resourceVersion },
    propagationPolicy: 'Foreground',
  });
  return { ref };
}

/**
 * Deletes a Placement of the portal that nothing uses.
 * @throws NotFoundError, NotAllowedError; ConflictError where the portal did not make it, and where something uses it
 */
export async function deletePlacement(
  hub: ApiHub,
  ref: ObjectRef,
  access: OwnAccess,
): Promise<Deletion> {
  const placement = await findOwn<Placement>(
    hub,
    { kind: 'Placement', ref },
    access,
    found => placementOwner(found, () => usersOf(hub, ref)),
  );
  const name = nameOf('Placement', ref);
  if (usersOf(hub, ref).length > 0 || foreignUse(hub, ref, undefined)) {
    // Not by whom: the caller may not see them.
    throw new ConflictError(
      `${name} stays: another ApplicationSet or an import of clusters takes its clusters from it`,
    );
  }
  await hub.client.delete(FLEET_RESOURCES.placements, ref, {
    uid: placement.metadata.uid ?? '',
    resourceVersion: placement.metadata.resourceVersion,
  });
  return { ref };
}

function findOwnSet(
  hub: ApiHub,
  ref: ObjectRef,
  access: OwnAccess,
): Promise<ArgoApplicationSet> {
  return findOwn<ArgoApplicationSet>(
    hub,
    { kind: 'ApplicationSet', ref },
    access,
    recordedOwner,
  );
}

/** The object, if the caller may change or delete it. One that the caller may not read is answered as if it did not exist. */
async function findOwn<T extends ArgoApplicationSet | Placement>(
  hub: ApiHub,
  what: {
    readonly kind: 'ApplicationSet' | 'Placement';
    readonly ref: ObjectRef;
  },
  access: OwnAccess,
  ownerOf: (object: T) => string | undefined,
): Promise<T> {
  const { kind, ref } = what;
  checkRef(ref);
  requireGrant({ hub, ref, owner: undefined });
  const resource =
    FLEET_RESOURCES[kind === 'Placement' ? 'placements' : 'applicationSets'];
  const object = await findObject(hub.client, resource as ResourceType<T>, ref);
  const owner = object && ownerOf(object);
  if (!object || !access.read.allows(existingFacts(ref, { object, owner }))) {
    throw new NotFoundError(
      `There is no ${kind} ${objectKey(ref)} on hub "${ref.hub}"`,
    );
  }
  if (!isOurs(object)) {
    throw new ConflictError(
      `${nameOf(kind, ref)} was not made by Argo CD Fleet (it has no label ${MANAGED_BY_LABEL}=${MANAGED_BY}), so it is neither changed nor deleted here. Do that where it is kept: in Git, or on the hub.`,
    );
  }
  if (isTracked(object)) {
    throw new ConflictError(
      `${nameOf(kind, ref)} is kept in Git by an Argo CD Application (it has the annotation ${TRACKING_ANNOTATION}), which would undo that. Change or delete it in its Git repository.`,
    );
  }
  checkOwn(access, what, { object, owner });
  requireGrant({ hub, ref, owner });
  return object;
}

/** Argo CD itself would delete what it deploys with the Application: no order on works changes that. */
function checkPullModel(hub: ApiHub, ref: ObjectRef) {
  requireSync(hub.cache, 'applications');
  const others = hub.cache.applications
    .by('applicationSet', objectKey(ref))
    .filter(application => !isPullModel(application));
  if (others.length > 0) {
    throw new ConflictError(
      `${nameOf('ApplicationSet', ref)} has ${others.length} Applications that are not of the pull model, such as ${others[0].metadata.name}: their workloads cannot be kept. See "Releases" in docs/moving.md.`,
    );
  }
}

/** The order that the controllers, on any replica, have stored for this object; undefined without one. */
async function storedOrder(
  { removalState }: ApiHub,
  ref: ObjectRef,
  { metadata }: KubernetesObject,
): Promise<StoredOrder | undefined> {
  await removalState?.refresh();
  const order = removalState?.orderOf(objectKey(ref));
  return order?.uid === metadata.uid ? order : undefined;
}

/** Whether the order is still said, and holds for every work that the ApplicationSet has. Without works, none is needed. */
function coversAll(
  hub: ApiHub,
  ref: ObjectRef,
  object: KubernetesObject,
  order: StoredOrder | undefined,
): boolean {
  requireSync(hub.cache, 'works');
  const works = worksOfOwner(hub.cache, 'ApplicationSet', objectKey(ref));
  const covered = new Set(order?.works);
  return (
    works.length === 0 ||
    (order !== undefined &&
      releaseOf(object) === order.release &&
      order.orderedAt > steadyNow() - ORDER_LEFT_MS &&
      works.every(({ metadata }) => covered.has(metadata.uid ?? '')))
  );
}

/** An order is stored once: where it lacks works, or is old, it has to be taken back before it is given again. */
function annotationFor(
  release: Release,
  order: StoredOrder | undefined,
): Release | null {
  return order?.release === release ? null : release;
}

async function annotate(
  { client, cache }: ApiHub,
  ref: ObjectRef,
  object: ArgoApplicationSet,
  value: Release | null,
) {
  if ((releaseOf(object) ?? null) === value) {
    return;
  }
  const patched = await client.patch(
    FLEET_RESOURCES.applicationSets as ResourceType,
    ref,
    { metadata: { annotations: { [RELEASE_ANNOTATION]: value } } },
    { resourceVersion: object.metadata.resourceVersion },
  );
  cache.applyWriteResult(
    'applicationSets',
    patched as FleetObject<'applicationSets'>,
  );
}

function nameOf(kind: string, ref: ObjectRef): string {
  return `${kind} ${objectKey(ref)} on hub "${ref.hub}"`;
}
