import { DEFAULT_NAMESPACE, type Entity } from '@backstage/catalog-model';
import type { EntityName } from 'backstage-plugin-argocd-fleet-common';

/** Kind, namespace and name of an entity. */
export function entityNameOf(entity: Entity): EntityName {
  return {
    kind: entity.kind,
    namespace: entity.metadata.namespace ?? DEFAULT_NAMESPACE,
    name: entity.metadata.name,
  };
}
