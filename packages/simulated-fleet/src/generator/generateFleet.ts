import {
  applicationSetConditions,
  applicationSetResources,
} from '../applicationset/applicationSetStatus';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { blankClusterSecret } from '../kubernetes/clusterSecret';
import { KubeObject, kubeTime } from '../kubernetes/objects';
import { ManifestWork } from '../kubernetes/workTypes';
import { TROUBLES } from './applicationStatus';
import { applicationOf, fleetApplicationSets } from './fleetApplicationSets';
import { fleetClusters } from './fleetClusters';
import { fleetPlacement } from './fleetPlacement';
import { CompletePlan, completePlan, FleetPlan } from './fleetPlan';
import { createStatusPairs } from './statusPair';
import { createSeededChoice, SeededChoice } from './seededChoice';

const WORK_FINALIZER =
  'cluster.open-cluster-management.io/manifest-work-cleanup';

/** The time over which the last syncs of a set are spread, before the time of the snapshot. */
const ROLLOUT_MS = 6 * 3600 * 1000;
/** The duration of one sync. */
const SYNC_MS = 40 * 1000;

/**
 * Generates the hub objects of a whole fleet in the state after all
 * controllers have finished: clusters, placement, cluster Secrets,
 * ApplicationSets, Applications with status and, if the plan builds them, works
 * with the agents' reports. Each object comes after the objects that it depends
 * on. The same plan always generates the same objects.
 *
 * @throws Error if a number in the plan is out of range.
 */
export function* generateFleet(fleetPlan: FleetPlan): Generator<KubeObject> {
  const plan = completePlan(fleetPlan);
  const choose = createSeededChoice(plan.seed);
  const clusters = fleetClusters(plan, choose);
  const { objects, selected } = fleetPlacement(plan, clusters, choose);
  const created = kubeTime(new Date(plan.now.getTime() - 31 * 24 * 3600_000));
  for (const name of [
    plan.namespace,
    ...clusters.map(({ object }) => object.metadata.name),
  ]) {
    yield {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        uid: choose.uid('Namespace', name),
        creationTimestamp: created,
      },
    };
  }
  for (const { object } of clusters) {
    yield object;
    const { name, labels = {}, creationTimestamp } = object.metadata;
    const secret = blankClusterSecret(name, plan.namespace, labels);
    yield {
      ...secret,
      metadata: {
        ...secret.metadata,
        uid: choose.uid('Secret', secret.metadata.name),
        creationTimestamp,
      },
    };
  }
  yield* objects;
  const statusPair = createStatusPairs(plan);
  for (const set of fleetApplicationSets(plan, choose)) {
    yield* generateSet(plan, choose, set, selected, statusPair);
  }
}

/** Generates the Applications and works of one set, then the set with the resulting status. */
function* generateSet(
  plan: CompletePlan,
  choose: SeededChoice,
  set: ApplicationSet,
  selected: readonly string[],
  statusPair: ReturnType<typeof createStatusPairs>,
): Generator<KubeObject> {
  const { name, namespace } = set.metadata;
  const children: Application[] = [];
  for (const cluster of selected) {
    const trouble =
      choose.share('trouble', name, cluster) < plan.troubled
        ? choose.oneOf(TROUBLES, 'kind of trouble', name, cluster)
        : undefined;
    const started = new Date(
      plan.now.getTime() -
        SYNC_MS -
        choose.share('rollout', name, cluster) * ROLLOUT_MS,
    );
    const settled = new Date(started.getTime() + SYNC_MS);
    const pair = statusPair(set, cluster, trouble, { started, settled });
    const application = applicationOf(
      set,
      cluster,
      choose.uid('Application', name, cluster),
    );
    const { metadata } = application;
    children.push({
      apiVersion: application.apiVersion,
      kind: application.kind,
      metadata: { name: metadata.name, namespace },
      status: { sync: pair.application.sync, health: pair.application.health },
    });
    yield { ...application, status: pair.application };
    if (plan.buildWork) {
      const work = plan.buildWork(application);
      yield {
        ...work,
        metadata: {
          ...work.metadata,
          uid: choose.uid('ManifestWork', name, cluster),
          creationTimestamp: metadata.creationTimestamp,
          generation: 1,
          finalizers: [WORK_FINALIZER],
        },
        status: pair.work,
      } satisfies ManifestWork;
    }
  }
  yield {
    ...set,
    status: {
      conditions: applicationSetConditions(
        set,
        { parametersGenerated: true, isStopped: false },
        plan.now,
      ),
      resources: applicationSetResources(children),
      resourcesCount: children.length,
    },
  };
}
