import type {
  ArgoApplication,
  ManifestWork,
  Release,
} from 'backstage-plugin-argocd-fleet-common';
import {
  deliveryTarget,
  isReadOnlyWork,
  orphanReason,
  workTarget,
  type OrphanReason,
} from '../delivery';
import { isApplied, readReportedStatus, reportedGeneration } from '../feedback';
import { desiredSpec, isComparisonWith } from '../manifestwork';
import { isFrozenByOthers, isFrozenByUs } from './frozenWork';
import { isReleased, releasing } from './release';
import { REMOVAL_TIMES, type RemovalTimes } from './removalTimes';

/** What is known about a work that is not being deleted, all of it read at the same time. */
export interface WorkFacts {
  readonly work: ManifestWork;
  /** The hub Application that the work names; undefined if there is none. */
  readonly application: ArgoApplication | undefined;
  /** The work that delivers the Application, as the hub has it; undefined if there is none. */
  readonly successor: ManifestWork | undefined;
  /** Whether the hub has the managed cluster of the work. */
  readonly hasCluster: boolean;
  /** What a person has ordered for this work. */
  readonly order: Release | undefined;
  /**
   * The ApplicationSet that made the Application: `deleted` orders the deletion of its works, one that `makes` the
   * Application still is about to make it again.
   */
  readonly applicationSet: 'deleted' | 'makes' | 'other';
  /** Whether an agent can report that an Application has lost its finalizers. */
  readonly handsOver: boolean;
  /** Milliseconds for which the work has not delivered, for the same reason as now. */
  readonly unwantedMs: number;
}

/** Why a work is deleted. */
export type RemovalReason =
  'ordered' | 'clusterGone' | Exclude<OrphanReason, 'notPullModel'>;

/** What is to be done with a work. */
export type WorkDecision =
  /** It delivers, or did until the delivery was refused. */
  | { readonly kind: 'deliver' }
  /** It stays as it is, or is frozen: its Application still exists, or somebody else froze it. */
  | {
      readonly kind: 'keep';
      readonly reason: 'notPullModel' | 'frozenByOthers';
      readonly freeze: boolean;
    }
  /** It is deleted once its successor has been applied, or has synced its Application. */
  | {
      readonly kind: 'wait';
      readonly for: 'successor' | 'applied' | 'synced' | 'released';
    }
  /** The agent gives up the Application or its finalizers first. */
  | {
      readonly kind: 'release';
      readonly release: Exclude<Release, 'remove'>;
    }
  /** @property counted - whether the brake counts it, which holds too many deletions at a time */
  | {
      readonly kind: 'delete';
      readonly reason: RemovalReason;
      readonly counted: boolean;
    };

/** Decides whether a work stays, waits or goes. It is the only place where that is decided. */
export function decideWork(
  facts: WorkFacts,
  times: RemovalTimes = REMOVAL_TIMES,
): WorkDecision {
  const { work, application, order } = facts;
  const end = endOfDelivery(work, application);
  if (end === undefined) {
    return { kind: 'deliver' };
  }
  if (order) {
    return facts.hasCluster || order === 'remove'
      ? ordered(work, order)
      : { kind: 'delete', reason: 'clusterGone', counted: false };
  }
  if (isFrozenByOthers(work)) {
    return { kind: 'keep', reason: 'frozenByOthers', freeze: false };
  }
  if (end === 'notPullModel') {
    const freeze = facts.unwantedMs >= times.freezeMs && !isFrozenByUs(work);
    return { kind: 'keep', reason: end, freeze };
  }
  if (!facts.hasCluster) {
    return { kind: 'delete', reason: 'clusterGone', counted: false };
  }
  if (end === 'applicationGone') {
    return afterApplication(facts, times);
  }
  const done = { kind: 'delete', reason: end, counted: false } as const;
  const successor = owningWork(facts.successor);
  if (
    end === 'recreated' &&
    workTarget(work) === deliveryTarget(application!)
  ) {
    return successor && isApplied(successor)
      ? done
      : { kind: 'wait', for: 'applied' };
  }
  if (!successor || !hasSynced(successor, application!)) {
    return { kind: 'wait', for: 'synced' };
  }
  // Both Applications deploy the same objects: by its finalizer, the old one could delete those of the new one.
  return end === 'moved' && facts.handsOver
    ? afterRelease(work, 'hand-over', done)
    : done;
}

/**
 * What is decided about a work of an Application that the hub has, as far as the two and the work that delivers say it:
 * for those who show it. An order shows once it is being carried out.
 */
export function apparentDecision(
  facts: Pick<WorkFacts, 'work' | 'application' | 'successor'>,
): WorkDecision {
  const decision = decideWork({
    ...facts,
    // One without its cluster is deleted within seconds.
    hasCluster: true,
    order: undefined,
    applicationSet: 'other',
    handsOver: false,
    unwantedMs: 0,
  });
  return decision.kind !== 'deliver' && releasing(facts.work)
    ? { kind: 'wait', for: 'released' }
    : decision;
}

/** Why a work no longer delivers its Application; undefined if it does. */
export function endOfDelivery(
  work: ManifestWork,
  application: ArgoApplication | undefined,
): OrphanReason | undefined {
  return orphanReason(
    work,
    application?.metadata.deletionTimestamp ? undefined : application,
  );
}

function ordered(work: ManifestWork, order: Release): WorkDecision {
  const done = { kind: 'delete', reason: 'ordered', counted: false } as const;
  return order === 'remove' ? done : afterRelease(work, order, done);
}

function afterRelease(
  work: ManifestWork,
  release: Exclude<Release, 'remove'>,
  done: WorkDecision,
): WorkDecision {
  if (releasing(work) !== release) {
    return { kind: 'release', release };
  }
  return isReleased(work) ? done : { kind: 'wait', for: 'released' };
}

function afterApplication(
  { work, applicationSet, unwantedMs }: WorkFacts,
  { successorMs }: RemovalTimes,
): WorkDecision {
  if (applicationSet === 'makes' && unwantedMs < successorMs) {
    return { kind: 'wait', for: 'successor' };
  }
  const done = {
    kind: 'delete',
    reason: 'applicationGone',
    counted: applicationSet !== 'deleted',
  } as const;
  const begun = releasing(work);
  // Its order may be over while its cluster is offline; without the rest of the release, the workload would go.
  return begun && begun !== 'remove' ? afterRelease(work, begun, done) : done;
}

/** A successor has to own the Application: a frozen one, or one that gives it up, reports that it is applied too. */
function owningWork(work: ManifestWork | undefined): ManifestWork | undefined {
  return work && !isReadOnlyWork(work) && !releasing(work) ? work : undefined;
}

function hasSynced(work: ManifestWork, application: ArgoApplication): boolean {
  const reported = reportedGeneration(work) ?? work.metadata.generation;
  const { sync, comparedTo } = readReportedStatus(work);
  // What a changed spec gets does not matter: propagation writes it to the successor first.
  const wanted = desiredSpec(application, work, false);
  return (
    isApplied(work) &&
    reported === work.metadata.generation &&
    sync === 'Synced' &&
    (!comparedTo ||
      // What a hydrator made of it is not known here.
      wanted.sourceHydrator !== undefined ||
      isComparisonWith(comparedTo, wanted))
  );
}
