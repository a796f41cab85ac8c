import {
  getCompoundEntityRef,
  parseEntityRef,
  RELATION_DEPENDENCY_OF,
  RELATION_DEPENDS_ON,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import {
  processingResult,
  type CatalogProcessor,
} from '@backstage/plugin-catalog-node';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  parseApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationSetResourceRef } from './resourceNames';

/**
 * Makes every entity with the annotation `argocd-fleet/applicationset` depend on the resources of the ApplicationSets
 * that it names.
 *
 * An annotation without a hub means every hub that has the ApplicationSet. Only the backend knows which hubs those are,
 * so the catalog gets a relation only if the annotation names the hub or there is only one. The Fleet tab shows all of
 * them.
 */
export function createApplicationSetRelationProcessor(options: {
  readonly hubNames: readonly string[];
}): CatalogProcessor {
  const [firstHub, ...otherHubs] = options.hubNames;
  const onlyHub = otherHubs.length === 0 ? firstHub : undefined;

  return {
    getProcessorName: () => 'ArgocdFleetApplicationSetRelationProcessor',

    async postProcessEntity(entity, _location, emit) {
      const annotation =
        entity.metadata.annotations?.[APPLICATION_SET_ENTITY_ANNOTATION];
      if (!annotation) {
        return entity;
      }
      const source = getCompoundEntityRef(entity);
      const { refs } = parseApplicationSetAnnotation(annotation);
      for (const { hub = onlyHub, ...rest } of refs) {
        if (hub === undefined) {
          continue;
        }
        const targetRef = applicationSetResourceRef({ hub, ...rest });
        // The resource of an ApplicationSet has the annotation too, for its own Fleet tab.
        if (targetRef === stringifyEntityRef(source)) {
          continue;
        }
        const target = parseEntityRef(targetRef);
        emit(
          processingResult.relation({
            type: RELATION_DEPENDS_ON,
            source,
            target,
          }),
        );
        emit(
          processingResult.relation({
            type: RELATION_DEPENDENCY_OF,
            source: target,
            target: source,
          }),
        );
      }
      return entity;
    },
  };
}
