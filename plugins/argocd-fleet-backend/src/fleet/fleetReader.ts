import type {
  ArgoApplication,
  ArgoApplicationSet,
  ArgoAppProject,
  ManifestWork,
  ModelCount,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import {
  clusterNameOf,
  deliveringWork,
  deliveryModel,
  deliveryTarget,
  isLocalCluster,
  isOrphan,
  isPullModel,
  isWorkName,
  missingPullLabel,
  owningApplicationSet,
  reportedRollingSyncPosition,
  rollingSyncPosition,
  targetCluster,
  targetOwner,
  workNames,
  workTarget,
} from '../model/delivery';
import {
  createWorkBuilder,
  mayUseNamespace,
  planManifestWork,
  type DeliveryFacts,
  type PropagationOptions,
  type WorkPlan,
} from '../model/manifestwork';
import { isDecisionOf, type Authorisation } from '../model/placement';
import { apparentDecision, heldFinding } from '../model/removal';
import type { SourcedDetails } from '../model/status';
import {
  modelCounts,
  placementNameOf,
  type ComponentPolicy,
  type FleetApplication,
  type FleetApplicationSet,
  type FormerWork,
} from '../model/views';
import { writtenRefusal, type HubWrites } from '../model/writes';
import { AUTHORISING_RESOURCES, authorisationOf } from './authorisations';
import { clusterOfServer, namesakeSecrets } from './clusterServers';
import type { FleetCache, FleetEvent } from './fleetCache';
import { decidedClusters } from './indexes';
import { knownAgents } from './knownAgents';
import { remainingWorks } from './remainingWorks';
import type { RemovalState } from './removalState';
import {
  applicationsWithSameTarget,
  keeperOfTarget,
  mayCollide,
} from './targetClaims';

/** Reads what belongs to an Application or an ApplicationSet from a hub's cache. */
export interface FleetReader {
  /** Which ApplicationSets may define components of the catalog. */
  readonly components: ComponentPolicy;
  /** What propagation decides about a pull-model Application. */
  plan(application: ArgoApplication): WorkPlan;
  /** Whether Applications of the namespace may be delivered to the cluster. */
  authorisation(namespace: string, cluster: string): Authorisation;
  /**
   * What the plan depends on besides the Application, its works and the options: identical elements mean the same plan.
   * @param isDelivered - whether a work delivers the Application now
   */
  planDependencies(
    application: ArgoApplication,
    isDelivered: boolean,
  ): readonly unknown[];
  /**
   * The work that delivers a pull-model Application, or did before it was refused.
   * @param key - the Application's, where the caller has it: to build a key takes as long as the lookup
   */
  workOf(application: ArgoApplication, key?: string): ManifestWork | undefined;
  /** As configured: what clusters have to have compared with depends on it. */
  defaultDestinationNamespace(): boolean;
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
  /** How many Applications that the ApplicationSet owns are of each delivery model. */
  modelsOf(applicationSet: ArgoApplicationSet): ModelCount[];
  fleetApplication(
    application: ArgoApplication,
    placement: string | undefined,
  ): FleetApplication;
  /** The same for details, with what changes more often than rows are made again. */
  fleetApplicationInDetail(
    application: ArgoApplication,
    placement: string | undefined,
  ): FleetApplication;
  fleetApplicationSet(applicationSet: ArgoApplicationSet): FleetApplicationSet;
}

const NO_NAMES: readonly string[] = [];

/** What an authorisation depends on. */
const DECISIVE: ReadonlySet<FleetEvent['resource']> = new Set([
  'decisions',
  'clusters',
  ...AUTHORISING_RESOURCES,
]);

/** Creates a reader of one hub's cache. */
export function createFleetReader(options: {
  readonly cache: FleetCache;
  /** Current options: they change with the fields that a hub can store. */
  readonly propagation: () => PropagationOptions;
  /** Default: Argo CD's own namespace. */
  readonly components?: ComponentPolicy;
  /** The details of resource sources about an Application, by its key. */
  readonly sourced?: (
    application: string,
  ) => readonly SourcedDetails[] | undefined;
  /** What is decided about the deletion of works. */
  readonly removals?: Pick<
    RemovalState,
    'heldOf' | 'heldOfApplication' | 'orderOf'
  >;
  /** What the portal may write on the hub, where what it wrote is to be compared with that. */
  readonly writes?: HubWrites;
}): FleetReader {
  const {
    cache,
    propagation,
    components = {
      namespaces: new Set([propagation().argocdNamespace]),
      keepsExisting: true,
    },
    sourced = () => undefined,
    writes,
    removals,
  } = options;

  const builder = createWorkBuilder();
  const agents = knownAgents(cache);

  /** The last result: a pass over all Applications reads those of one cluster one after the other. */
  let last:
    | {
        readonly namespace: string;
        readonly cluster: string;
        readonly authorisation: Authorisation;
      }
    | undefined;
  cache.onChange(({ resource }) => {
    if (DECISIVE.has(resource)) {
      last = undefined;
    }
  });
  cache.onStateChange(() => {
    last = undefined;
  });

  function authorisation(namespace: string, cluster: string): Authorisation {
    if (last?.cluster !== cluster || last.namespace !== namespace) {
      last = {
        namespace,
        cluster,
        authorisation: authorisationOf(cache, namespace, cluster),
      };
    }
    return last.authorisation;
  }

  function factsOf(application: ArgoApplication): DeliveryFacts {
    const { namespace: hubNamespace = '' } = application.metadata;
    const cluster = targetCluster(application) ?? '';
    const key = objectKey(application.metadata);
    const otherOwner = targetOwnedByOther(application);
    const existing = cache.works
      .by('hubApplication', key)
      .find(
        work =>
          work.metadata.namespace === cluster && !isOrphan(work, application),
      );
    return {
      managedCluster: cache.clusters.get(cluster),
      authorisation: authorisation(hubNamespace, cluster),
      otherOwner: otherOwner && objectKey(otherOwner),
      existing,
      takenNames: existing ? NO_NAMES : takenNames(application, cluster),
      appProject: propagation().includeAppProject
        ? appProject(application.spec.project ?? '')
        : undefined,
    };
  }

  function takenNames(
    application: ArgoApplication,
    namespace: string,
  ): readonly string[] {
    const taken = workNames(application).filter(name =>
      cache.works.get(objectKey({ namespace, name })),
    );
    return taken.length > 0 ? taken : NO_NAMES;
  }

  function plan(application: ArgoApplication): WorkPlan {
    return planManifestWork(
      application,
      factsOf(application),
      propagation(),
      builder,
    );
  }

  /** Only of Argo CD's own namespace: a tenant must not write the rules that a managed cluster's Argo CD follows. */
  function appProject(name: string): ArgoAppProject | undefined {
    const { argocdNamespace: namespace } = propagation();
    return cache.appProjects.get(objectKey({ namespace, name }));
  }

  /** What of {@link factsOf} is not read from the Application and its works alone: a pass compares it for each key. */
  function planDependencies(
    application: ArgoApplication,
    isDelivered: boolean,
  ): readonly unknown[] {
    const { namespace: hubNamespace = '' } = application.metadata;
    const cluster = targetCluster(application) ?? '';
    const otherOwner = targetOwnedByOther(application);
    const taken = isDelivered ? NO_NAMES : takenNames(application, cluster);
    const project = propagation().includeAppProject
      ? appProject(application.spec.project ?? '')
      : undefined;
    const dependencies: unknown[] = [
      cache.clusters.get(cluster),
      identityOf(authorisation(hubNamespace, cluster)),
    ];
    // Callers keep these lists: most of them have none of the three.
    return otherOwner || taken.length > 0 || project
      ? dependencies.concat(
          otherOwner && objectKey(otherOwner),
          taken.join(),
          project,
        )
      : dependencies;
  }

  function targetOwnedByOther(
    application: ArgoApplication,
  ): NamespacedName | undefined {
    const keeper = keeperOfTarget(application, cache);
    if (keeper) {
      return keeper;
    }
    const claimants = mayCollide(cache)
      ? applicationsWithSameTarget(application, cache)
      : [];
    if (claimants.length < 2) {
      return undefined;
    }
    const target = deliveryTarget(application);
    const claims = claimants.map(claimant => ({
      application: claimant,
      allowed: mayUseNamespace(claimant, propagation().appNamespaces),
      delivered: cache.works
        .by('hubApplication', objectKey(claimant.metadata))
        .some(work => workTarget(work) === target && !isOrphan(work, claimant)),
    }));
    const owner = targetOwner(
      // An Application that may not be delivered must not block the target for others.
      claims.filter(
        claim =>
          claim.delivered ||
          (claim.allowed && mayBeDelivered(claim.application)),
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
        authorisation(namespace, clusterNameOf(application)).verdict ===
          'authorised')
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
    const cluster = clusterNameOf(application, agents);
    const isPull = isPullModel(application);
    const former = isPull ? [] : formerWorks(application, undefined);
    const shown = isPull ? cluster : shownCluster(application, former);
    const common = {
      application,
      ...(shown !== cluster && { clusterName: shown }),
      managedCluster: cache.clusters.get(shown),
      agents,
      readAt: Date.now(),
      argocdNamespace: propagation().argocdNamespace,
      defaultDestinationNamespace: propagation().defaultDestinationNamespace,
      rollingSync: rollingSyncPosition(setOf(application), application),
      placement,
      decided: placement
        ? isDecided(
            authorisation(application.metadata.namespace ?? '', shown),
            isPull,
          )
        : undefined,
    };
    const held = heldOf(application);
    if (!isPull) {
      return {
        ...common,
        held,
        former,
        namesakes: () => namesakeSecrets(application, cache),
      };
    }
    const workPlan = plan(application);
    const work =
      workPlan.kind === 'apply'
        ? cache.works.get(objectKey(workPlan.target))
        : workOf(application);
    return {
      ...common,
      held,
      former: formerWorks(application, work),
      plan: workPlan,
      work,
      sourced: sourcedOf(application),
    };
  }

  function fleetApplicationInDetail(
    application: ArgoApplication,
    placement: string | undefined,
  ): FleetApplication {
    return {
      ...fleetApplication(application, placement),
      rollingSync: reportedRollingSyncPosition(setOf(application), application),
    };
  }

  function setOf(application: ArgoApplication) {
    const owner = owningApplicationSet(application);
    return owner && cache.applicationSets.get(objectKey(owner));
  }

  /**
   * The cluster that an Application is shown on that is not of the pull model. Its destination's; where that is no managed
   * cluster, the one where it still runs since it left the pull model, or the one that it names without the pull label.
   */
  function shownCluster(
    application: ArgoApplication,
    former: readonly FormerWork[],
  ): string {
    const named = clusterNameOf(application, agents);
    const target = targetCluster(application);
    if (
      target !== undefined &&
      !cache.clusters.get(named) &&
      (former.some(({ work }) => work.metadata.namespace === target) ||
        missingPullLabel(application.metadata)?.skipped)
    ) {
      return target;
    }
    return deliveryModel(application, agents) === 'push'
      ? (clusterOfServer(application, cache) ?? named)
      : named;
  }

  /**
   * The works of an Application besides the one that delivers it, as long as they are not being deleted. The agent of any
   * cluster can claim in the annotations of its works that they belong to this one: another cluster is only believed
   * with the work's name, which has the UID of this Application in it.
   */
  function formerWorks(
    application: ArgoApplication,
    delivering: ManifestWork | undefined,
  ): FormerWork[] {
    return cache.works
      .by('hubApplication', objectKey(application.metadata))
      .filter(
        work =>
          work !== delivering &&
          !work.metadata.deletionTimestamp &&
          (work.metadata.namespace === targetCluster(application) ||
            isWorkName(application, work.metadata.name)),
      )
      .map(work => ({
        work,
        decision: apparentDecision({
          work,
          application,
          successor: delivering,
        }),
      }));
  }

  function heldOf(application: ArgoApplication) {
    const { metadata } = application;
    const owner = owningApplicationSet(application);
    const isHeld =
      removals &&
      metadata.deletionTimestamp &&
      removals.heldOfApplication(objectKey(metadata)).length > 0;
    // The finding of the set: it is released as a whole.
    return owner && isHeld
      ? heldFinding(
          cache.hub,
          objectKey(owner),
          removals.heldOf(objectKey(owner)),
        )
      : undefined;
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
    return deliveringWork(cache.works.by('hubApplication', key), application);
  }

  function firstApplicationOf(applicationSet: ArgoApplicationSet) {
    const owner = objectKey(applicationSet.metadata);
    let first: string | undefined;
    // By key, since all are in the set's namespace: most need not be looked up.
    for (const key of cache.applications.keysBy('applicationSet', owner)) {
      if (
        (first === undefined || key < first) &&
        isOwnedBy(cache.applications.get(key)!, applicationSet)
      ) {
        first = key;
      }
    }
    return first === undefined ? undefined : cache.applications.get(first);
  }

  function modelsOf(applicationSet: ArgoApplicationSet): ModelCount[] {
    return modelCounts(
      cache.applications
        .by('applicationSet', objectKey(applicationSet.metadata))
        .filter(application => isOwnedBy(application, applicationSet))
        .map(application => deliveryModel(application, agents)),
    );
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
      ...decidedIn(cache, ref),
    };
  }

  return {
    components,
    plan,
    authorisation,
    sourcedOf,
    planDependencies,
    workOf,
    defaultDestinationNamespace: () =>
      propagation().defaultDestinationNamespace,
    isExcluded,
    firstApplicationOf,
    modelsOf,
    fleetApplication,
    fleetApplicationInDetail,
    fleetApplicationSet: applicationSet => ({
      hub: cache.hub,
      applicationSet,
      agents,
      components,
      firstApplication: firstApplicationOf(applicationSet),
      writeRefusal: writes && writtenRefusal(writes, cache.hub, applicationSet),
      placement: placementOf(applicationSet),
      remaining: remainingWorks(cache, applicationSet),
      held: removals?.heldOf(objectKey(applicationSet.metadata)),
      releases: removals?.orderOf(objectKey(applicationSet.metadata))?.works
        .length,
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

/** Of other models nothing is delivered, so that any decision explains an Application. */
function isDecided({ verdict }: Authorisation, isPull: boolean): boolean {
  return isPull
    ? verdict === 'authorised' || verdict === 'unverified'
    : verdict !== 'undecided';
}

/** A text that differs where the plan, or what a finding says about it, may differ. */
function identityOf(authorisation: Authorisation): string {
  const { verdict, decision, reason = '', isPending } = authorisation;
  return verdict === 'authorised' || !decision
    ? verdict
    : `${verdict} ${decision.name} ${isPending ? 'pending' : reason}`;
}

/** How many clusters a Placement selects, and how many of them are not the hub itself. */
function decidedIn(
  cache: FleetCache,
  name: { readonly namespace?: string; readonly name: string },
): {
  readonly decisions: number;
  readonly others: number;
  readonly scored: boolean;
} {
  const key = objectKey(name);
  const placement = cache.placements.get(key);
  const decisions = cache.decisions
    .by('placement', key)
    .filter(decision => !placement || isDecisionOf(decision, placement));
  const clusters = [...new Set(decisions.flatMap(decidedClusters))];
  const isHub = (cluster: string) => {
    const managedCluster = cache.clusters.get(cluster);
    return managedCluster !== undefined && isLocalCluster(managedCluster);
  };
  return {
    decisions: clusters.length,
    others: clusters.filter(cluster => !isHub(cluster)).length,
    scored: decisions.some(({ status }) =>
      status?.decisions?.some(({ score }) => score !== undefined),
    ),
  };
}
