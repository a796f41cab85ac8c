import { FleetContext } from '../hub/hubInformers';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import { applications, applicationSets } from '../kubernetes/resources';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import { nextTurn } from '../runtime/turns';
import { owningApplicationSet } from './applicationDiff';
import { onApplicationSetChanges } from './applicationSetChanges';
import {
  applicationStatusAfter,
  applicationSetConditions,
  applicationSetResources,
} from './applicationSetStatus';
import {
  orphanApplications,
  FIELD_MANAGER,
  syncPolicyOf,
} from './applicationWrites';
import { RESOURCES_FINALIZER } from './generateApplications';
import { reconcileApplications } from './reconcileApplications';
import {
  isDeletedInReverse,
  nextInReverse,
  REVERSE_DELETION_MS,
} from './reverseDeletion';

const REFRESH_ANNOTATION = 'argocd.argoproj.io/application-set-refresh';
const OPTIONS = { fieldManager: FIELD_MANAGER };
// The delay collects the progress of many Applications in one write.
const STATUS_DELAY_MS = 500;
// A rollout may alternate between two statuses while an operation runs: Argo CD
// 3.2 sets a running Application that is still OutOfSync to Waiting.
const ROLLOUT_DELAY_MS = 200;
// Argo CD's delay before it reconciles a set with an error again.
const RETRY_MS = 180_000;

/** Simulates Argo CD's ApplicationSet controller with progressive syncs enabled. */
export function startApplicationSetController(
  context: FleetContext & { namespaces: readonly string[] },
): void {
  const { client, hub, clock, namespaces } = context;
  const setKey = (application: Application) => {
    const name = owningApplicationSet(application);
    return name ? `${application.metadata.namespace}/${name}` : undefined;
  };
  const applicationsOf = hub.applications.index(application => {
    const key = setKey(application);
    return key ? [key] : [];
  });
  const watchedSet = (key: string) => {
    const set = hub.applicationSets.get(key);
    return set && namespaces.includes(set.metadata.namespace ?? '')
      ? set
      : undefined;
  };

  // Not read from the sets' statuses: what resolves an error may arrive before the error is stored.
  const mayHaveError = new Set<string>();

  async function reconcile(key: string, requeueAfter: (ms: number) => void) {
    const set = watchedSet(key);
    if (!set) {
      mayHaveError.delete(key);
      return;
    }
    mayHaveError.add(key);
    if (set.metadata.deletionTimestamp) {
      await finalize(set, applicationsOf(key), requeueAfter);
      return;
    }
    const { finalizers = [] } = set.metadata;
    if (isDeletedInReverse(set) && !finalizers.includes(RESOURCES_FINALIZER)) {
      // Its event reconciles the set again.
      await writeFinalizers(set, [...finalizers, RESOURCES_FINALIZER]);
      return;
    }
    const result = await reconcileApplications(
      set,
      applicationsOf(key),
      context,
    );
    await nextTurn();
    await writeStatus(set, {
      conditions: applicationSetConditions(set, result, clock.now()),
      ...(result.parametersGenerated && resourcesOf(key)),
      applicationStatus: applicationStatusAfter(set, result),
    });
    if (result.error) {
      requeueAfter(RETRY_MS);
    } else {
      mayHaveError.delete(key);
    }
    if (
      !result.isStopped &&
      set.metadata.annotations?.[REFRESH_ANNOTATION] !== undefined
    ) {
      const annotations = { [REFRESH_ANNOTATION]: null };
      await client.patch(
        applicationSets,
        set.metadata,
        { metadata: { annotations } },
        OPTIONS,
      );
    }
  }

  function resourcesOf(key: string) {
    const resources = applicationSetResources(applicationsOf(key));
    return { resources, resourcesCount: resources.length };
  }

  /** Writes the changed fields: absent fields of `changed` stay, undefined ones are removed. */
  async function writeStatus(
    set: ApplicationSet,
    changed: Partial<NonNullable<ApplicationSet['status']>>,
  ) {
    if (jsonEqual({ ...set.status, ...changed }, set.status)) {
      return;
    }
    const status = Object.fromEntries(
      Object.entries(changed).map(([field, value]) => [field, value ?? null]),
    );
    await client.patch(
      applicationSets,
      set.metadata,
      { status },
      { ...OPTIONS, subresource: 'status' },
    );
  }

  async function finalize(
    set: ApplicationSet,
    existing: Application[],
    requeueAfter: (ms: number) => void,
  ) {
    const { deletes } = syncPolicyOf(set);
    if (!deletes) {
      await orphanApplications(existing, client);
    }
    const next =
      deletes && isDeletedInReverse(set)
        ? nextInReverse(set, existing)
        : undefined;
    if (next) {
      if (!next.metadata.deletionTimestamp) {
        await client.delete(applications, next.metadata);
      }
      requeueAfter(REVERSE_DELETION_MS);
      return;
    }
    const { finalizers = [] } = set.metadata;
    if (finalizers.includes(RESOURCES_FINALIZER)) {
      const rest = finalizers.filter(name => name !== RESOURCES_FINALIZER);
      await writeFinalizers(set, rest);
    }
  }

  async function writeFinalizers(
    set: ApplicationSet,
    finalizers: readonly string[],
  ) {
    const { resourceVersion } = set.metadata;
    await client.patch(applicationSets, set.metadata, {
      metadata: { resourceVersion, finalizers: [...finalizers] },
    });
  }

  const options = { startAfter: hub.waitForSync(), ...context };
  const queue = createReconcileQueue({
    name: 'ApplicationSet',
    reconcile,
    ...options,
  });
  const statusQueue = createReconcileQueue({
    name: 'ApplicationSet status',
    async reconcile(key) {
      const set = watchedSet(key);
      if (set && !set.metadata.deletionTimestamp) {
        await writeStatus(set, resourcesOf(key));
      }
    },
    ...options,
  });
  onApplicationSetChanges(hub, {
    setKey,
    reconcile: queue.add,
    reconcileRollout: key => queue.addAfter(key, ROLLOUT_DELAY_MS),
    reconcileStatus: key => statusQueue.addAfter(key, STATUS_DELAY_MS),
    mayHaveError: key => mayHaveError.has(key),
  });
}
