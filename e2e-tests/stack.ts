import { test as base, type Page } from '@playwright/test';
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
  /** The last that each process said, and how those ended that have. */
  lastWords(): string;
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
  const ends: string[] = [];
  const tellEnd = (service: Service) =>
    service.ended.then(reason =>
      ends.push(`The ${service.name} ended: ${reason}`),
    );
  let backend = await services.startBackend({ port, kubeconfig });
  [hub, fleet, backend].forEach(tellEnd);
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
      tellEnd(backend);
    },
    stopHub: () => hub.stop(),
    lastWords: () =>
      [
        ...[hub, fleet, backend].map(
          ({ name, output }) =>
            `${name}:\n${output()
              .split('\n')
              .filter(line => !line.includes('type="incomingRequest"'))
              .join('\n')
              .slice(-3_000)}`,
        ),
        ...ends,
      ].join('\n'),
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

/** Notes what a page asked for in vain; the returned function tells it, with what the page shows. */
function witness(page: Page): () => Promise<string> {
  const notes: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') {
      notes.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', error => notes.push(`error: ${error.message}`));
  page.on('requestfailed', request =>
    notes.push(`${request.failure()?.errorText}: ${request.url()}`),
  );
  page.on('response', response => {
    if (!response.ok()) {
      notes.push(`${response.status()}: ${response.url()}`);
    }
  });
  return async () => {
    const shown = await page
      .locator('body')
      .ariaSnapshot()
      .catch((error: Error) => error.message);
    return [page.url(), shown, ...notes].join('\n');
  };
}

/** Tests on a running stack. Each leaves it as it found it. */
export const test = base.extend<{ explained: void }, { stack: Stack }>({
  // A failure that shows once in many runs, on another machine, has only what it printed to be understood by.
  explained: [
    async ({ page, stack }, use, testInfo) => {
      const tell = witness(page);
      await use();
      if (testInfo.status !== testInfo.expectedStatus) {
        console.log(`${await tell()}\n${stack.lastWords()}`);
      }
    },
    { auto: true },
  ],
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

export { expect } from '@playwright/test';
export type { Page };
