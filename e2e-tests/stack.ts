import { test as base } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HubAccess, type HubObject } from './hub';
import type { Service } from '../scripts/services.mjs';

/** The product as `npm start` puts it together, with handles on its pieces. */
export interface Stack {
  readonly url: string;
  readonly hub: HubAccess;
  /** Every summary that the guestbook's report has had, in order, without repetitions. */
  readonly summaries: readonly Record<string, string>[];
  /** When the hub answered, in milliseconds since the epoch. */
  readonly startedAt: number;
  killBackend(): Promise<void>;
  startBackend(): Promise<void>;
  stopHub(): Promise<void>;
}

/** Starts hub, fleet and backend on free ports. */
export async function startStack(): Promise<Stack & { stop(): Promise<void> }> {
  const services = await import('../scripts/services.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-e2e-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const startHub =
    process.env.ARGOCD_FLEET_E2E_HUB === 'real'
      ? (await import('../scripts/real-hub/hub.mjs')).startRealHub
      : services.startHub;
  const hub = await startHub({ port: await services.freePort(), kubeconfig });
  const startedAt = Date.now();
  const access = await HubAccess.of(kubeconfig);
  const watching = new AbortController();
  const summaries: Record<string, string>[] = [];
  const watched = access
    .watch(
      'multiclusterapplicationsetreports',
      'openshift-gitops',
      ({ metadata, statuses }: HubObject) => {
        if (
          metadata.name === 'guestbook-allclusters-app-set' &&
          JSON.stringify(statuses.summary) !== JSON.stringify(summaries.at(-1))
        ) {
          summaries.push(statuses.summary);
        }
      },
      watching.signal,
    )
    .catch((error: Error) => {
      // The watch ends with the hub, which some tests stop.
      if (error.name !== 'AbortError' && error.message !== 'aborted') {
        throw error;
      }
    });
  const fleet = services.startFleet({ kubeconfig });
  const port = await services.freePort();
  let backend = await services.startBackend({ port, kubeconfig });
  await services.untilInCatalog(
    backend,
    'resource/default/hub.openshift-gitops.guestbook-allclusters-app-set',
  );
  return {
    url: backend.url,
    hub: access,
    summaries,
    startedAt,
    killBackend: () => backend.stop('SIGKILL'),
    startBackend: async () => {
      backend = await services.startBackend({ port, kubeconfig });
    },
    stopHub: () => hub.stop(),
    stop: async () => {
      watching.abort();
      await watched;
      const running: Service[] = [backend, fleet, hub];
      for (const service of running) {
        await service.stop();
      }
      await rm(folder, { recursive: true });
    },
  };
}

/** Tests on a running stack. Each leaves it as it found it. */
export const test = base.extend<object, { stack: Stack }>({
  stack: [
    // Playwright wants the dependencies as a destructured first argument, also where there are none.
    async ({ browserName: _ }, use) => {
      const stack = await startStack();
      try {
        await use(stack);
      } finally {
        await stack.stop();
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

export { expect, type Page } from '@playwright/test';
