import { ObjectRef } from '../cluster/clusterStore';
import { Application } from '../kubernetes/argocdTypes';
import { KubeObject, objectKey } from '../kubernetes/objects';
import { FleetLogger } from '../runtime/logger';
import { Clock } from '../runtime/clock';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { GitSources } from '../cluster/gitSources';
import { SimulatedCluster } from '../cluster/simulatedCluster';
import { isRolloutRef } from '../cluster/rollouts';
import { deployRollouts, removeRollouts } from './rollouts/deployRollouts';
import { deletesWorkload, foreignFinalizers } from './finalizers';
import {
  nextStep,
  REFRESH_ANNOTATION,
  ApplicationStep,
  SyncTimings,
} from './nextStep';

const GROUP = 'argoproj.io';

/** Simulates the Argo CDs of all managed clusters, each on the objects of its own cluster. */
export function startSpokeArgoCds(options: {
  clusters: ReadonlyMap<string, SimulatedCluster>;
  timings: SyncTimings;
  /** The Git server whose pushes lead to a comparison. */
  git?: GitSources;
  clock: Clock;
  logger: FleetLogger;
  signal: AbortSignal;
}): void {
  const { clusters, timings, git, clock } = options;
  // Clock ticks of the last change, by "<cluster>/<namespace>/<name>".
  const changedAt = new Map<string, number>();

  async function reconcile(key: string, requeueAfter: (ms: number) => void) {
    const [clusterName, namespace, name] = key.split('/');
    const cluster = clusters.get(clusterName);
    const application = cluster?.store.get({
      group: GROUP,
      resource: 'applications',
      namespace,
      name,
    }) as Application | undefined;
    if (!cluster || !application) {
      changedAt.delete(key);
      return;
    }
    if (cluster.faults.apiServerDown) {
      return;
    }
    const elapsed = clock.ticks() - (changedAt.get(key) ?? 0);
    const step = nextStep(
      application,
      cluster.environment,
      timings,
      elapsed,
      cluster.now(),
    );
    if (step.requeueAfterMs !== undefined) {
      requeueAfter(step.requeueAfterMs);
    }
    const next = applyStep(application, step);
    createNamespace(next, cluster);
    cluster.store.put(next);
    if (step.removeFinalizers) {
      if (deletesWorkload(application.metadata.finalizers)) {
        removeRollouts(next, cluster.store);
        cluster.workloads.delete(objectKey(application));
      }
    } else if (!next.metadata.deletionTimestamp) {
      cluster.workloads.update(objectKey(application), next.status);
      deployRollouts(next, cluster.environment, cluster.store);
    }
  }

  const queue = createReconcileQueue({
    name: 'Spoke Argo CD',
    reconcile,
    ...options,
  });

  for (const cluster of clusters.values()) {
    const { name, store } = cluster;
    const addAll = (applications: KubeObject[]) =>
      applications.forEach(application =>
        queue.add(`${name}/${objectKey(application)}`),
      );
    const all = () => store.list(GROUP, 'applications');
    store.onChange(ref => {
      const { group, resource, namespace, name: object } = ref;
      if (group === GROUP && resource === 'applications') {
        const key = `${name}/${namespace}/${object}`;
        changedAt.set(key, clock.ticks());
        queue.add(key);
      } else if (isRolloutRef(ref)) {
        addAll(all().filter(application => deploys(application, ref)));
      } else if (
        resource === 'clusterrolebindings' ||
        resource === 'rolebindings' ||
        resource === 'appprojects'
      ) {
        addAll(all());
      }
    });
    cluster.onFaultsChange(() => addAll(all()));
    git?.onPush(() => addAll(all()));
  }
}

/** Whether a Rollout is one of an Application's resources. */
function deploys(
  { status }: Application,
  { namespace, name }: ObjectRef,
): boolean {
  return Boolean(
    status?.resources?.some(
      resource =>
        resource.kind === 'Rollout' &&
        resource.name === name &&
        resource.namespace === namespace,
    ),
  );
}

/** A sync with the option CreateNamespace first creates the namespace that it deploys to. */
function createNamespace(
  { spec, status }: Application,
  { store }: SimulatedCluster,
): void {
  const name = spec?.destination?.namespace;
  if (
    name &&
    status?.operationState &&
    spec.syncPolicy?.syncOptions?.includes('CreateNamespace=true') &&
    !store.get({ group: '', resource: 'namespaces', namespace: '', name })
  ) {
    store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

/** The Application after a step. */
function applyStep(
  application: Application,
  step: ApplicationStep,
): Application {
  const next: Application = {
    ...application,
    status: step.status ?? application.status,
  };
  if (step.removeOperation) {
    delete next.operation;
  }
  if (step.removeRefresh) {
    const { [REFRESH_ANNOTATION]: _done, ...annotations } =
      application.metadata.annotations ?? {};
    next.metadata = { ...next.metadata, annotations };
  }
  if (step.removeFinalizers) {
    const finalizers = foreignFinalizers(application.metadata.finalizers);
    next.metadata = { ...next.metadata, finalizers: [...finalizers] };
  }
  return next;
}
