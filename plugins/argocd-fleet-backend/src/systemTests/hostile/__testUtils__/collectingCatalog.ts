import {
  createBackendPlugin,
  type BackendFeature,
} from '@backstage/backend-plugin-api';
import { stringifyEntityRef, type Entity } from '@backstage/catalog-model';
import {
  catalogProcessingExtensionPoint,
  type DeferredEntity,
  type EntityProviderMutation,
} from '@backstage/plugin-catalog-node';
import catalogModule from 'backstage-plugin-catalog-backend-module-argocd-fleet';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  formatApplicationSetAnnotation,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';

/** What the catalog module makes of the hubs, which it reads through the API as a service. */
export interface CollectingCatalog {
  readonly features: readonly BackendFeature[];
  /** The entity of a reference: what the module made, in place of what a file has. */
  get(entityRef: string): Entity | undefined;
  /** Whether the module has considered an ApplicationSet: with components it publishes a resource of each. */
  hasResourceOf(ref: ObjectRef): boolean;
}

/**
 * Creates a catalog that keeps the entities of the module as they are given to it: the real one would process and store
 * them, which changes nothing about which there are.
 * @param files - entities that the catalog has from elsewhere
 */
export function createCollectingCatalog(
  files: readonly Entity[],
): CollectingCatalog {
  const ofFiles = byRef(files);
  let provided = new Map<string, Entity>();

  async function applyMutation(mutation: EntityProviderMutation) {
    if (mutation.type === 'full') {
      provided = new Map(byRef(mutation.entities.map(entityOf)));
      return;
    }
    for (const each of mutation.removed) {
      provided.delete(
        'entityRef' in each ? each.entityRef : stringifyEntityRef(each.entity),
      );
    }
    byRef(mutation.added.map(entityOf)).forEach((entity, ref) =>
      provided.set(ref, entity),
    );
  }

  const plugin = createBackendPlugin({
    pluginId: 'catalog',
    register(env) {
      env.registerExtensionPoint(catalogProcessingExtensionPoint, {
        addProcessor() {},
        addEntityProvider(...providers) {
          for (const provider of providers.flat()) {
            void provider.connect({ applyMutation, refresh: async () => {} });
          }
        },
        addPlaceholderResolver() {},
        setOnProcessingErrorHandler() {},
      });
      env.registerInit({ deps: {}, init: async () => {} });
    },
  });

  return {
    features: [plugin, catalogModule],
    get: entityRef => provided.get(entityRef) ?? ofFiles.get(entityRef),
    hasResourceOf: ref =>
      [...provided.values()].some(
        ({ kind, metadata: { annotations } }) =>
          kind === 'Resource' &&
          annotations?.[APPLICATION_SET_ENTITY_ANNOTATION] ===
            formatApplicationSetAnnotation([ref]),
      ),
  };
}

function entityOf({ entity }: DeferredEntity): Entity {
  return entity;
}

function byRef(entities: readonly Entity[]): ReadonlyMap<string, Entity> {
  return new Map(
    entities.map(entity => [stringifyEntityRef(entity), entity] as const),
  );
}
