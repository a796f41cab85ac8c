import { createHash } from 'node:crypto';
import { stringifyEntityRef } from '@backstage/catalog-model';
import type { ObjectRef } from 'backstage-plugin-argocd-fleet-common';

/** Entity names have at most this many characters. */
const MAX_LENGTH = 63;
const HASH_LENGTH = 10;

/**
 * What may stand in a name as it is. No dot, because dots separate the parts, and no capital, because the catalog compares
 * references without regard to case.
 */
const PLAIN_PART = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** The last part of three may hold dots: the first two dots then still separate the parts. */
const PLAIN_LAST_PART = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Reference of the resource that stands for a managed cluster: `resource:default/<hub>.<cluster>`. */
export function clusterResourceRef(hub: string, cluster: string): string {
  return resourceRef(clusterResourceName(hub, cluster));
}

/** Reference of the resource that stands for an ApplicationSet: `resource:default/<hub>.<namespace>.<name>`. */
export function applicationSetResourceRef(ref: ObjectRef): string {
  return resourceRef(applicationSetResourceName(ref));
}

/** Entity name of a managed cluster; different clusters have different names. */
export function clusterResourceName(hub: string, cluster: string): string {
  const isPlain = PLAIN_PART.test(hub) && PLAIN_PART.test(cluster);
  return entityName([hub, cluster], isPlain);
}

/** Entity name of an ApplicationSet; different ApplicationSets have different names, and none that a cluster has. */
export function applicationSetResourceName(ref: ObjectRef): string {
  const isPlain =
    PLAIN_PART.test(ref.hub) &&
    PLAIN_PART.test(ref.namespace) &&
    PLAIN_LAST_PART.test(ref.name);
  return entityName([ref.hub, ref.namespace, ref.name], isPlain);
}

/**
 * The parts joined by dots where that is legal and says everything; else what is left of them and a hash of the whole. The
 * underscore before the hash is in no plain name, so the two kinds never meet.
 */
function entityName(parts: readonly string[], isPlain: boolean): string {
  const joined = parts.join('.');
  if (isPlain && joined.length <= MAX_LENGTH) {
    return joined;
  }
  const hash = createHash('sha256')
    .update(JSON.stringify(parts))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  const readable = joined
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return readable ? `${readable}_${hash}` : hash;
}

function resourceRef(name: string): string {
  return stringifyEntityRef({ kind: 'Resource', namespace: 'default', name });
}
