import { test as base, type Page, type TestInfo } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HubClient, type HubObject } from './src/hub/hubClient';
import type { GitServerOptions, Service } from '../scripts/services.mjs';

/** Longer than the limits of the parts that are started, whose messages say more. */
export const START_TIMEOUT = 300_000;

/** The product as `npm start` runs it: hub, fleet and backend. */
export interface Stack {
  /** URL of the backend, which also serves the pages. */
  readonly url: string;
  readonly hub: HubClient;
  /** The Git server that the clusters deploy from. */
  readonly git: GitServerOptions | undefined;
  /** All summaries of the guestbook's report so far, in order and without repetitions. */
  readonly summaries: readonly Record<string, string>[];
  /** When the hub was ready, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Waits until the catalog has an entity: kind, namespace and name. */
  untilInCatalog(entity: string): Promise<void>;
  killBackend(): Promise<void>;
  startBackend(): Promise<void>;
  /** The latest output of each process, and the reason for which each ended process ended. */
  describeProcesses(): string;
}

/**
 * Starts hub, fleet and backend on free ports.
 * @param user - entity reference of the user who is signed in; the guest by default
 */
export async function startStack(
  user?: string,
): Promise<Stack & { stop(): Promise<void> }> {
  const services = await import('../scripts/services.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-e2e-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const startHub =
    process.env.ARGOCD_FLEET_E2E_HUB === 'real'
      ? (await import('../scripts/real-hub/hub.mjs')).startRealHub
      : services.startHub;
  const hub = await startHub({ port: await services.freePort(), kubeconfig });
  const startedAt = Date.now();
  const client = await HubClient.connectWithFile(kubeconfig);
  const watchAbort = new AbortController();
  const summaries: Record<string, string>[] = [];
  const watchEnded = client
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
      watchAbort.signal,
    )
    .catch((error: Error) => {
      // A hub that ends is reported by `describeProcesses`.
      if (error.name !== 'AbortError' && error.message !== 'aborted') {
        throw error;
      }
    });
  const git = await services.gitServerOf({
    port: await services.freePort(),
    kubeconfig,
  });
  const fleet = services.startFleet({ kubeconfig, git });
  const port = await services.freePort();
  const ends: string[] = [];
  const recordEnd = (service: Service) =>
    service.ended.then(reason =>
      ends.push(`The ${service.name} ended: ${reason}`),
    );
  [hub, fleet].forEach(recordEnd);
  async function startBackend() {
    const started = await services.startBackend({
      ...{ port, kubeconfig, user, git },
    });
    recordEnd(started);
    await services.untilInCatalog(
      started,
      'resource/default/hub.openshift-gitops.guestbook-allclusters-app-set',
    );
    return started;
  }
  let backend = await startBackend();
  return {
    url: backend.url,
    git,
    hub: client,
    summaries,
    startedAt,
    untilInCatalog: entity => services.untilInCatalog(backend, entity),
    killBackend: () => backend.stop('SIGKILL'),
    startBackend: async () => {
      backend = await startBackend();
    },
    describeProcesses: () =>
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
      watchAbort.abort();
      await watchEnded;
      const running: Service[] = [backend, fleet, hub];
      for (const service of running) {
        await service.stop();
      }
      await rm(folder, { recursive: true });
    },
  };
}

/** Records errors and failed requests of a page; the returned function reports them with the page's content. */
function recordProblems(page: Page): () => Promise<string> {
  const problems: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') {
      problems.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('requestfailed', request =>
    problems.push(`${request.failure()?.errorText}: ${request.url()}`),
  );
  page.on('response', response => {
    if (!response.ok()) {
      problems.push(`${response.status()}: ${response.url()}`);
    }
  });
  return async () => {
    const content = await page
      .locator('body')
      .ariaSnapshot()
      .catch((error: Error) => error.message);
    return [page.url(), content, ...problems].join('\n');
  };
}

/** Prints what a test that fails saw: a rare failure on another machine can only be understood by that. */
export async function reportFailure(
  page: Page,
  use: () => Promise<void>,
  testInfo: TestInfo,
  describeProcesses: () => string | Promise<string>,
) {
  const reportProblems = recordProblems(page);
  await use();
  if (testInfo.status !== testInfo.expectedStatus) {
    console.log(`${await reportProblems()}\n${await describeProcesses()}`);
  }
}

/** Tests that change what is on the hub: one after the other on a stack of their own. */
export const test = base.extend<{ failureReport: void }, { stack: Stack }>({
  failureReport: [
    ({ page, stack }, use, testInfo) =>
      reportFailure(page, use, testInfo, stack.describeProcesses),
    { auto: true },
  ],
  stack: [
    // Playwright requires a destructured first argument even without dependencies.
    async ({ browserName: _ }, use) => {
      const stack = await startStack();
      try {
        await use(stack);
      } finally {
        await stack.stop();
      }
    },
    { scope: 'worker', timeout: START_TIMEOUT },
  ],
});

export { expect } from '@playwright/test';
export type { Page };
