import type {
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { workStatus, type AppliedObjects } from 'simulated-fleet';
import { FLEET_RESOURCES } from '../../../fleet/resources';
import {
  isKubernetesError,
  type KubernetesClient,
} from '../../../kubernetes/client';
import { sameJson } from '../../../model/json';
import type { ClusterApi } from './clusterApi';

const POLL_MS = 500;

type SimulatedWork = Parameters<typeof workStatus>[0];
type AppliedObject = KubernetesObject &
  NonNullable<ReturnType<AppliedObjects['get']>>;

/** The agent of a managed cluster, between two API servers. It applies and reports; it removes nothing. */
export interface ClusterAgent {
  stop(): Promise<void>;
}

/** Applies each work of a cluster when it changes, and reports what the simulated agents report of its objects. */
export function startClusterAgent(options: {
  readonly hub: KubernetesClient;
  readonly cluster: ClusterApi;
  /** Name of the cluster on the hub. */
  readonly name: string;
}): ClusterAgent {
  const { hub, cluster, name } = options;
  const stopping = new AbortController();
  /** What was applied, by name. */
  const applied = new Map<
    string,
    { readonly generation: number; readonly errors: Map<number, string> }
  >();

  async function apply({ metadata, spec }: ManifestWork) {
    const before = applied.get(metadata.name);
    const { generation = 0 } = metadata;
    if (before?.generation === generation && before.errors.size === 0) {
      return before.errors;
    }
    const errors = new Map<number, string>();
    for (const [ordinal, manifest] of spec.workload!.manifests!.entries()) {
      await cluster
        .apply(manifest as KubernetesObject)
        .catch(error => errors.set(ordinal, String(error)));
    }
    applied.set(metadata.name, { generation, errors });
    return errors;
  }

  async function reconcile(work: ManifestWork) {
    if (work.metadata.deletionTimestamp) {
      return;
    }
    const errors = await apply(work);
    const objects = await Promise.all(
      work.spec.workload!.manifests!.map(manifest =>
        cluster.read<AppliedObject>(manifest as KubernetesObject),
      ),
    );
    const status = workStatus(
      work as SimulatedWork,
      { get: ({ ordinal }) => objects[ordinal] },
      errors,
      new Date(),
    );
    if (!sameJson(work.status, { ...work.status, ...status })) {
      await hub.patch(
        FLEET_RESOURCES.works,
        work.metadata,
        { status },
        { subresource: 'status' },
      );
    }
  }

  async function run() {
    while (!stopping.signal.aborted) {
      const { items } = await hub.list(FLEET_RESOURCES.works, {
        namespace: name,
      });
      await Promise.all(
        items.map(item =>
          reconcile(item as ManifestWork).catch(error => {
            if (!isKubernetesError(error, 'notFound', 'conflict')) {
              throw error;
            }
          }),
        ),
      );
      await new Promise(resolve => {
        setTimeout(resolve, POLL_MS);
      });
    }
  }

  const ended = run();
  // `stop` throws it.
  ended.catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
