import { HubInformers } from '../hub/hubInformers';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { ApiError, isNotFound } from '../kubernetes/apiError';
import { HubClient } from '../kubernetes/client';
import { objectKey } from '../kubernetes/objects';
import { applications } from '../kubernetes/resources';
import {
  applicationPatch,
  newApplication,
  ownershipError,
  owningApplicationSet,
} from './applicationDiff';
import { nextTurn } from '../runtime/turns';
import { argoClusters } from './argoClusters';
import { RESOURCES_FINALIZER } from './generateApplications';
import { createDestinations } from './validateApplications';

/** The field manager of Argo CD's ApplicationSet controller. */
export const FIELD_MANAGER = 'argocd-applicationset-controller';
const OPTIONS = { fieldManager: FIELD_MANAGER };
// After this number of comparisons the controller yields, so that other work of the process can run.
const COMPARISONS_AT_ONCE = 50;

/** The writes to Applications that an ApplicationSet allows. */
export interface SyncPolicy {
  updates: boolean;
  deletes: boolean;
}

/** The writes that a set's `applicationsSync` allows; `sync` by default. */
export function syncPolicyOf({ spec }: ApplicationSet): SyncPolicy {
  const policy = spec?.syncPolicy?.applicationsSync ?? 'sync';
  return {
    updates: policy === 'sync' || policy === 'create-update',
    deletes: policy === 'sync' || policy === 'create-delete',
  };
}

/**
 * Creates absent Applications and updates the others. An Application that the
 * hub rejects does not stop the next ones.
 *
 * @returns the first rejection, as reason and message of Argo CD's condition
 * @throws Error if the hub does not answer, or on a conflict
 */
export async function createOrUpdateApplications(
  set: ApplicationSet,
  desired: readonly Application[],
  { updates }: SyncPolicy,
  { client, hub }: { client: HubClient; hub: HubInformers },
): Promise<{ reason: string; message: string } | undefined> {
  const reason = updates ? 'UpdateApplicationError' : 'CreateApplicationError';
  let rejection: { reason: string; message: string } | undefined;
  for (const [index, application] of desired.entries()) {
    if (index % COMPARISONS_AT_ONCE === COMPARISONS_AT_ONCE - 1) {
      await nextTurn();
    }
    const live = hub.applications.get(objectKey(application));
    const message = live && ownershipError(live, set);
    if (message) {
      rejection ??= { reason, message };
      continue;
    }
    try {
      if (!live) {
        const created = newApplication(application, set);
        await client.create(applications, created, OPTIONS);
      } else if (updates || owningApplicationSet(live) !== set.metadata.name) {
        const patch = applicationPatch(live, application, set);
        if (patch) {
          await client.patch(applications, live.metadata, patch, OPTIONS);
        }
      }
    } catch (error) {
      if (
        !(error instanceof ApiError) ||
        ![400, 403, 422].includes(error.code)
      ) {
        throw error;
      }
      rejection ??= { reason, message: error.message };
    }
  }
  return rejection;
}

/** Deletes the Applications that their set no longer generates. */
export async function deleteApplications(
  existing: readonly Application[],
  generated: readonly Application[],
  { client, hub }: { client: HubClient; hub: HubInformers },
): Promise<void> {
  const desired = new Set(generated.map(objectKey));
  const destinations = createDestinations(
    argoClusters(hub.clusterSecrets.list()),
  );
  for (const application of existing) {
    const { metadata, spec } = application;
    if (desired.has(objectKey(application)) || metadata.deletionTimestamp) {
      continue;
    }
    const { finalizers = [] } = metadata;
    if (
      finalizers.includes(RESOURCES_FINALIZER) &&
      destinations.error(spec?.destination ?? {})
    ) {
      // Argo CD cannot prune on a cluster that it does not know.
      const rest = finalizers.filter(name => name !== RESOURCES_FINALIZER);
      await client.patch(
        applications,
        metadata,
        { metadata: { finalizers: rest } },
        OPTIONS,
      );
    }
    try {
      await client.delete(applications, metadata);
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
    }
  }
}

/** Removes the owner references of Applications, so that they outlive their set. */
export async function orphanApplications(
  existing: readonly Application[],
  client: HubClient,
): Promise<void> {
  for (const { metadata } of existing) {
    const { resourceVersion } = metadata;
    await client.patch(
      applications,
      metadata,
      { metadata: { resourceVersion, ownerReferences: [] } },
      OPTIONS,
    );
  }
}
