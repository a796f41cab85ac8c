import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { createCatalogCheck, type CatalogCheckTask } from './catalogCheck';
import type { LinkedEntities } from './catalog';
import type { FleetCache } from './fleet';
import { catalogFindings, shownNames } from './model/findings';
import { recordsOwner } from './model/writes';

/** Finds the ApplicationSets that nobody may read as their owner any more, since only links in the catalog say whose they are. */
export function createLinkOnlyReadersCheck(options: {
  readonly hubs: readonly {
    readonly name: string;
    readonly cache: Pick<FleetCache, 'applicationSets'>;
  }[];
  readonly linkedEntities: Pick<LinkedEntities, 'ownersOf'>;
  /** Called when the findings have changed. */
  readonly onChange: () => void;
}): {
  /** Of the last check. */
  readonly findings: () => readonly Finding[];
  readonly task: CatalogCheckTask;
} {
  const { hubs, linkedEntities, onChange } = options;

  async function check(): Promise<Finding[]> {
    const found: string[] = [];
    for (const { name: hub, cache } of hubs) {
      for (const set of cache.applicationSets.list()) {
        const { namespace = '', name } = set.metadata;
        const ref = { hub, namespace, name };
        if (!recordsOwner(set) && linkedEntities.ownersOf(ref)?.length) {
          found.push(`${hub}: ${namespace}/${name}`);
        }
      }
    }
    return found.length > 0
      ? [
          catalogFindings.linkOnlyReaders(found.length, {
            evidence: shownNames(found).join('\n'),
          }),
        ]
      : [];
  }

  const { result, task } = createCatalogCheck<readonly Finding[]>(
    'link-only-readers',
    [],
    check,
    onChange,
  );
  return { findings: result, task };
}
