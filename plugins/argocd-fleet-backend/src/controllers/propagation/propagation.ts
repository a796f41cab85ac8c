import type {
  ArgoApplication,
  Finding,
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
  argoFinalizersRemoved,
  hubApplicationOf,
  isApplication,
  isPullModel,
  isReadOnlyWork,
  orphanReason,
  targetCluster,
  workNames,
} from '../../model/delivery';
import { findings } from '../../model/findings';
import {
  manifestWorkPatch,
  oneShotFieldsRemoved,
  oneShotFields,
  withObserved,
  withOneShotFields,
  type OneShotFields,
  type WorkPlan,
} from '../../model/manifestwork';
import type { Controller, ReconcileContext } from '../../runtime';
import { createOperationStarts } from './operationStarts';
import { applicationsConcernedBy } from './propagationKeys';
import type { WorkFields } from './workFields';

/**
 * Carries each pull-model Application to its cluster: one ManifestWork in the cluster's namespace, and none that nobody wants.
 * A key is a hub Application, whether it exists or only its works do.
 */
export function createPropagation(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly client: KubernetesClient;
  readonly fields: WorkFields;
  readonly rival: CompetingController;
}): Controller {
  const { cache, reader, client, fields, rival } = options;
  const starts = createOperationStarts();
  cache.onChange(starts.noticed);

  function worksOf(key: string) {
    return cache.works.by('hubApplication', key);
  }

  function takenNames(application: ArgoApplication) {
    const namespace = targetCluster(application);
    return workNames(application).map(name =>
      cache.works.get(objectKey({ namespace, name })),
    );
  }

  function dependencies(key: string): readonly unknown[] | undefined {
    const application = cache.applications.get(key);
    const works = worksOf(key);
    if (
      works.length > 1 ||
      application?.operation ||
      cache.works.by('oneShotFields', key).length > 0
    ) {
      // On the way from one work to another, or until the cluster has acted: time alone changes what is to be done.
      return undefined;
    }
    if (!application || !isPullModel(application)) {
      return [application, works[0]];
    }
    // Put together without spreading, which takes longer than all the rest, for each key of each pass.
    const own: unknown[] = [
      application,
      fields.options(),
      rival.blocksPropagation() === undefined,
    ];
    return own.concat(
      reader.planDependencies(application),
      // Without a work of its own, it waits for one of its names to be free.
      works.length > 0 ? works : takenNames(application),
    );
  }

  async function reconcile(
    key: string,
    context: ReconcileContext,
  ): Promise<readonly Finding[]> {
    const application = cache.applications.get(key);
    if (application?.metadata.deletionTimestamp) {
      await finishDeletion(application, context);
      return [];
    }
    if (application && isPullModel(application)) {
      return propagate(application, context);
    }
    for (const work of worksOf(key)) {
      await removeOrphan(work, application, context);
    }
    return [];
  }

  async function propagate(
    application: ArgoApplication,
    context: ReconcileContext,
  ): Promise<readonly Finding[]> {
    const plan = reader.plan(application);
    if (plan.kind === 'refused') {
      // What runs stays as it is: a refusal is about what would be written next.
      return [plan.finding];
    }
    if (plan.kind === 'apply') {
      const obstacle = await apply(application, plan.work, context);
      if (obstacle) {
        // What runs elsewhere is all that there is.
        return [obstacle];
      }
    }
    for (const work of worksOf(objectKey(application.metadata))) {
      // After the new work has been written, so that a retargeted Application is never nowhere.
      if (!isPlanned(work, plan)) {
        await removeOrphan(work, application, context);
      }
    }
    return plan.kind === 'apply' ? (plan.findings ?? []) : [];
  }

  /**
   * Makes the work be as desired, and takes off the Application what the work has taken over; answers with why it cannot, so that it
   * does not deliver.
   */
  async function apply(
    application: ArgoApplication,
    desired: ManifestWork,
    { writer, lookAgain }: ReconcileContext,
  ): Promise<Finding | undefined> {
    const { namespace, name } = desired.metadata;
    const object = { kind: 'ManifestWork', namespace, name };
    const existing = cache.works.get(objectKey(desired.metadata));
    if (existing?.metadata.deletionTimestamp) {
      return findings.workTerminating({ object });
    }
    if (
      existing &&
      isReadOnlyWork(existing) &&
      !fields.options().adoptReadOnly
    ) {
      return findings.readOnlyWork({ object });
    }
    const wait =
      application.operation && existing ? starts.waitOf(existing) : 0;
    if (wait > 0) {
      lookAgain(wait);
      return undefined;
    }
    const travelling = oneShotFields(application, existing, Date.now());
    const patch =
      existing &&
      manifestWorkPatch(
        existing,
        withObserved(desired, existing, fields.options()),
        travelling,
      );
    if (!existing || patch) {
      const stored = patch
        ? await writer.patch('works', existing, patch)
        : await writer.create('works', withTravelling(desired, travelling));
      if (patch) {
        // Only now: a write that was refused has undone nothing, and nobody has undone it.
        rival.recordOverwrite(existing);
      }
      if (stored) {
        fields.noticed(desired, stored);
      }
    }
    const taken = oneShotFieldsRemoved(application);
    if (taken) {
      await writer.patch('applications', application, taken);
    }
    return undefined;
  }

  /** Removes the works of an Application that is being deleted, then lets it go: nobody else takes Argo CD's finalizers off it. */
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
        // It is gone, and these may be the works of the one that was made since.
        return;
      }
    }
    for (const work of works) {
      await writer.delete('works', work);
    }
    if (!isPullModel(application)) {
      return;
    }
    const finalizers = argoFinalizersRemoved(application);
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
    // Two watches are two clocks, and one may be silent: the work may be known before what its Application has become meanwhile.
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

  /** The Application as the hub itself has it now. */
  function getApplication(name: ObjectName, signal: AbortSignal) {
    return findObject(client, FLEET_RESOURCES.applications, name, { signal });
  }

  return {
    name: 'propagation',
    needs: ['applications', 'works', 'clusters', 'decisions'],
    debounceMs: 0,
    async prepare({ signal, logger }) {
      await rival.prepare(signal);
      await fields.refresh(signal, logger);
    },
    findings: () => [...rival.findings(), ...fields.findings()],
    writeBlockedBy: rival.blocksPropagation,
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
    mapEventToKeys: change => applicationsConcernedBy(change, cache),
    dependencies,
    reconcile,
  };
}

function withTravelling(
  work: ManifestWork,
  travelling: OneShotFields,
): ManifestWork {
  const { metadata, spec } = work;
  return {
    ...work,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, ...travelling.marks },
    },
    spec: {
      ...spec,
      workload: {
        manifests: spec.workload?.manifests?.map(manifest =>
          isApplication(manifest)
            ? withOneShotFields(manifest as ArgoApplication, travelling)
            : manifest,
        ),
      },
    },
  };
}

function isPlanned({ metadata }: ManifestWork, plan: WorkPlan): boolean {
  return (
    plan.kind === 'apply' &&
    objectKey(plan.work.metadata) === objectKey(metadata)
  );
}
