import type {
  AuthService,
  SchedulerServiceTaskInvocationDefinition,
  SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import { CATALOG_FILTER_EXISTS } from '@backstage/catalog-client';
import { RELATION_OWNED_BY, type Entity } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  parseApplicationSetAnnotation,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { normalizeOwner } from 'backstage-plugin-argocd-fleet-node';
import type { LinkedOwners } from './api';

const NOBODY: readonly string[] = [];

/**
 * Knows who owns the entities of the catalog that link to an ApplicationSet: also the resources that the catalog module
 * makes of ApplicationSets, whose owner may be the default one.
 */
export function createLinkedOwners(options: {
  readonly auth: AuthService;
  readonly catalog: Pick<CatalogService, 'streamEntities'>;
  /** Called when the owners have changed. */
  readonly onChange: () => void;
}): LinkedOwners & {
  readonly task: SchedulerServiceTaskInvocationDefinition &
    SchedulerServiceTaskScheduleDefinition;
} {
  const { auth, catalog, onChange } = options;
  let owners: ReadonlyMap<string, readonly string[]> | undefined;
  /** An ApplicationSet has the same owners until they change. */
  let joined = new Map<string, readonly string[]>();

  async function read() {
    const found = new Map<string, Set<string>>();
    const pages = catalog.streamEntities(
      {
        filter: {
          [`metadata.annotations.${APPLICATION_SET_ENTITY_ANNOTATION}`]:
            CATALOG_FILTER_EXISTS,
        },
        fields: ['kind', 'metadata.annotations', 'relations'],
      },
      { credentials: await auth.getOwnServiceCredentials() },
    );
    for await (const entities of pages) {
      for (const entity of entities) {
        const ownedBy = ownersOf(entity);
        for (const { hub, ...ref } of linksOf(entity)) {
          const key = keyOf(hub, ref);
          const known = found.get(key) ?? new Set();
          ownedBy.forEach(owner => known.add(owner));
          found.set(key, known);
        }
      }
    }
    return new Map(
      [...found]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, refs]) => [key, [...refs].sort()]),
    );
  }

  return {
    of({ hub, ...ref }) {
      if (!owners) {
        return undefined;
      }
      const key = keyOf(hub, ref);
      let known = joined.get(key);
      if (!known) {
        const here = owners.get(key) ?? NOBODY;
        // A link without hub means the ApplicationSet on every hub that has it.
        const anywhere = owners.get(keyOf(undefined, ref)) ?? NOBODY;
        known = anywhere.length > 0 ? [...here, ...anywhere] : here;
        joined.set(key, known);
      }
      return known;
    },
    task: {
      id: 'linked-owners',
      // Every replica decides by what it read itself.
      scope: 'local',
      frequency: { minutes: 1 },
      timeout: { minutes: 1 },
      async fn() {
        const before = owners && JSON.stringify([...owners]);
        owners = await read();
        joined = new Map();
        if (JSON.stringify([...owners]) !== before) {
          onChange();
        }
      },
    },
  };
}

function keyOf(hub: string | undefined, { namespace, name }: NamespacedName) {
  return `${hub ?? ''}:${namespace}/${name}`;
}

function linksOf({ metadata }: Entity) {
  const annotation = metadata.annotations?.[APPLICATION_SET_ENTITY_ANNOTATION];
  return parseApplicationSetAnnotation(annotation ?? '').refs;
}

function ownersOf({ relations = [] }: Entity): string[] {
  return relations
    .filter(({ type }) => type === RELATION_OWNED_BY)
    .flatMap(({ targetRef }) => normalizeOwner(targetRef) ?? []);
}
