import type {
  AuthService,
  SchedulerServiceTaskInvocationDefinition,
  SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import {
  APPLICATION_SET_RESOURCE_TYPE,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { catalogFindings } from './model/findings';

const FACET = 'spec.owner';

/** A portal in which more owners are missing has one reason for all. */
const MAX_FINDINGS = 5;

/** Finds owners of ApplicationSets that the catalog does not have, such as the default one in a new portal. */
export function createMissingOwnersCheck(options: {
  readonly auth: AuthService;
  readonly catalog: Pick<
    CatalogService,
    'getEntityFacets' | 'getEntitiesByRefs'
  >;
  /** Called when `findings()` has changed. */
  readonly onChange: () => void;
}): {
  /** Of the last check, those of most ApplicationSets first. */
  readonly findings: () => readonly Finding[];
  readonly task: SchedulerServiceTaskInvocationDefinition &
    SchedulerServiceTaskScheduleDefinition;
} {
  const { auth, catalog, onChange } = options;
  let findings: readonly Finding[] = [];

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

  return {
    findings: () => findings,
    task: {
      id: 'missing-owners',
      // Every replica answers with what it found itself.
      scope: 'local',
      // The catalog has read its locations by then.
      initialDelay: { minutes: 2 },
      frequency: { minutes: 10 },
      timeout: { minutes: 1 },
      async fn() {
        const before = JSON.stringify(findings);
        findings = await check();
        if (JSON.stringify(findings) !== before) {
          onChange();
        }
      },
    },
  };
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
