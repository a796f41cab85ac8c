import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { ownerOf } from './expectedWorks';
import type { HubHands } from './hubHands';

const OCM = 'apps.open-cluster-management.io';
const WORKS = '/apis/work.open-cluster-management.io/v1';
/** The work agent's own: a work that is deleted stays until its cluster has let go of it. */
const AGENT_FINALIZER =
  'cluster.open-cluster-management.io/manifest-work-cleanup';

/** What others than the backend do to works. */
export interface WorksOnHub {
  list(): Promise<readonly ManifestWork[]>;
  /** A person, or software that we do not know, at the one of our works with that number. */
  meddle(
    which: number,
    how: 'spec' | 'labels' | 'disown' | 'delete',
  ): Promise<void>;
  /** All agents take hold of their works, or let go of those that are being deleted. */
  agents(how: 'hold' | 'release'): Promise<void>;
}

/** Takes the works of a hub in hand. */
export function createWorksOnHub(hands: HubHands): WorksOnHub {
  let editors = 0;

  async function list(): Promise<readonly ManifestWork[]> {
    return hands.list<ManifestWork>(`${WORKS}/manifestworks`);
  }

  function workPath({ metadata: { namespace, name } }: ManifestWork): string {
    return `${WORKS}/namespaces/${namespace}/manifestworks/${name}`;
  }

  async function meddle(
    which: number,
    how: 'spec' | 'labels' | 'disown' | 'delete',
  ) {
    const work = (await list()).filter(each => ownerOf(each))[which];
    if (!work) {
      return;
    }
    const path = workPath(work);
    // Never the same twice: who undoes our writes again and again is a rival, and rivals are left alone.
    editors += 1;
    const as = `editor-${editors}`;
    switch (how) {
      case 'delete':
        await hands.delete(path);
        return;
      case 'disown':
        await hands.patch(
          path,
          {
            metadata: {
              annotations: { [`${OCM}/hub-application-name`]: null },
            },
          },
          { as },
        );
        return;
      case 'labels':
        await hands.patch(
          path,
          {
            metadata: {
              labels: {
                [`${OCM}/application-set`]: 'false',
                [`${OCM}/pull-to-ocm-managed-cluster`]: null,
              },
              annotations: { [`${OCM}/hosting-applicationset`]: 'no/body' },
            },
          },
          { as },
        );
        return;
      default: {
        const [payload] = (work.spec.workload?.manifests ??
          []) as ArgoApplication[];
        await hands.patch(
          path,
          {
            spec: {
              workload: {
                manifests: [
                  { ...payload, spec: { ...payload?.spec, project: 'evil' } },
                ],
              },
            },
          },
          { as },
        );
      }
    }
  }

  async function agents(how: 'hold' | 'release') {
    for (const work of await list()) {
      const { deletionTimestamp, finalizers = [] } = work.metadata;
      if (how === 'release' && deletionTimestamp && finalizers.length > 0) {
        await hands.patch(workPath(work), { metadata: { finalizers: null } });
      } else if (how === 'hold' && !deletionTimestamp) {
        await hands.patch(workPath(work), {
          metadata: { finalizers: [AGENT_FINALIZER] },
        });
      }
    }
  }

  return { list, meddle, agents };
}
