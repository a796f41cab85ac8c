import type { Entity } from '@backstage/catalog-model';
import { APPLICATION_SET_ENTITY_ANNOTATION } from 'backstage-plugin-argocd-fleet-common';

/**
 * Whether an entity has the annotation that links ApplicationSets: for `EntitySwitch.Case` and `EntityLayout.Route` in
 * classic apps.
 * @public
 */
export function isArgocdFleetAvailable(entity: Entity): boolean {
  return Boolean(
    entity.metadata.annotations?.[APPLICATION_SET_ENTITY_ANNOTATION],
  );
}
