import type {
  Finding,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { removalFindings, shownNames } from '../findings';

/** A work that is being deleted, and whose Application is gone. */
export interface EndingWork {
  readonly name: string;
  /** When its deletion was asked for. */
  readonly since: string;
  /** Its hub Application. */
  readonly application: NamespacedName;
  /** The ApplicationSet that made the Application; undefined if none did. */
  readonly applicationSet?: NamespacedName;
}

/**
 * Findings of a managed cluster as a whole. The object of each is the ApplicationSet that it is about, or the Application
 * where no set made that: only who may see the object may see the finding.
 */
export function clusterProblems(
  cluster: string,
  ending: readonly EndingWork[],
): Finding[] {
  const groups = new Map<string, { object: Owner; works: EndingWork[] }>();
  for (const work of ending) {
    const object = ownerOf(work);
    const key = `${object.kind} ${object.namespace}/${object.name}`;
    const group = groups.get(key) ?? { object, works: [] };
    groups.set(key, group);
    group.works.push(work);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { object, works }]) => {
      const names = works.map(({ name }) => name).sort();
      const [since] = works.map(work => work.since).sort();
      return {
        ...removalFindings.beingDeleted(
          cluster,
          { object, evidence: shownNames(names).join('\n') },
          { namespace: cluster, names },
        ),
        since,
      };
    });
}

type Owner = Required<NonNullable<Finding['object']>>;

function ownerOf({ applicationSet, application }: EndingWork): Owner {
  return applicationSet
    ? { kind: 'ApplicationSet', ...applicationSet }
    : { kind: 'Application', ...application };
}
