import { KubeObject } from '../kubernetes/objects';

/**
 * The object after an update with the manifest, as OCM's strategy `Update` makes
 * it: labels and annotations are merged, finalizers, owners and status stay, and
 * every other field of the manifest replaces the existing one.
 */
export function updated(
  existing: KubeObject,
  { metadata, ...manifest }: KubeObject,
): KubeObject {
  const { labels, annotations } = existing.metadata;
  return {
    ...existing,
    ...manifest,
    metadata: {
      ...existing.metadata,
      ...mapField('labels', labels, metadata.labels),
      ...mapField('annotations', annotations, metadata.annotations),
    },
    status: existing.status,
  };
}

/** The object that the strategies `Update` and `CreateOnly` create: owners are the agent's business. */
export function created({ metadata, ...manifest }: KubeObject): KubeObject {
  const { ownerReferences: _owners, labels, annotations, ...rest } = metadata;
  return {
    ...manifest,
    metadata: {
      ...rest,
      ...mapField('labels', undefined, labels),
      ...mapField('annotations', undefined, annotations),
    },
  };
}

/** Merges labels or annotations; a key that ends in `-` removes the key before the `-`. */
function mapField(
  name: 'labels' | 'annotations',
  existing: Record<string, string> | undefined,
  required: Record<string, string> | undefined,
): Partial<KubeObject['metadata']> {
  if (!required) {
    return {};
  }
  const removed = Object.keys(required)
    .filter(key => key.endsWith('-'))
    .flatMap(key => [key, key.slice(0, -1)]);
  const merged = Object.entries({ ...existing, ...required }).filter(
    ([key]) => !removed.includes(key),
  );
  return { [name]: Object.fromEntries(merged) };
}
