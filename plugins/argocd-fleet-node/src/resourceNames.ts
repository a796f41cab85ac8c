import { createHash } from 'node:crypto';
import { stringifyEntityRef } from '@backstage/catalog-model';
import type { ObjectRef } from 'backstage-plugin-argocd-fleet-common';

/** Entity names have at most this many characters. */
const MAX_LENGTH = 63;
const HASH_LENGTH = 10;

/**
 * A part that is used unchanged in a name. It has no dot, because dots separate the parts, and no capital letter,
 * because the catalog compares references case-insensitively.
 */
const PLAIN_PART = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** The last of three parts may have dots: the first two dots still separate the parts. */
const PLAIN_LAST_PART = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Entity reference of a managed cluster: `resource:default/<hub>.<cluster>`. @public */
export function clusterResourceRef(hub: string, cluster: string): string {
  return resourceRef(clusterResourceName(hub, cluster));
}

/** Entity reference of an ApplicationSet: `resource:default/<hub>.<namespace>.<name>`. @public */
export function applicationSetResourceRef(ref: ObjectRef): string {
  return resourceRef(applicationSetResourceName(ref));
}

/** Entity name of a managed cluster, unique among clusters. @public */
export function clusterResourceName(hub: string, cluster: string): string {
  const isPlain = PLAIN_PART.test(hub) && PLAIN_PART.test(cluster);
  return entityName([hub, cluster], isPlain);
}

/** Entity name of an ApplicationSet, unique among ApplicationSets and clusters. @public */
export function applicationSetResourceName(ref: ObjectRef): string {
  const isPlain =
    PLAIN_PART.test(ref.hub) &&
    PLAIN_PART.test(ref.namespace) &&
    PLAIN_LAST_PART.test(ref.name);
  return entityName([ref.hub, ref.namespace, ref.name], isPlain);
}

/**
 * Joins the parts with dots if the result is valid and unambiguous; otherwise shortens it and appends a hash of all
 * parts. The underscore before the hash is in no plain name, so a shortened name never equals a plain one.
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
