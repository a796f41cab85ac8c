import { ResourceDefinition } from '../resources/resourceDefinition';
import { forbidden } from '../api/statusErrors';

/** Namespaces that a cluster cannot do without. */
const PROTECTED = new Set(['default', 'kube-system', 'kube-public']);

/** Refuses (403) to delete a namespace that Kubernetes protects. */
export function protectedNamespaceRefusal(
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
