import { createHash } from 'node:crypto';

import { withoutJsonPath } from 'apimachinery';

import { ClusterStore, ObjectRef, refOf } from '../cluster/clusterStore';
import { deepMerge, stableJson } from '../kubernetes/json';
import { JsonObject, KubeObject } from '../kubernetes/objects';
import { IgnoreField, UpdateStrategy } from '../kubernetes/workTypes';
import { serverSideApplied } from './serverSideApply';

/** The annotation with the hash of the applied manifest. */
export const SPEC_HASH_ANNOTATION =
  'open-cluster-management.io/config-spec-hash';

/**
 * Applies one manifest to a simulated cluster with its update strategy.
 *
 * @throws Error with the message for the work's Applied condition.
 */
export function applyManifest(
  store: ClusterStore,
  manifest: KubeObject,
  strategy: UpdateStrategy | undefined,
): void {
  const type = strategy?.type ?? 'Update';
  const ref = refOf(manifest);
  const existing = store.get(ref);
  if (type === 'ReadOnly' || (type === 'CreateOnly' && existing)) {
    return;
  }
  requireNamespace(store, ref);
  if (type !== 'ServerSideApply') {
    store.put(merged(existing, manifest));
    return;
  }
  // Fields ignored OnSpokePresent are never sent to an existing object. Fields
  // ignored OnSpokeChange are part of the hash: while the hash is unchanged,
  // nothing is sent, and the cluster's changes to these fields stay.
  const ignored = strategy?.serverSideApply?.ignoreFields ?? [];
  const present = pathsOf(ignored.filter(f => f.condition !== 'OnSpokeChange'));
  const compared = present.reduce(withoutJsonPath, manifest);
  const hash = createHash('sha256').update(stableJson(compared)).digest('hex');
  if (
    ignored.length > 0 &&
    existing?.metadata.annotations?.[SPEC_HASH_ANNOTATION] === hash
  ) {
    return;
  }
  const desired = existing ? compared : manifest;
  const sent = ignored.length > 0 ? withHash(desired, hash) : desired;
  const before = lastApplied(store).get(stableJson(ref));
  store.put(
    existing
      ? serverSideApplied(
          existing,
          before && present.reduce(withoutJsonPath, before),
          sent,
        )
      : sent,
  );
  lastApplied(store).set(stableJson(ref), manifest);
}

/**
 * The manifest that was last applied to each object of a cluster. It contains
 * the fields that the agent owns, and removes when a new manifest lacks them.
 */
const applied = new WeakMap<ClusterStore, Map<string, KubeObject>>();

function lastApplied(store: ClusterStore): Map<string, KubeObject> {
  const manifests = applied.get(store) ?? new Map<string, KubeObject>();
  applied.set(store, manifests);
  return manifests;
}

function pathsOf(fields: readonly IgnoreField[]): string[] {
  return fields.flatMap(({ jsonPaths = [] }) => jsonPaths);
}

function requireNamespace(store: ClusterStore, ref: ObjectRef) {
  if (
    ref.namespace !== '' &&
    !store.get({
      group: '',
      resource: 'namespaces',
      namespace: '',
      name: ref.namespace,
    })
  ) {
    throw new Error(`namespaces "${ref.namespace}" not found`);
  }
}

/**
 * The object after an update with the manifest: metadata is merged, the status
 * stays, and every other field of the manifest replaces the existing one.
 */
function merged(
  existing: KubeObject | undefined,
  manifest: KubeObject,
): KubeObject {
  if (!existing) {
    return manifest;
  }
  return {
    ...existing,
    ...manifest,
    metadata: deepMerge(
      existing.metadata as unknown as JsonObject,
      manifest.metadata as unknown as JsonObject,
    ) as unknown as KubeObject['metadata'],
    status: existing.status,
  };
}

function withHash(manifest: KubeObject, hash: string): KubeObject {
  const annotations = {
    ...manifest.metadata.annotations,
    [SPEC_HASH_ANNOTATION]: hash,
  };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}
