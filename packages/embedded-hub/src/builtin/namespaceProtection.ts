import { ResourceDefinition } from '../resources/resourceDefinition';
import { forbidden } from '../api/statusErrors';

/** Namespaces that every cluster needs. */
const PROTECTED = new Set(['default', 'kube-system', 'kube-public']);

/** @throws ApiError 403 for the deletion of a namespace that Kubernetes protects. */
export function assertNotProtected(
  resource: ResourceDefinition,
  name: string,
): void {
  if (
    resource.group === '' &&
    resource.plural === 'namespaces' &&
    PROTECTED.has(name)
  ) {
    throw forbidden(resource, name, 'this namespace may not be deleted');
  }
}
