import {
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplication,
  type Finding,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  type FleetCache,
  type FleetReader,
  type CompetingController,
} from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import {
  applicationSetReference,
  withoutArgoFinalizers,
  isApplication,
  isPullModel,
  isReadOnlyWork,
  targetCluster,
} from '../../model/delivery';
import { applicationFindings, unreadableFinding } from '../../model/findings';
import {
  differsOnlyInExpressions,
  fingerprint,
  manifestWorkPatch,
  oneShotFieldsRemoved,
  oneShotFields,
  withObservedObjects,
  withOneShotFields,
  type OneShotFields,
} from '../../model/manifestwork';
import { endOfDelivery, isFrozenByOthers } from '../../model/removal';
import {
  objectOfKind,
  undoneFinding,
  type Controller,
  type ReconcileContext,
  type ReconcileResult,
} from '../../runtime';
import { createExpressionRewrites } from './expressionRewrites';
import { createOperationStarts } from './operationStarts';
import { propagationWatches } from './propagationWatches';
import { createWaitingForAuthorisation } from './waitingForAuthorisation';
import {
  findingOfEnd,
  findingsOfRemoval,
  heldFindings,
} from './removalFindings';
import type { WorkFields } from './workFields';
import type { RemovalOutcome, WorkRemovals } from './workRemovals';

/** Finalizer by which Kubernetes keeps an object until all that it owns is gone. */
const FOREGROUND_DELETION = 'foregroundDeletion';

/**
 * Delivers each pull-model Application to its cluster by one ManifestWork in the cluster's namespace, and removes the
 * works of Applications that are gone. A key is a hub Application that exists or of which only works exist.
 */
