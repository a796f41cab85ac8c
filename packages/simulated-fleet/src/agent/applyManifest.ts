import { createHash } from 'node:crypto';

import { withoutJsonPath } from 'apimachinery';

import { ClusterStore, ObjectRef, refOf } from '../cluster/clusterStore';
import { stableJson } from '../kubernetes/json';
import { KubeObject } from '../kubernetes/objects';
import { IgnoreField, UpdateStrategy } from '../kubernetes/workTypes';
import {
  lastApplied,
  putApplied,
  putWritten,
  writtenFields,
} from './fieldOwners';
import { serverSideApplied } from './serverSideApply';
import { created, updated } from './updated';

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
  if (type === 'ServerSideApply') {
    applyServerSide(store, ref, manifest, strategy?.serverSideApply ?? {});
  } else {
    putWritten(
      store,
      ref,
      existing ? updated(existing, manifest) : created(manifest),
    );
  }
}

function applyServerSide(
  store: ClusterStore,
  ref: ObjectRef,
  manifest: KubeObject,
  options: NonNullable<UpdateStrategy['serverSideApply']>,
) {
  // Fields ignored OnSpokePresent are never sent to an existing object. Fields
  // ignored OnSpokeChange are part of the hash: while the hash is unchanged,
  // nothing is sent, and the cluster's changes to these fields stay.
  const { ignoreFields: ignored = [], fieldManager } = options;
  const existing = store.get(ref);
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
  const before = lastApplied(store, ref, fieldManager);
  const object = existing
    ? serverSideApplied(
        existing,
        before && present.reduce(withoutJsonPath, before),
        sent,
        writtenFields(store, ref),
      )
    : sent;
  putApplied(store, ref, object, manifest, fieldManager);
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

function withHash(manifest: KubeObject, hash: string): KubeObject {
  const annotations = {
    ...manifest.metadata.annotations,
    [SPEC_HASH_ANNOTATION]: hash,
  };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}
