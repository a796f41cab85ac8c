import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { syncedStatus } from '../../../__testUtils__/agentReport';
import type { HubApi } from './hubApi';
import type { WorkLedger } from './workLedger';

const NAMESPACES = '/apis/work.open-cluster-management.io/v1/namespaces';

/**
 * The agents of all clusters: they report again and again that each work is applied and synced, and that an Application
 * has lost its finalizers where a work asks for that.
 * @returns a function that stops them
 */
export function startWorkAgents(
  api: HubApi,
  ledger: WorkLedger,
): () => Promise<void> {
  let stopped = false;

  async function reportAll() {
    for (const work of ledger.all()) {
      const { namespace, name } = work.metadata;
      const status = statusOf(work);
      if (!isDeepStrictEqual(work.status, status)) {
        // First: the controllers act on it before the hub answers.
        ledger.noteReport(work);
        await api.patch(
          `${NAMESPACES}/${namespace}/manifestworks/${name}/status`,
          { status },
        );
      }
    }
  }

  const reporting = (async () => {
    while (!stopped) {
      await reportAll();
      await pause(20);
    }
  })();
  return async () => {
    stopped = true;
    await reporting;
  };
}

function statusOf(work: ManifestWork): ManifestWork['status'] {
  const release = work.metadata.annotations?.['argocd-fleet/releasing'];
  return syncedStatus(
    work,
    release === 'hand-over' ? ['ApplicationHandedOver'] : [],
  );
}
