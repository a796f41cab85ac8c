import type { AuthService } from '@backstage/backend-plugin-api';
import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import {
  APPLICATION_SET_RESOURCE_TYPE,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { createCatalogCheck, type CatalogCheckTask } from './catalogCheck';
import { catalogFindings } from './model/findings';

const FACET = 'spec.owner';

/** A portal in which more owners are missing has one reason for all. */
const MAX_FINDINGS = 5;

/**
 * Finds owners of ApplicationSets that the catalog does not have, such as the default one in a new portal;
 * those of most ApplicationSets first.
 */
export function createMissingOwnersCheck(options: {
  readonly auth: AuthService;
  readonly catalog: Pick<
    CatalogService,
    'getEntityFacets' | 'getEntitiesByRefs'
  >;
  /** Called when the findings have changed. */
  readonly onChange: () => void;
}): {
  /** Of the last check. */
  readonly findings: () => readonly Finding[];
  readonly task: CatalogCheckTask;
} {
  const { auth, catalog, onChange } = options;

  async function check(): Promise<Finding[]> {
    const credentials = await auth.getOwnServiceCredentials();
    const { facets } = await catalog.getEntityFacets(
      {
        filter: {
          kind: 'resource',
          'spec.type': APPLICATION_SET_RESOURCE_TYPE,
        },
        facets: [FACET],
      },
      { credentials },
    );
    const counts = new Map<string, number>();
    for (const { value, count } of facets[FACET] ?? []) {
      const owner = ownerRef(value);
      counts.set(owner, (counts.get(owner) ?? 0) + count);
    }
    const owners = [...counts.keys()];
    const { items } = await catalog.getEntitiesByRefs(
      { entityRefs: owners, fields: ['kind'] },
      { credentials },
    );
    return owners
      .filter((_, index) => !items[index])
      .sort((a, b) => counts.get(b)! - counts.get(a)!)
      .slice(0, MAX_FINDINGS)
      .map(owner => catalogFindings.ownerMissing(owner, counts.get(owner)!));
  }

  const { result, task } = createCatalogCheck<readonly Finding[]>(
    'missing-owners',
    [],
    check,
    onChange,
  );
  return { findings: result, task };
}

/** As the catalog resolves it: an owner without kind is a group. */
function ownerRef(owner: string): string {
  return stringifyEntityRef(
    parseEntityRef(owner, {
      defaultKind: 'group',
      defaultNamespace: 'default',
    }),
  );
}
