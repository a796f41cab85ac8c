import { ConflictError } from '@backstage/errors';
import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type KubernetesObject,
  type ObjectRef,
  type PlacementSelection,
  type PullModelApplicationSet,
  type WriteResult,
} from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES, type FleetObject } from '../fleet';
import { findObject, objectKey, type ResourceType } from '../kubernetes/client';
import { isRecord, keysPatch, sameJson } from '../model/json';
import { applicationSetManifest, placementManifest } from '../model/views';
import type { ApiHub } from './apiHub';
import {
  checkApplicationSetRequest,
  checkPlacementRequest,
} from './writeRequests';

/** Annotations with this prefix are ours, regardless of their writer: each request replaces all of them. */
const OWN_PREFIX = 'argocd-fleet/';

/**
 * Creates or updates an ApplicationSet on a hub.
 * @throws ConflictError where the hub has one that we did not create; InputError where the request has an invalid name
 */
export async function putApplicationSet(
  hub: ApiHub,
  ref: ObjectRef,
  body: PullModelApplicationSet,
): Promise<WriteResult> {
  checkApplicationSetRequest(ref, body);
  return applyManifest(
    hub,
    'applicationSets',
    ref,
    applicationSetManifest(ref, body),
  );
}

/** As {@link putApplicationSet}, for a Placement. */
export async function putPlacement(
  hub: ApiHub,
  ref: ObjectRef,
  body: PlacementSelection,
): Promise<WriteResult> {
  checkPlacementRequest(ref, body);
  return applyManifest(hub, 'placements', ref, placementManifest(ref, body));
}

/** Sends every write as a dry run first: what the API server rejects, it rejects before anything changes. */
async function applyManifest<Name extends 'applicationSets' | 'placements'>(
  { client, cache }: ApiHub,
  name: Name,
  ref: ObjectRef,
  manifest: KubernetesObject,
): Promise<WriteResult> {
  const resource = FLEET_RESOURCES[name] as ResourceType;
  const desired = withManagedByLabel(manifest);
  const existing = await findObject(client, resource, ref);
  if (!existing) {
    await client.create(resource, desired, { dryRun: true });
    const created = await client.create(resource, desired);
    cache.applyWriteResult(name, created as FleetObject<Name>);
    return { ref, result: 'created' };
  }
  if (existing.metadata.labels?.[MANAGED_BY_LABEL] !== MANAGED_BY) {
    throw new ConflictError(
      `${resource.kind} ${objectKey(ref)} on hub "${ref.hub}" was not made by Argo CD Fleet (it has no label ${MANAGED_BY_LABEL}=${MANAGED_BY}), so it is not overwritten. Choose another name, or set that label to let Argo CD Fleet manage it.`,
    );
  }
  const patch = buildPatch(existing, desired);
  const options = { resourceVersion: existing.metadata.resourceVersion };
  const tried = await client.patch(resource, ref, patch, {
    ...options,
    dryRun: true,
  });
  // Only the API server knows which differences are defaults that it sets again.
  if (sameJson(comparedFields(tried), comparedFields(existing))) {
    return { ref, result: 'unchanged' };
  }
  const patched = await client.patch(resource, ref, patch, options);
  cache.applyWriteResult(name, patched as FleetObject<Name>);
  return { ref, result: 'updated' };
}

function withManagedByLabel(manifest: KubernetesObject): KubernetesObject {
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      labels: { ...manifest.metadata.labels, [MANAGED_BY_LABEL]: MANAGED_BY },
    },
  };
}

/** Keeps the labels and annotations of others, and replaces ours and the spec. */
function buildPatch(existing: KubernetesObject, desired: KubernetesObject) {
  const [before, after] = [existing, desired].map(
    ({ metadata }) => metadata.annotations ?? {},
  );
  const annotations = keysPatch(before, after, [
    ...Object.keys(before).filter(key => key.startsWith(OWN_PREFIX)),
    ...Object.keys(after),
  ]);
  return {
    metadata: {
      labels: desired.metadata.labels,
      ...(annotations && { annotations }),
    },
    spec: mergePatch(specOf(existing), specOf(desired)),
  };
}

/** A JSON merge patch from `before` to `after`; it has null for each removed key. */
function mergePatch(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) {
    return after;
  }
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    patch[key] =
      after[key] === undefined ? null : mergePatch(before[key], after[key]);
  }
  return patch;
}

function comparedFields(object: KubernetesObject) {
  const { labels, annotations } = object.metadata;
  return { labels, annotations, spec: specOf(object) };
}

function specOf(object: KubernetesObject): unknown {
  return (object as { readonly spec?: unknown }).spec;
}
