import type {
  ArgoApplication,
  ArgoApplicationSet,
  ArgoAppProject,
  ManifestWork,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import {
  clusterNameOf,
  deliveryTarget,
  hubApplicationOf,
  isWorkOf,
  isLocalCluster,
  isOrphan,
  isPullModel,
  targetOwner,
  targetCluster,
  workTarget,
} from '../model/delivery';
import {
  createWorkBuilder,
  planManifestWork,
  type PropagationOptions,
  type WorkPlan,
} from '../model/manifestwork';
import type { SourcedDetails } from '../model/status';
import {
  placementNameOf,
  type FleetApplication,
  type FleetApplicationSet,
} from '../model/views';
import type { FleetCache } from './fleetCache';
import { decidedClusters } from './indexes';
import { applicationsWithSameTarget, mayCollide } from './targetClaims';

/** Reads what belongs to an Application or an ApplicationSet from a hub's cache. */
export interface FleetReader {
  /** What propagation decides about a pull-model Application. */
  plan(application: ArgoApplication): WorkPlan;
  /**
   * What the plan depends on besides the Application, its works and the options: identical elements mean the same plan.
   */
  planDependencies(application: ArgoApplication): readonly unknown[];
  /**
   * The work that delivers a pull-model Application, or did before it was refused.
   * @param key - the Application's, where the caller has it: to build a key takes as long as the lookup
   */
  workOf(application: ArgoApplication, key?: string): ManifestWork | undefined;
  /** Whether a pull-model Application is for the hub itself, and the configuration excludes that. */
  isExcluded(application: ArgoApplication): boolean;
  /** The details of resource sources about an Application; the same array until they change. */
  sourcedOf(
    application: ArgoApplication,
    key?: string,
  ): readonly SourcedDetails[] | undefined;
  /** The first Application by name that the ApplicationSet owns; those of an earlier one of the same name do not count. */
  firstApplicationOf(
    applicationSet: ArgoApplicationSet,
  ): ArgoApplication | undefined;
  fleetApplication(
    application: ArgoApplication,
    placement: string | undefined,
  ): FleetApplication;
  fleetApplicationSet(applicationSet: ArgoApplicationSet): FleetApplicationSet;
}

/** Creates a reader of one hub's cache. */
export function createFleetReader(options: {
  readonly cache: FleetCache;
  /** Current options: they change with the fields that a hub can store. */
  readonly propagation: () => PropagationOptions;
  /** The details of resource sources about an Application, by its key. */
  readonly sourced?: (
    application: string,
  ) => readonly SourcedDetails[] | undefined;
}): FleetReader {
  const { cache, propagation, sourced = () => undefined } = options;

  const builder = createWorkBuilder();

  /** The last result: a pass over all Applications reads those of one cluster one after the other. */
  let lastSelection:
    | {
        readonly namespace: string;
        readonly cluster: string;
        readonly selected: boolean;
      }
    | undefined;
  cache.onChange(({ resource }) => {
    if (resource === 'decisions') {
      lastSelection = undefined;
    }
  });

  function isSelectedByDecision(namespace: string, cluster: string): boolean {
    if (
      lastSelection?.cluster !== cluster ||
      lastSelection.namespace !== namespace
    ) {
      const key = objectKey({ namespace, name: cluster });
      const selected = cache.decisions.by('cluster', key).length > 0;
      lastSelection = { namespace, cluster, selected };
    }
    return lastSelection.selected;
  }

  function plan(application: ArgoApplication): WorkPlan {
    const key = objectKey(application.metadata);
    return planManifestWork(
      application,
      {
        managedCluster: name => cache.clusters.get(name),
        isSelectedByDecision,
        targetOwnedByOther,
        workNameTakenByOther(namespace, name) {
          const work = cache.works.get(objectKey({ namespace, name }));
          const owner = work && hubApplicationOf(work);
          return Boolean(work) && (!owner || objectKey(owner) !== key);
        },
        appProject,
        existingWorkName: (_, namespace) =>
          cache.works
            .by('hubApplication', key)
            .find(
              work =>
                work.metadata.namespace === namespace &&
                !isOrphan(work, application),
            )?.metadata.name,
        builder,
      },
      propagation(),
    );
  }

  /** Of the Application's namespace, else of Argo CD's: an Application in any other namespace names a project there. */
  function appProject(
    { metadata }: ArgoApplication,
    name: string,
  ): ArgoAppProject | undefined {
    const { argocdNamespace } = propagation();
    return [metadata.namespace, argocdNamespace]
      .map(namespace => cache.appProjects.get(objectKey({ namespace, name })))
      .find(project => project !== undefined);
  }

  function planDependencies(application: ArgoApplication): readonly unknown[] {
    const cluster = targetCluster(application) ?? '';
    const otherOwner = targetOwnedByOther(application);
    const project = propagation().includeAppProject
      ? appProject(application, application.spec.project ?? '')
      : undefined;
    const dependencies: unknown[] = [
      cache.clusters.get(cluster),
      isSelectedByDecision(application.metadata.namespace ?? '', cluster),
    ];
    // Callers keep these lists: most of them have neither of the two.
    return otherOwner || project
      ? dependencies.concat(otherOwner && objectKey(otherOwner), project)
      : dependencies;
  }

  function targetOwnedByOther(
    application: ArgoApplication,
  ): NamespacedName | undefined {
    const claimants = mayCollide(cache)
      ? applicationsWithSameTarget(application, cache)
      : [];
    if (claimants.length < 2) {
      return undefined;
    }
    const target = deliveryTarget(application);
    const claims = claimants.map(claimant => ({
      application: claimant,
      delivered: cache.works
        .by('hubApplication', objectKey(claimant.metadata))
        .some(work => workTarget(work) === target && !isOrphan(work, claimant)),
    }));
    const owner = targetOwner(
      // An Application that may not be delivered must not block the target for others.
      claims.filter(
        claim => claim.delivered || mayBeDelivered(claim.application),
      ),
    );
    return owner && owner !== application
      ? {
          namespace: owner.metadata.namespace ?? '',
          name: owner.metadata.name,
        }
      : undefined;
  }

  function mayBeDelivered(application: ArgoApplication): boolean {
    const { namespace = '', deletionTimestamp } = application.metadata;
    return (
      !deletionTimestamp &&
      (!propagation().requireDecision ||
        isSelectedByDecision(namespace, clusterNameOf(application)))
    );
  }

  const sourcedOf = (
    { metadata }: ArgoApplication,
    key = objectKey(metadata),
  ) => sourced(key);

  function fleetApplication(
    application: ArgoApplication,
    placement: string | undefined,
  ): FleetApplication {
    const cluster = clusterNameOf(application);
    const common = {
      application,
      managedCluster: cache.clusters.get(cluster),
      argocdNamespace: propagation().argocdNamespace,
      placement,
      decided: placement
        ? isSelectedByDecision(application.metadata.namespace ?? '', cluster)
        : undefined,
    };
    if (!isPullModel(application)) {
      return common;
    }
    const workPlan = plan(application);
    return {
      ...common,
      plan: workPlan,
      work:
        workPlan.kind === 'apply'
          ? cache.works.get(objectKey(workPlan.target))
          : workOf(application),
      sourced: sourcedOf(application),
    };
  }

  function isExcluded(application: ArgoApplication): boolean {
    const cluster = cache.clusters.get(targetCluster(application) ?? '');
    return (
      cluster !== undefined &&
      isLocalCluster(cluster) &&
      !propagation().allowLocalCluster
    );
  }

  function workOf(
    application: ArgoApplication,
    key = objectKey(application.metadata),
  ) {
    return cache.works
      .by('hubApplication', key)
      .find(work => isWorkOf(work, application));
  }

  function firstApplicationOf(applicationSet: ArgoApplicationSet) {
    const key = objectKey(applicationSet.metadata);
    let first: ArgoApplication | undefined;
    for (const each of cache.applications.keysBy('applicationSet', key)) {
      const application = cache.applications.get(each)!;
      if (
        (!first || application.metadata.name < first.metadata.name) &&
        isOwnedBy(application, applicationSet)
      ) {
        first = application;
      }
    }
    return first;
  }

  function placementOf(
    applicationSet: ArgoApplicationSet,
  ): FleetApplicationSet['placement'] {
    const name = placementNameOf(applicationSet);
    if (!name) {
      return undefined;
    }
    const ref = { namespace: applicationSet.metadata.namespace, name };
    return {
      name,
      found: cache.placements.get(objectKey(ref)) !== undefined,
      decisions: countDecided(cache, ref),
    };
  }

  return {
    plan,
    sourcedOf,
    planDependencies,
    workOf,
    isExcluded,
    firstApplicationOf,
    fleetApplication,
    fleetApplicationSet: applicationSet => ({
      hub: cache.hub,
      applicationSet,
      firstApplication: firstApplicationOf(applicationSet),
      placement: placementOf(applicationSet),
    }),
  };
}

/** Whether the ApplicationSet owns the Application; an earlier ApplicationSet of the same name does not count. */
export function isOwnedBy(
  { metadata }: ArgoApplication,
  applicationSet: ArgoApplicationSet,
): boolean {
  const { uid } = applicationSet.metadata;
  return metadata.ownerReferences?.some(owner => owner.uid === uid) ?? false;
}

function countDecided(
  cache: FleetCache,
  placement: { readonly namespace?: string; readonly name: string },
): number {
  const decisions = cache.decisions.by('placement', objectKey(placement));
  return new Set(decisions.flatMap(decidedClusters)).size;
}
