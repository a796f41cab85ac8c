import type { AuthService } from '@backstage/backend-plugin-api';
import type { Entity } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import { readEntities } from 'backstage-plugin-argocd-fleet-common';

/** Looks up which entities the catalog has, by reference; of each only the kind and the annotations. */
export function createEntityLookup(options: {
  readonly auth: AuthService;
  readonly catalog: Pick<CatalogService, 'getEntitiesByRefs'>;
}): (refs: readonly string[]) => Promise<ReadonlyMap<string, Entity>> {
  const { auth, catalog } = options;
  return async refs => {
    const credentials = await auth.getOwnServiceCredentials();
    return readEntities(refs, entityRefs =>
      catalog.getEntitiesByRefs(
        { entityRefs, fields: ['kind', 'metadata.annotations'] },
        { credentials },
      ),
    );
  };
}
