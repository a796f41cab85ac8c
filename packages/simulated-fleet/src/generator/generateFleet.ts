import {
  applicationSetConditions,
  applicationSetResources,
} from '../applicationset/applicationSetStatus';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { KubeObject, kubeTime } from '../kubernetes/objects';
import { ManifestWork } from '../kubernetes/workTypes';
import { TROUBLES } from './applicationLife';
import { applicationOf, fleetApplicationSets } from './fleetApplicationSets';
import { clusterSecret, fleetClusters } from './fleetClusters';
import { fleetPlacement } from './fleetPlacement';
import { CompletePlan, completePlan, FleetPlan } from './fleetPlan';
import { createLivedPairs } from './livedPair';
import { createSeededChoice, SeededChoice } from './seededChoice';

const WORK_FINALIZER =
  'cluster.open-cluster-management.io/manifest-work-cleanup';

/** How long ago the last rollout of a set began, and how long it took over the fleet. */
const ROLLOUT_MS = 6 * 3600 * 1000;
const SYNC_MS = 40 * 1000;

/**
 * The objects of a whole fleet on its hub, as they are after everybody has done
 * their work: clusters, placement, cluster Secrets, ApplicationSets,
 * Applications with status and, where the plan builds them, works with what the
 * agents reported. One after the other, each after those that it needs; two
 * runs of the same plan give the same objects.
 *
 * @throws when the plan makes no sense.
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
    yield clusterSecret(object, plan.namespace, choose);
  }
  yield* objects;
  const pairOf = createLivedPairs(plan);
  for (const set of fleetApplicationSets(plan, choose)) {
    yield* generateSet(plan, choose, set, selected, pairOf);
  }
}

/** The Applications and works of one set, then the set with the status that they make. */
function* generateSet(
  plan: CompletePlan,
  choose: SeededChoice,
  set: ApplicationSet,
  selected: readonly string[],
  pairOf: ReturnType<typeof createLivedPairs>,
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
    const pair = pairOf(set, cluster, trouble, { started, settled });
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
