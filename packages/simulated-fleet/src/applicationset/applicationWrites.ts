import { HubView } from '../hubView';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { ApiError, isNotFound } from '../kubernetes/apiError';
import { HubClient } from '../kubernetes/client';
import { objectKey } from '../kubernetes/objects';
import { applications } from '../kubernetes/resources';
import {
  applicationPatch,
  newApplication,
  ownershipMistake,
  owningApplicationSet,
} from './applicationDiff';
import { nextTurn } from '../runtime/turns';
import { argoClusters } from './argoClusters';
import { RESOURCES_FINALIZER } from './generateApplications';
import { createDestinations } from './validateApplications';

/** Under which name Argo CD's ApplicationSet controller writes. */
export const FIELD_MANAGER = 'argocd-applicationset-controller';
const OPTIONS = { fieldManager: FIELD_MANAGER };
// So many comparisons in one go leave everybody else in the process their turn.
const COMPARISONS_AT_ONCE = 50;

/** What an ApplicationSet may do to its Applications. */
export interface SyncPolicy {
  updates: boolean;
  deletes: boolean;
}

export function syncPolicyOf({ spec }: ApplicationSet): SyncPolicy {
  const policy = spec?.syncPolicy?.applicationsSync ?? 'sync';
  return {
    updates: policy === 'sync' || policy === 'create-update',
    deletes: policy === 'sync' || policy === 'create-delete',
  };
}

/**
 * Creates the Applications that are absent and brings the others in step, one
 * by one past those that the hub refuses.
 *
 * @returns the first refusal, as Argo CD words it into its condition
 * @throws Error when the hub could not answer, or somebody else wrote first
 */
export async function createOrUpdateApplications(
  set: ApplicationSet,
  wanted: readonly Application[],
  { updates }: SyncPolicy,
  { client, hub }: { client: HubClient; hub: HubView },
): Promise<{ reason: string; message: string } | undefined> {
  const reason = updates ? 'UpdateApplicationError' : 'CreateApplicationError';
  let refusal: { reason: string; message: string } | undefined;
  for (const [index, application] of wanted.entries()) {
    if (index % COMPARISONS_AT_ONCE === COMPARISONS_AT_ONCE - 1) {
      await nextTurn();
    }
    const live = hub.applications.get(objectKey(application));
    const mistake = live && ownershipMistake(live, set);
    if (mistake) {
      refusal ??= { reason, message: mistake };
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
      refusal ??= { reason, message: error.message };
    }
  }
  return refusal;
}

/** Deletes the set's Applications that it no longer generates. */
export async function deleteApplications(
  existing: readonly Application[],
  generated: readonly Application[],
  { client, hub }: { client: HubClient; hub: HubView },
): Promise<void> {
  const wanted = new Set(generated.map(objectKey));
  const destinations = createDestinations(
    argoClusters(hub.clusterSecrets.list()),
  );
  for (const application of existing) {
    const { metadata, spec } = application;
    if (wanted.has(objectKey(application)) || metadata.deletionTimestamp) {
      continue;
    }
    const { finalizers = [] } = metadata;
    if (
      finalizers.includes(RESOURCES_FINALIZER) &&
      destinations.mistake(spec?.destination ?? {})
    ) {
      // Nobody could prune on a cluster that Argo CD no longer knows.
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

/** Lets Applications outlive their set. */
export async function disownApplications(
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
