import { RELATION_DEPENDS_ON, type Entity } from '@backstage/catalog-model';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  ARGOCD_ENTITY_ANNOTATIONS,
  SELECTOR_ENTITY_ANNOTATION,
} from 'backstage-plugin-argocd-fleet-common';

const { name, selector, project } = ARGOCD_ENTITY_ANNOTATIONS;
const LINKING = [
  APPLICATION_SET_ENTITY_ANNOTATION,
  SELECTOR_ENTITY_ANNOTATION,
  name,
  selector,
  project,
];

/** As the catalog module names the resources of ApplicationSets: `<hub>.<namespace>.<name>`, or with a hash at the end. */
const SET_RESOURCE =
  /^resource:default\/(?:[^./:]+\.[^./:]+\.[^/:]+|[^/:]*_[0-9a-f]{10})$/;

/**
 * Whether an entity may be linked to ApplicationSets: it has an annotation that links it, or the relation to an
 * ApplicationSet that the catalog module makes of other links. For `EntitySwitch.Case` and `EntityLayout.Route` in classic
 * apps.
 * @public
 */
export function isArgocdFleetAvailable(entity: Entity): boolean {
  const { metadata, relations = [] } = entity;
  return (
    LINKING.some(annotation => metadata.annotations?.[annotation]) ||
    relations.some(
      ({ type, targetRef }) =>
        type === RELATION_DEPENDS_ON && SET_RESOURCE.test(targetRef),
    )
  );
}
