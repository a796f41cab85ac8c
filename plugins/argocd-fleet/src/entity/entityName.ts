import { DEFAULT_NAMESPACE, type Entity } from '@backstage/catalog-model';
import type { EntityName } from 'backstage-plugin-argocd-fleet-common';

/** What names an entity in a URL. */
export function entityNameOf(entity: Entity): EntityName {
  return {
    kind: entity.kind,
    namespace: entity.metadata.namespace ?? DEFAULT_NAMESPACE,
    name: entity.metadata.name,
  };
}
