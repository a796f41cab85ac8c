import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES } from '../../fleet/resources';
import {
  isKubernetesError,
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client';

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';
const POLL_MS = 100;

/** What the Argo CD of a managed cluster does with the lives of Applications and workloads, and nothing else of it. */
export interface ClusterArgoCd {
  /** Names of the Applications whose workload runs. */
  readonly running: ReadonlySet<string>;
  /** Names of the Applications whose workload was deleted at any time. */
  readonly deleted: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Deploys every Application of a cluster: it is Synced and Healthy. A finalizer takes the workload with the Application. */
export function startClusterArgoCd(client: KubernetesClient): ClusterArgoCd {
  const running = new Set<string>();
  const deleted = new Set<string>();
  const stopping = new AbortController();

  async function reconcile({ metadata, spec, status }: ArgoApplication) {
    const { namespace, name, finalizers = [], deletionTimestamp } = metadata;
    if (deletionTimestamp) {
      if (finalizers.includes(FINALIZER)) {
        running.delete(name);
        deleted.add(name);
      }
      const others = finalizers.filter(each => each !== FINALIZER);
      await patch({ namespace, name }, { metadata: { finalizers: others } });
      return;
    }
    running.add(name);
    const { source, destination } = spec;
    const synced = {
      health: { status: 'Healthy' },
      sync: {
        status: 'Synced',
        revision: 'a',
        comparedTo: { source, destination },
      },
    };
    if (JSON.stringify(status?.sync) !== JSON.stringify(synced.sync)) {
      await patch({ namespace, name }, { status: synced });
    }
  }

  async function patch(
    name: { readonly namespace?: string; readonly name: string },
    content: object,
  ) {
    await client
      .patch(FLEET_RESOURCES.applications, name, { ...content })
      .catch(error => {
        if (!isKubernetesError(error, 'notFound')) {
          throw error;
        }
      });
  }

  async function run() {
    const { signal } = stopping;
    while (!signal.aborted) {
      const { items } = await client.list(FLEET_RESOURCES.applications);
      const byName = [...items].sort((a, b) =>
        objectKey(a.metadata) < objectKey(b.metadata) ? -1 : 1,
      );
      for (const application of byName) {
        await reconcile(application);
      }
      await new Promise(resolve => {
        setTimeout(resolve, POLL_MS);
      });
    }
  }

  const ended = run();
  // `stop` throws it.
  ended.catch(() => {});
  return {
    running,
    deleted,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
