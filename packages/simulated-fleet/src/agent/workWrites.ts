import { HubInformers } from '../hub/hubInformers';
import { HubClient } from '../kubernetes/client';
import { jsonEqual } from '../kubernetes/json';
import { manifestWorks } from '../kubernetes/resources';
import { ManifestWork, ManifestWorkStatus } from '../kubernetes/workTypes';
import { messageLengthError } from './workStatus';

const FINALIZER = 'cluster.open-cluster-management.io/manifest-work-cleanup';
const FIELD_MANAGER = 'work-agent';

/** Whether a work has the agent's finalizer. */
export function hasFinalizer({ metadata }: ManifestWork): boolean {
  return Boolean(metadata.finalizers?.includes(FINALIZER));
}

/** The work agent's writes to the hub. All throw ApiError, for example on a conflict. */
export interface WorkWrites {
  addFinalizer(work: ManifestWork): Promise<void>;
  removeFinalizer(work: ManifestWork): Promise<void>;
  /** Writes the status if it changed. Throws an Error if a message is too long for the hub. */
  writeStatus(work: ManifestWork, status: ManifestWorkStatus): Promise<void>;
}

/** Creates the work agent's writes to the hub. */
export function createWorkWrites({
  client,
  hub,
}: {
  client: HubClient;
  hub: HubInformers;
}): WorkWrites {
  async function patchFinalizers(work: ManifestWork, finalizers: string[]) {
    const { resourceVersion } = work.metadata;
    const written = await client.patch(
      manifestWorks,
      work.metadata,
      { metadata: { finalizers, resourceVersion } },
      { fieldManager: FIELD_MANAGER },
    );
    hub.manifestWorks.applyWriteResult(written);
  }

  return {
    addFinalizer: work =>
      patchFinalizers(work, [...(work.metadata.finalizers ?? []), FINALIZER]),
    removeFinalizer: work =>
      patchFinalizers(
        work,
        (work.metadata.finalizers ?? []).filter(name => name !== FINALIZER),
      ),
    async writeStatus(work, status) {
      if (jsonEqual(work.status, { ...work.status, ...status })) {
        return;
      }
      const error = messageLengthError(status);
      if (error) {
        throw new Error(error);
      }
      const { resourceVersion } = work.metadata;
      const written = await client.patch(
        manifestWorks,
        work.metadata,
        { metadata: { resourceVersion }, status },
        { fieldManager: FIELD_MANAGER, subresource: 'status' },
      );
      hub.manifestWorks.applyWriteResult(written);
    },
  };
}
