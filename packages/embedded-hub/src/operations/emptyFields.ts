import { isJsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';

const METADATA = [
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const;
const BUILT_IN = ['data', 'binaryData'] as const;

function isEmpty(value: unknown): boolean {
  return (
    (Array.isArray(value) && value.length === 0) ||
    (isJsonObject(value) && Object.keys(value).length === 0)
  );
}

/**
 * Removes empty fields that Kubernetes' own types omit, from the metadata of all kinds and the data of built-in kinds.
 */
export function dropEmptyFields(
  resource: ResourceDefinition,
  object: KubernetesObject,
): void {
  for (const field of METADATA) {
    if (isEmpty(object.metadata[field])) {
      delete object.metadata[field];
    }
  }
  for (const field of resource.custom ? [] : BUILT_IN) {
    if (isEmpty(object[field])) {
      delete object[field];
    }
  }
}
