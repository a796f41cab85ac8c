import { isJsonObject, JsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Sorts keys, as Go does when it encodes a map. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map(key => [key, sorted(value[key])]),
      )
    : value;
}

/**
 * Updates the annotation of kubectl's client-side apply after a server-side apply by kubectl, as Kubernetes does: the
 * next client-side apply or diff would otherwise compare with an old configuration. `applied` is the configuration as
 * sent.
 */
export function updateLastApplied(
  object: KubernetesObject,
  applied: KubernetesObject,
): void {
  const { annotations } = object.metadata;
  if (annotations?.[LAST_APPLIED] === undefined) {
    return;
  }
  const { [LAST_APPLIED]: _last, ...others } =
    applied.metadata.annotations ?? {};
  const configuration: JsonObject = {
    ...applied,
    metadata: {
      ...applied.metadata,
      ...(applied.metadata.annotations && { annotations: others }),
    },
  };
  annotations[LAST_APPLIED] = `${JSON.stringify(sorted(configuration))}\n`;
}