export function createPropagation(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly fields: WorkFields;
  readonly competitor: CompetingController;
  readonly removals: WorkRemovals;
}): Controller {
  const { cache, reader, fields, competitor, removals } = options;
  const rewrites = createExpressionRewrites();
  /** Not of what a work delivers: who overwrites that is a competitor. */
  const { damper } = removals;
  /** Keys whose work waits for the damper, as of their last reconcile. */
  const damped = new Set<string>();
  const starts = createOperationStarts();
  cache.onChange(starts.observe);
  const waiting = createWaitingForAuthorisation(cache);
  /** Keys with works that may be removed as time passes, as of their last reconcile. */
  const ending = new Set<string>();

  function worksOf(key: string) {
    return cache.works.by('hubApplication', key);
  }

  /** Why nothing may be written for the key: one of its works may be the other's, and they replace each other. */
  function blockedBy(key: string) {
    return competitor.blocksPropagation(function* namespaces() {
      const application = cache.applications.get(key);
      if (application && isPullModel(application)) {
        yield targetCluster(application) ?? '';
      }
      for (const { metadata } of worksOf(key)) {
        yield metadata.namespace ?? '';
      }
    });
  }

  function dependencies(key: string): readonly unknown[] | undefined {
    const application = cache.applications.get(key);
    const works = worksOf(key);
    if (
      application?.operation ||
      cache.works.by('oneShotFields', key).length > 0 ||
      // Decided by the reconcile: to decide it for each key of each pass takes longer than all the rest.
      ending.has(key) ||
      damped.has(key)
    ) {
      // Until the cluster has acted, and while a work may be removed, time alone changes what is to be done.
      return undefined;
    }
    if (!application || !isPullModel(application)) {
      return [application, ...works, removals.orders.revision];
    }
    // Concatenated: spreading would take longer than all the rest, for each key of each pass.
    const own: unknown[] = [
      application,
      fields.options(),
      // One value for both: this list is kept for each Application.
      blockedBy(key) ? undefined : rewrites.isTurn(key),
    ];
    return own.concat(
      reader.planDependencies(application, works.length > 0),
      works,
      works.length > 1 ? removals.orders.revision : [],
    );
  }

  async function reconcile(
    key: string,
    context: ReconcileContext,
  ): Promise<ReconcileResult> {
    const application = cache.applications.get(key);
    const unreadable = application && unreadableFinding(application);
    if (unreadable) {
      // Its works stay too: whether they deliver what it says is not known.
      return { findings: [unreadable] };
    }
    const isTurn = rewrites.takeTurn(key);
    damped.delete(key);
    waiting.note(key);
    await removals.begin(application, worksOf(key));
    if (
      application &&
      !application.metadata.deletionTimestamp &&
      isPullModel(application)
    ) {
      return propagate(application, isTurn, context);
    }
    const hadWorks = worksOf(key).length > 0;
    const removed = await removeWorks(key, application, undefined, context);
    if (
      application?.metadata.deletionTimestamp &&
      !removed.isCounting &&
      !(removed.isEnding && isAwaitedBySet(cache, application))
    ) {
      await removeFinalizers(application, hadWorks, context);
    }
    return removed;
  }

  async function propagate(
    application: ArgoApplication,
    isTurn: boolean,
    context: ReconcileContext,
  ): Promise<ReconcileResult> {
    const plan = reader.plan(application);
    const key = objectKey(application.metadata);
    let delivered: ReconcileResult = {};
    if (plan.kind === 'refused') {
      waiting.note(key, plan.finding);
      // What runs stays as it is: a refusal concerns only what would be written next.
      delivered = { findings: [plan.finding] };
    } else if (plan.kind === 'apply') {
      delivered = {
        findings: plan.findings,
        ...(await apply(application, plan.work, isTurn, context)),
      };
    }
    const successor =
      plan.kind === 'apply'
        ? cache.works.get(objectKey(plan.target))
        : worksOf(key).find(
            work =>
              !work.unreadable &&
              endOfDelivery(work, application) === undefined,
          );
    const removed = await removeWorks(key, application, successor, context);
    return together(delivered, removed);
  }

  /** Only after the new work was written, so that a retargeted Application always runs somewhere. */
  async function removeWorks(
    key: string,
    application: ArgoApplication | undefined,
    successor: ManifestWork | undefined,
    context: ReconcileContext,
  ): Promise<
    ReconcileResult & {
      /** Whether a work waits for its batch. */
      readonly isCounting: boolean;
      /** Whether a work is on its way out, however long its cluster takes. */
      readonly isEnding: boolean;
    }
  > {
    const findings: Finding[] = [];
    let requeueAfterMs: number | undefined;
    let isCounting = false;
    let isEnding = false;
    if (worksOf(key).some(work => mayEnd(work, application))) {
      ending.add(key);
    } else {
      ending.delete(key);
    }
    for (const work of worksOf(key)) {
      const unreadable = unreadableFinding(work);
      if (unreadable) {
        // Of an Application, the plan says it: any cluster's agent can claim that a work belongs to one.
        findings.push(...(application ? [] : [unreadable]));
      } else if (work.metadata.deletionTimestamp) {
        findings.push(...(application ? [] : [findingOfEnd(work)]));
        isEnding = true;
      } else {
        const outcome = await removals.handle(
          work,
          application,
          successor,
          context,
        );
        findings.push(...findingsOfRemoval(work, outcome));
        requeueAfterMs = sooner(requeueAfterMs, outcome.requeueAfterMs);
        isCounting ||= outcome.state === 'counted';
        isEnding ||= endsNow(outcome);
      }
    }
    return { findings, requeueAfterMs, isCounting, isEnding };
  }

  /** Argo CD's finalizers: no other controller removes them. */
  async function removeFinalizers(
    application: ArgoApplication,
    hadWorks: boolean,
    { writer }: ReconcileContext,
  ) {
    const finalizers = withoutArgoFinalizers(application);
    const { annotations, finalizers: all = [] } = application.metadata;
    // In the other models, the hub's Argo CD does what they stand for, unless it has to skip the Application.
    const isOurs =
      isPullModel(application) ||
      (annotations?.[SKIP_RECONCILE_ANNOTATION] === 'true' && hadWorks);
    if (isOurs && finalizers.length < all.length) {
      await writer.patch('applications', application, {
        metadata: { finalizers },
      });
    }
  }

  /**
   * Writes the work as desired, and removes from the Application the one-shot fields that the work has taken over.
   * Findings say why the work cannot deliver.
   * @param isTurn - whether the work may be written for its expressions alone
   */
  async function apply(
    application: ArgoApplication,
    desired: ManifestWork,
    isTurn: boolean,
    { writer }: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    const { namespace, name } = desired.metadata;
    const object = { kind: 'ManifestWork', namespace, name };
    const existing = cache.works.get(objectKey(desired.metadata));
    if (existing?.metadata.deletionTimestamp) {
      return { findings: [applicationFindings.workTerminating({ object })] };
    }
    if (
      existing &&
      isFrozenByOthers(existing) &&
      !fields.options().adoptReadOnly
    ) {
      return { findings: [applicationFindings.readOnlyWork({ object })] };
    }
    const wait =
      application.operation && existing ? starts.waitOf(existing) : 0;
    if (wait > 0) {
      return { requeueAfterMs: wait };
    }
    const oneShot = oneShotFields(
      application,
      existing,
      Date.now(),
      fields.options().defaultDestinationNamespace,
    );
    const key = objectKey(application.metadata);
    const wanted = existing
      ? withObservedObjects(desired, existing, fields.options())
      : desired;
    const patch = existing && manifestWorkPatch(existing, wanted, oneShot);
    if (
      patch &&
      !isTurn &&
      !writer.isWithheld &&
      differsOnlyInExpressions(existing, wanted, oneShot)
    ) {
      rewrites.wait(key);
    } else if (!existing || patch) {
      const { labels, annotations } = desired.metadata;
      const { waitMs, stored } =
        patch && !patch.spec
          ? await damper.write(
              objectKey(desired.metadata),
              fingerprint([labels, annotations, oneShot.marks]),
              () => writer.patch('works', existing, patch),
            )
          : {
              waitMs: 0,
              stored: patch
                ? await writer.patch('works', existing, patch)
                : await writer.create('works', withOneShot(desired, oneShot)),
            };
      if (waitMs > 0) {
        damped.add(key);
        return { requeueAfterMs: waitMs };
      }
      if (patch) {
        // Only now: a write that failed has overwritten nothing.
        competitor.recordOverwrite(existing, stored);
      }
      if (stored && !stored.unreadable) {
        fields.compareStored(desired, stored);
      }
      rewrites.cancel(key);
    }
    const taken = oneShotFieldsRemoved(application);
    if (taken) {
      await writer.patch('applications', application, taken);
    }
    return undefined;
  }

  return {
    name: 'propagation',
    watches: {
      ...propagationWatches(cache),
      onOutsideEvent(listener) {
        const unsubscribe = [
          rewrites.onTurn(listener),
          waiting.onKnown(listener),
          removals.onDecided(listener),
        ];
        return () => unsubscribe.forEach(each => each());
      },
    },
    failureContext: {
      objectOf: objectOfKind('Application'),
      rbacFile: 'propagation.yaml',
    },
    hubChecks: {
      async prepare({ signal, logger }) {
        await competitor.prepare(signal);
        await fields.refresh(signal, logger);
        await removals.prepare(signal);
      },
      findings: () => [
        ...competitor.findings(),
        ...fields.findings(),
        ...waiting.findings(),
        ...undoneFinding(
          cache.hub,
          {
            kind: 'ManifestWork',
            part: 'labels, annotations or update strategies',
          },
          damper.contested(),
        ),
        ...heldFindings(cache.hub, removals.brake.held()),
      ],
      writeBlockedBy: blockedBy,
    },
    *listKeys() {
      for (const cluster of cache.applications.values('pullTarget')) {
        for (const key of cache.applications.keysBy('pullTarget', cluster)) {
          yield key;
        }
      }
      for (const key of cache.works.values('hubApplication')) {
        yield key;
      }
    },
    dependencies,
    reconcile,
  };
}

