import { createHash } from 'node:crypto';

import { ClusterStore, ObjectRef, refOf } from '../cluster/clusterStore';
import { deepMerge, isJsonObject, stableJson } from '../kubernetes/json';
import { JsonObject, KubeObject } from '../kubernetes/objects';
import { UpdateStrategy } from '../kubernetes/workTypes';

/** Where the agent keeps the hash of what it applied. */
export const SPEC_HASH_ANNOTATION =
  'open-cluster-management.io/config-spec-hash';

/**
 * Applies one manifest to a simulated cluster with its update strategy.
 *
 * @throws Error in the words that the work's Applied condition shows.
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
  const ignored = strategy?.serverSideApply?.ignoreFields ?? [];
  if (ignored.length === 0) {
    store.put(merged(existing, manifest));
    return;
  }
  // Fields ignored OnSpokePresent are never sent to an object that exists.
  // Those ignored OnSpokeChange are part of the hash: while it is the same
  // nothing is sent at all, so what the cluster made of them stays.
  const compared = ignored
    .filter(({ condition }) => condition !== 'OnSpokeChange')
    .flatMap(({ jsonPaths = [] }) => jsonPaths)
    .reduce(withoutPath, manifest);
  const hash = createHash('sha256').update(stableJson(compared)).digest('hex');
  if (existing?.metadata.annotations?.[SPEC_HASH_ANNOTATION] === hash) {
    return;
  }
  store.put(merged(existing, withHash(existing ? compared : manifest, hash)));
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
 * The object after the manifest was applied. Maps of metadata are merged; the
 * rest of what the manifest has replaces what was there, status stays.
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

/** A copy without the field that a plain path such as `.operation` or `.metadata.annotations["a.b/c"]` names. */
function withoutPath(manifest: KubeObject, path: string): KubeObject {
  const names = [...path.matchAll(/\.([^.[\]]+)|\[["']([^"']+)["']\]/g)].map(
    ([, plain, quoted]) => plain ?? quoted,
  );
  const remove = (value: unknown, [name, ...rest]: string[]): unknown => {
    if (!isJsonObject(value) || !(name in value)) {
      return value;
    }
    const copy = { ...value };
    if (rest.length === 0) {
      delete copy[name];
    } else {
      copy[name] = remove(copy[name], rest);
    }
    return copy;
  };
  return remove(manifest, names) as KubeObject;
}
