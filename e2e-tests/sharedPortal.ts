import { test as base } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './src/polling';
import { reportFailure, START_TIMEOUT, startStack, type Stack } from './stack';

/** Address at which the tests' processes ask Playwright's own process for the portal. */
const ADDRESS = 'ARGOCD_FLEET_SHARED_PORTAL';

/** A portal that no test may change. */
interface SharedPortal {
  readonly url: string;
  describeProcesses(): Promise<string>;
}

/** The portal that the tests share; starts it for the first that asks. */
async function findSharedPortal(): Promise<SharedPortal> {
  const read = async () => {
    const response = await fetch(process.env[ADDRESS]!);
    if (!response.ok) {
      throw new Error(await response.text());
    }
    return response.json();
  };
  const { url } = await read();
  return { url, describeProcesses: async () => (await read()).processes };
}

/** Waits until the clusters have reported how the first syncs ended: pages change less from then on. */
async function untilSynced({ hub }: Stack): Promise<void> {
  await eventually(
    async () => {
      const reports = await hub.list('multiclusterapplicationsetreports');
      return Object.fromEntries(
        reports.map(({ metadata: { name }, statuses }) => [
          name,
          statuses?.summary.healthy,
        ]),
      );
    },
    // Of the 37 that get healthy, one goes silent after 45 s, which may be before it reports that.
    healthy =>
      healthy['guestbook-allclusters-app-set'] === '2' &&
      Number(healthy['inventory-edge']) >= 36,
  );
}

/**
 * Playwright's `globalSetup`. Its process outlives those of the tests, so one portal serves all tests that only read. It
 * starts when the first test asks for it: many runs have none.
 * @returns stops the portal
 */
export default async function offerPortal(): Promise<() => Promise<void>> {
  let starting: ReturnType<typeof startStack> | undefined;
  let ready: Promise<Stack> | undefined;
  const start = async () => {
    starting = startStack();
    const stack = await starting;
    await untilSynced(stack);
    return stack;
  };
  const server = createServer(async (_, response) => {
    try {
      ready ??= start();
      const { url, describeProcesses } = await ready;
      response.end(JSON.stringify({ url, processes: describeProcesses() }));
    } catch (error) {
      response.writeHead(500).end(`${error}`);
    }
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  process.env[ADDRESS] = `http://127.0.0.1:${port}`;
  return async () => {
    server.close();
    const stack = await starting?.catch(() => undefined);
    await stack?.stop();
  };
}

/** Tests that only read, at the same time as others. */
export const test = base.extend<
  { failureReport: void },
  { portal: SharedPortal }
>({
  failureReport: [
    ({ page, portal }, use, testInfo) =>
      reportFailure(page, use, testInfo, portal.describeProcesses),
    { auto: true },
  ],
  portal: [
    // Playwright requires a destructured first argument even without dependencies.
    async ({ browserName: _ }, use) => use(await findSharedPortal()),
    { scope: 'worker', timeout: START_TIMEOUT },
  ],
});

export { expect, type Page } from '@playwright/test';
