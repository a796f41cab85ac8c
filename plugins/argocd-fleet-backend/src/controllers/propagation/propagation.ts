import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  FLEET_RESOURCES,
  type FleetCache,
  type FleetReader,
  type CompetingController,
} from '../../fleet';
import {
  findObject,
  objectKey,
  type KubernetesClient,
  type ObjectName,
} from '../../kubernetes/client';
import {
  withoutArgoFinalizers,
  hubApplicationOf,
  isApplication,
  isPullModel,
  isReadOnlyWork,
  orphanReason,
  targetCluster,
  workNames,
} from '../../model/delivery';
import { applicationFindings } from '../../model/findings';
import {
  differsOnlyInExpressions,
  manifestWorkPatch,
  oneShotFieldsRemoved,
  oneShotFields,
  withObservedObjects,
  withOneShotFields,
  type OneShotFields,
  type WorkPlan,
} from '../../model/manifestwork';
import {
  objectOfKind,
  type Controller,
  type ReconcileContext,
  type ReconcileResult,
} from '../../runtime';
import { createExpressionRewrites } from './expressionRewrites';
import { createOperationStarts } from './operationStarts';
import { propagationWatches } from './propagationWatches';
import { createWaitingForAuthorisation } from './waitingForAuthorisation';
import type { WorkFields } from './workFields';

/**
 * Delivers each pull-model Application to its cluster by one ManifestWork in the cluster's namespace, and removes the
 * works of Applications that are gone. A key is a hub Application that exists or of which only works exist.
 */
export function createPropagation(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly client: KubernetesClient;
  readonly fields: WorkFields;
  readonly competitor: CompetingController;
}): Controller {
  const { cache, reader, client, fields, competitor } = options;
  const rewrites = createExpressionRewrites();
  const starts = createOperationStarts();
  cache.onChange(starts.observe);
  const waiting = createWaitingForAuthorisation(cache);

  function worksOf(key: string) {
    return cache.works.by('hubApplication', key);
  }

  function takenNames(application: ArgoApplication) {
    const namespace = targetCluster(application);
    return workNames(application).map(name =>
      cache.works.get(objectKey({ namespace, name })),
    );
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
      works.length > 1 ||
      application?.operation ||
      cache.works.by('oneShotFields', key).length > 0
    ) {
      // While a work replaces another, or until the cluster has acted, time alone changes what is to be done.
      return undefined;
    }
    if (!application || !isPullModel(application)) {
      return [application, works[0]];
    }
    // Concatenated: spreading would take longer than all the rest, for each key of each pass.
    const own: unknown[] = [
      application,
      fields.options(),
      // One value for both: this list is kept for each Application.
      blockedBy(key) ? undefined : rewrites.isTurn(key),
    ];
    return own.concat(
      reader.planDependencies(application),
      // Without a work, it waits for one of its names to become free.
      works.length > 0 ? works : takenNames(application),
    );
  }

  async function reconcile(
    key: string,
    context: ReconcileContext,
  ): Promise<ReconcileResult> {
    const application = cache.applications.get(key);
    const isTurn = rewrites.takeTurn(key);
    waiting.note(key);
    if (application?.metadata.deletionTimestamp) {
      await finishDeletion(application, context);
      return {};
    }
    if (application && isPullModel(application)) {
      return propagate(application, isTurn, context);
    }
    for (const work of worksOf(key)) {
      await removeOrphan(work, application, context);
    }
    return {};
  }

  async function propagate(
    application: ArgoApplication,
    isTurn: boolean,
    context: ReconcileContext,
  ): Promise<ReconcileResult> {
    const plan = reader.plan(application);
    if (plan.kind === 'refused') {
      waiting.note(objectKey(application.metadata), plan.finding);
      // What runs stays as it is: a refusal concerns only what would be written next.
      return { findings: [plan.finding] };
    }
    let requeueAfterMs: number | undefined;
    if (plan.kind === 'apply') {
      const outcome = await apply(application, plan.work, isTurn, context);
      if (outcome?.findings) {
        // The works elsewhere stay: nothing else delivers the Application.
        return outcome;
      }
      requeueAfterMs = outcome?.requeueAfterMs;
    }
    for (const work of worksOf(objectKey(application.metadata))) {
      // Only after the new work was written, so that a retargeted Application always runs somewhere.
      if (!isPlanned(work, plan)) {
        await removeOrphan(work, application, context);
      }
    }
    return {
      findings: plan.kind === 'apply' ? plan.findings : undefined,
      requeueAfterMs,
    };
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
      isReadOnlyWork(existing) &&
      !fields.options().adoptReadOnly
    ) {
      return { findings: [applicationFindings.readOnlyWork({ object })] };
    }
    const wait =
      application.operation && existing ? starts.waitOf(existing) : 0;
    if (wait > 0) {
      return { requeueAfterMs: wait };
    }
    const oneShot = oneShotFields(application, existing, Date.now());
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
      const stored = patch
        ? await writer.patch('works', existing, patch)
        : await writer.create('works', withOneShot(desired, oneShot));
      if (patch) {
        // Only now: a write that failed has overwritten nothing.
        competitor.recordOverwrite(existing, stored);
      }
      if (stored) {
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

  /**
   * Removes the works of an Application that is being deleted, then Argo CD's finalizers, which no other controller
   * removes.
   */
  async function finishDeletion(
    application: ArgoApplication,
    { writer, signal }: ReconcileContext,
  ) {
    const works = worksOf(objectKey(application.metadata)).filter(
      ({ metadata }) => !metadata.deletionTimestamp,
    );
    if (works.length > 0) {
      const now = await getApplication(application.metadata, signal);
      if (now && now.metadata.uid !== application.metadata.uid) {
        // It is gone, and these may be the works of its successor of the same name.
        return;
      }
    }
    for (const work of works) {
      await writer.delete('works', work);
    }
    if (!isPullModel(application)) {
      return;
    }
    const finalizers = withoutArgoFinalizers(application);
    if (finalizers.length < (application.metadata.finalizers?.length ?? 0)) {
      await writer.patch('applications', application, {
        metadata: { finalizers },
      });
    }
  }

  async function removeOrphan(
    work: ManifestWork,
    application: ArgoApplication | undefined,
    { writer, signal, logger }: ReconcileContext,
  ) {
    const reason = orphanReason(work, application);
    const name = hubApplicationOf(work);
    if (!reason || !name || work.metadata.deletionTimestamp) {
      return;
    }
    // The watch of the Applications may be behind that of the works, or be silent.
    const now = await getApplication(name, signal);
    if (
      now?.metadata.uid !== application?.metadata.uid ||
      orphanReason(work, now) !== reason
    ) {
      return;
    }
    logger.info(`ManifestWork is an orphan: ${reason}`, {
      hub: cache.hub,
      namespace: work.metadata.namespace,
      name: work.metadata.name,
    });
    await writer.delete('works', work);
  }

  /** The Application as the hub has it now, not the cache. */
  function getApplication(name: ObjectName, signal: AbortSignal) {
    return findObject(client, FLEET_RESOURCES.applications, name, { signal });
  }

  return {
    name: 'propagation',
    watches: {
      ...propagationWatches(cache),
      onOutsideEvent(listener) {
        const unsubscribe = [
          rewrites.onTurn(listener),
          waiting.onKnown(listener),
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
      },
      findings: () => [
        ...competitor.findings(),
        ...fields.findings(),
        ...waiting.findings(),
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

function isPlanned({ metadata }: ManifestWork, plan: WorkPlan): boolean {
  return (
    plan.kind === 'apply' && objectKey(plan.target) === objectKey(metadata)
  );
}
