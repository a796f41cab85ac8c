import { kubeTime, ObjectMeta as AnyObjectMeta } from 'apimachinery';

export { groupOf, versionOf } from 'apimachinery';
export { kubeTime };
export type { JsonObject, OwnerReference } from 'apimachinery';

/** The metadata of an object that has its name. */
export interface ObjectMeta extends AnyObjectMeta {
  name: string;
}

/** Any Kubernetes object. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec?: object;
  status?: object;
}

/** `metav1.Condition`, times in RFC 3339 with seconds. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** `<namespace>/<name>`, or the name alone for cluster-scoped objects. */
export function objectKey(object: {
  metadata: Pick<ObjectMeta, 'name' | 'namespace'>;
}): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/** Splits what {@link objectKey} made. */
export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** A time as `metav1.MicroTime` writes it, which leases use. */
export function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}

/**
 * Sets a condition with the rule of apimachinery's `SetStatusCondition`: the
 * transition time moves only when the status does.
 */
export function withCondition(
  conditions: readonly Condition[],
  next: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): Condition[] {
  const index = conditions.findIndex(({ type }) => type === next.type);
  if (index < 0) {
    return [...conditions, { ...next, lastTransitionTime: kubeTime(now) }];
  }
  const previous = conditions[index];
  const lastTransitionTime =
    previous.status === next.status
      ? previous.lastTransitionTime
      : kubeTime(now);
  const updated = conditions.slice();
  updated[index] = { ...next, lastTransitionTime };
  return updated;
}
