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

/** Annotations that begin so are ours, whoever wrote them: they say what was asked for, and nothing that was asked for before. */
const OWN_PREFIX = 'argocd-fleet/';

/**
 * Puts an ApplicationSet as described on a hub. Throws a ConflictError where one stands there that is not ours, and an InputError
 * where the request names what cannot be a name.
 */
export async function putApplicationSet(
  hub: ApiHub,
  ref: ObjectRef,
  body: PullModelApplicationSet,
): Promise<WriteResult> {
  checkApplicationSetRequest(ref, body);
  return put(hub, 'applicationSets', ref, applicationSetManifest(ref, body));
}

/** As {@link putApplicationSet}, for a Placement. */
export async function putPlacement(
  hub: ApiHub,
  ref: ObjectRef,
  body: PlacementSelection,
): Promise<WriteResult> {
  checkPlacementRequest(ref, body);
  return put(hub, 'placements', ref, placementManifest(ref, body));
}

/** Everything is tried on the API server first, without storing it: what it refuses, it refuses before anything is changed. */
async function put<Name extends 'applicationSets' | 'placements'>(
  { client, cache }: ApiHub,
  name: Name,
  ref: ObjectRef,
  manifest: KubernetesObject,
): Promise<WriteResult> {
  const resource = FLEET_RESOURCES[name] as ResourceType;
  const desired = withMark(manifest);
  const existing = await findObject(client, resource, ref);
  if (!existing) {
    await client.create(resource, desired, { dryRun: true });
    const created = await client.create(resource, desired);
    cache.applyWriteResult(name, created as FleetObject<Name>);
    return { ref, result: 'created' };
  }
  if (existing.metadata.labels?.[MANAGED_BY_LABEL] !== MANAGED_BY) {
    throw new ConflictError(
      `${resource.kind} ${objectKey(ref)} on hub "${ref.hub}" was not made by Argo CD Fleet (it has no label ${MANAGED_BY_LABEL}=${MANAGED_BY}), so it is not overwritten. Choose another name, or give it that label to hand it over.`,
    );
  }
  const patch = patchOf(existing, desired);
  const options = { resourceVersion: existing.metadata.resourceVersion };
  const tried = await client.patch(resource, ref, patch, {
    ...options,
    dryRun: true,
  });
  // Only the API server knows which differences are but defaults that it fills in again.
  if (sameJson(meaningOf(tried), meaningOf(existing))) {
    return { ref, result: 'unchanged' };
  }
  const patched = await client.patch(resource, ref, patch, options);
  cache.applyWriteResult(name, patched as FleetObject<Name>);
  return { ref, result: 'updated' };
}

function withMark(manifest: KubernetesObject): KubernetesObject {
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      labels: { ...manifest.metadata.labels, [MANAGED_BY_LABEL]: MANAGED_BY },
    },
  };
}

/** Labels and annotations of others stay; ours and the spec become what is asked for. */
function patchOf(existing: KubernetesObject, desired: KubernetesObject) {
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
    spec: replacing(specOf(existing), specOf(desired)),
  };
}

/** A merge patch that makes `before` be `after`, with null for every key that is no longer there. */
function replacing(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) {
    return after;
  }
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    patch[key] =
      after[key] === undefined ? null : replacing(before[key], after[key]);
  }
  return patch;
}

function meaningOf(object: KubernetesObject) {
  const { labels, annotations } = object.metadata;
  return { labels, annotations, spec: specOf(object) };
}

function specOf(object: KubernetesObject): unknown {
  return (object as { readonly spec?: unknown }).spec;
}
