import { isDeepStrictEqual } from 'node:util';
import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { syncedStatus } from '../../../__testUtils__/agentReport';
import { ownerOf } from './expectedWorks';
import type { HubApi } from './hubApi';

const OCM = 'apps.open-cluster-management.io';
const WORKS = '/apis/work.open-cluster-management.io/v1';
/** The work agent's finalizer: a deleted work stays until its cluster has removed the manifests. */
const AGENT_FINALIZER =
  'cluster.open-cluster-management.io/manifest-work-cleanup';

/** Changes of works by users and agents. */
export interface WorksOnHub {
  list(): Promise<readonly ManifestWork[]>;
  /** Changes the backend's work with that index, as a user or unknown software does. */
  overwrite(
    which: number,
    how: 'spec' | 'labels' | 'disown' | 'delete',
  ): Promise<void>;
  /** All agents add their finalizer to their works, or remove it from those that are being deleted. */
  setAgentFinalizers(how: 'hold' | 'release'): Promise<void>;
  /** All agents report that they have applied their works, and that the Applications are synced. */
  report(): Promise<void>;
}

/** Changes the works of a hub through its API. */
export function createWorksOnHub(api: HubApi): WorksOnHub {
  let editors = 0;

  async function list(): Promise<readonly ManifestWork[]> {
    return api.list<ManifestWork>(`${WORKS}/manifestworks`);
  }

  function workPath({ metadata: { namespace, name } }: ManifestWork): string {
    return `${WORKS}/namespaces/${namespace}/manifestworks/${name}`;
  }

  async function overwrite(
    which: number,
    how: 'spec' | 'labels' | 'disown' | 'delete',
  ) {
    const work = (await list()).filter(each => ownerOf(each))[which];
    if (!work) {
      return;
    }
    const path = workPath(work);
    // A new field manager each time: propagation stops writing against one that overwrites it again and again.
    editors += 1;
    const fieldManager = `editor-${editors}`;
    switch (how) {
      case 'delete':
        await api.delete(path);
        return;
      case 'disown':
        await api.patch(
          path,
          {
            metadata: {
              annotations: { [`${OCM}/hub-application-name`]: null },
            },
          },
          { fieldManager },
        );
        return;
      case 'labels':
        await api.patch(
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
          { fieldManager },
        );
        return;
      default: {
        const [payload] = (work.spec.workload?.manifests ??
          []) as ArgoApplication[];
        await api.patch(
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
          { fieldManager },
        );
      }
    }
  }

  async function setAgentFinalizers(how: 'hold' | 'release') {
    for (const work of await list()) {
      const { deletionTimestamp, finalizers = [] } = work.metadata;
      if (how === 'release' && deletionTimestamp && finalizers.length > 0) {
        await api.patch(workPath(work), { metadata: { finalizers: null } });
      } else if (how === 'hold' && !deletionTimestamp) {
        await api.patch(workPath(work), {
          metadata: { finalizers: [AGENT_FINALIZER] },
        });
      }
    }
  }

  async function report() {
    for (const work of await list()) {
      const status = syncedStatus(work);
      if (
        !work.metadata.deletionTimestamp &&
        !isDeepStrictEqual(work.status, status)
      ) {
        await api.patch(`${workPath(work)}/status`, { status });
      }
    }
  }

  return { list, overwrite, setAgentFinalizers, report };
}
