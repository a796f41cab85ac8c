import { argoClusters, IN_CLUSTER } from '../applicationset/argoClusters';
import { FleetContext } from '../hub/hubInformers';
import { Application } from '../kubernetes/argocdTypes';
import { mergePatchOf } from '../kubernetes/json';
import { JsonObject, objectKey } from '../kubernetes/objects';
import { applications } from '../kubernetes/resources';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { GitSources } from '../cluster/gitSources';
import { SimulatedCluster } from '../cluster/simulatedCluster';
import { isRolloutRef } from '../cluster/rollouts';
import { deployRollouts, removeRollouts } from './rollouts/deployRollouts';
import { applyHubObjects } from './hubObjects';
import {
  nextStep,
  REFRESH_ANNOTATION,
  ApplicationStep,
  SyncTimings,
} from './nextStep';

const FIELD_MANAGER = 'argocd-application-controller';
const PULL_LABEL =
  'apps.open-cluster-management.io/pull-to-ocm-managed-cluster';
const SKIP_RECONCILE = 'argocd.argoproj.io/skip-reconcile';
const TRUE = /^(1|t|T|TRUE|true|True)$/;

/** True for push-model Applications, which the hub's own Argo CD deploys. */
export function isPushModel({ metadata }: Application): boolean {
  return (
    !TRUE.test(metadata.labels?.[PULL_LABEL] ?? '') &&
    !TRUE.test(metadata.annotations?.[SKIP_RECONCILE] ?? '')
  );
}

/**
 * Simulates the hub's Argo CD, which writes the status of push-model Applications on the hub, and applies what they deploy to the
 * hub itself.
 */
export function startHubArgoCd(
  options: FleetContext & {
    clusters: ReadonlyMap<string, SimulatedCluster>;
    /** The name of the ManagedCluster that represents the hub itself. */
    hubCluster: string | undefined;
    timings: SyncTimings;
    /** The Git server whose pushes lead to a comparison. */
    git?: GitSources;
  },
): void {
  const { client, hub, clock, clusters, hubCluster, timings, git } = options;
  // Clock ticks of the last change, by key.
  const changedAt = new Map<string, number>();
  const deployersOf = hub.applications.index(rolloutKeys);

  function destinationOf({ spec }: Application): SimulatedCluster | undefined {
    const { name, server } = spec?.destination ?? {};
    const known = argoClusters(hub.clusterSecrets.list());
    const isHub = server === IN_CLUSTER.server || name === IN_CLUSTER.name;
    const clusterName = isHub
      ? hubCluster
      : known.find(cluster =>
          name ? cluster.name === name : cluster.server === server,
        )?.name;
    return clusterName ? clusters.get(clusterName) : undefined;
  }

  async function reconcile(key: string, requeueAfter: (ms: number) => void) {
    const application = hub.applications.get(key);
    if (!application) {
      changedAt.delete(key);
      return;
    }
    const cluster = destinationOf(application);
    if (!isPushModel(application) || !cluster) {
      return;
    }
    const isOnHub = cluster.name === hubCluster;
    const step = nextStep(
      application,
      cluster.environment,
      timings,
      clock.ticks() - (changedAt.get(key) ?? 0),
      clock.now(),
    );
    if (step.requeueAfterMs !== undefined) {
      requeueAfter(step.requeueAfterMs);
    }
    if (git && isOnHub && hasSynced(application, step)) {
      await applyHubObjects(
        { ...application, status: step.status },
        client,
        git,
      );
    }
    const patch = patchOf(application, step);
    if (patch) {
      const written = await client.patch(
        applications,
        application.metadata,
        patch,
        { fieldManager: FIELD_MANAGER },
      );
      hub.applications.applyWriteResult(written);
    }
    const { store, environment } = cluster;
    if (step.removeFinalizers) {
      removeRollouts(application, store);
    } else if (!application.metadata.deletionTimestamp) {
      const status = step.status ?? application.status;
      deployRollouts({ ...application, status }, environment, store);
    }
  }

  const queue = createReconcileQueue({
    name: 'Hub Argo CD',
    reconcile,
    startAfter: hub.waitForSync(),
    ...options,
  });
  hub.applications.onChange((now, before) => {
    const application = now ?? before;
    if (application && isPushModel(application)) {
      changedAt.set(objectKey(application), clock.ticks());
      queue.add(objectKey(application));
    }
  });
  git?.onPush(() =>
    hub.applications
      .list()
      .filter(isPushModel)
      .forEach(application => queue.add(objectKey(application))),
  );
  for (const { store } of clusters.values()) {
    store.onChange(ref => {
      if (isRolloutRef(ref)) {
        deployersOf(rolloutKey(ref)).forEach(application =>
          queue.add(objectKey(application)),
        );
      }
    });
  }
}

/** Whether a step ends a sync that succeeds. */
function hasSynced({ status }: Application, step: ApplicationStep): boolean {
  return (
    status?.operationState?.phase === 'Running' &&
    step.status?.operationState?.phase === 'Succeeded'
  );
}

function rolloutKey(ref: { namespace?: string; name: string }): string {
  return `${ref.namespace}/${ref.name}`;
}

/** The index keys of a push-model Application: the Rollouts among its resources. */
function rolloutKeys(application: Application): string[] {
  return isPushModel(application)
    ? (application.status?.resources ?? [])
        .filter(({ kind }) => kind === 'Rollout')
        .map(rolloutKey)
    : [];
}

function patchOf(
  application: Application,
  step: ApplicationStep,
): JsonObject | undefined {
  const { status = {}, metadata } = application;
  const patch: JsonObject = {};
  const meta: JsonObject = {};
  const statusPatch =
    step.status && mergePatchOf({ ...status }, { ...step.status });
  if (statusPatch) {
    patch.status = statusPatch;
  }
  if (step.removeOperation) {
    patch.operation = null;
  }
  if (step.removeRefresh) {
    meta.annotations = { [REFRESH_ANNOTATION]: null };
  }
  if (step.removeFinalizers) {
    meta.finalizers = (metadata.finalizers ?? []).filter(
      name => !name.includes('argocd.argoproj.io'),
    );
  }
  if (Object.keys(patch).length + Object.keys(meta).length === 0) {
    return undefined;
  }
  // The resource version rejects a patch that was computed from an outdated object.
  meta.resourceVersion = metadata.resourceVersion;
  return { ...patch, metadata: meta };
}