function withOneShot(work: ManifestWork, oneShot: OneShotFields): ManifestWork {
  const { metadata, spec } = work;
  return {
    ...work,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, ...oneShot.marks },
    },
    spec: {
      ...spec,
      workload: {
        manifests: spec.workload?.manifests?.map(manifest =>
          isApplication(manifest)
            ? withOneShotFields(manifest as ArgoApplication, oneShot)
            : manifest,
        ),
      },
    },
  };
}

/**
 * Whether the work may be removed as time passes, without an order: it does not deliver, and is not kept. One that is
 * kept beside the work that delivers counts too: that one may wait for its name.
 */
function mayEnd(
  work: ManifestWork,
  application: ArgoApplication | undefined,
): boolean {
  const end = endOfDelivery(work, application);
  switch (end) {
    case undefined:
      return false;
    case 'notPullModel':
      return !isReadOnlyWork(work);
    case 'applicationGone':
      return !isFrozenByOthers(work);
    default:
      return true;
  }
}

/** Whether a work is deleted, or is so as soon as its cluster has released what it keeps. */
function endsNow({ state, decision }: RemovalOutcome): boolean {
  return (
    state === 'deleted' ||
    decision.kind === 'release' ||
    (decision.kind === 'wait' && decision.for === 'released')
  );
}

/** Whether the ApplicationSet of an Application is deleted in the foreground: it goes after all that it made. */
function isAwaitedBySet(
  cache: FleetCache,
  application: ArgoApplication,
): boolean {
  const owner = applicationSetReference(application);
  const set =
    owner &&
    cache.applicationSets.get(
      objectKey({
        namespace: application.metadata.namespace,
        name: owner.name,
      }),
    );
  const { uid, deletionTimestamp, finalizers } = set?.metadata ?? {};
  return (
    uid !== undefined &&
    uid === owner?.uid &&
    deletionTimestamp !== undefined &&
    finalizers?.includes(FOREGROUND_DELETION) === true
  );
}

function together(one: ReconcileResult, other: ReconcileResult) {
  return {
    findings: [...(one.findings ?? []), ...(other.findings ?? [])],
    requeueAfterMs: sooner(one.requeueAfterMs, other.requeueAfterMs),
  };
}

function sooner(a: number | undefined, b: number | undefined) {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
