import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, type Page } from './stack';
import type { HubAccess, HubObject } from './hub';

const NAMESPACE = 'openshift-gitops';
const GUESTBOOK = 'guestbook-allclusters-app-set';
const CLUSTERS = ['cluster1', 'pcluster1', 'pcluster2'];
const OCM = 'apps.open-cluster-management.io';

async function guestbookWorks(hub: HubAccess): Promise<HubObject[]> {
  const works = await hub.list('manifestworks');
  return works
    .filter(
      ({ metadata }) =>
        metadata.annotations?.[`${OCM}/hosting-applicationset`] ===
        `${NAMESPACE}/${GUESTBOOK}`,
    )
    .sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
}

async function guestbookRow(hub: HubAccess, cluster: string) {
  const report = await hub.get(
    'multiclusterapplicationsetreports',
    NAMESPACE,
    GUESTBOOK,
  );
  return report.statuses.clusterConditions.find(
    (row: { cluster: string }) => row.cluster === cluster,
  );
}

/** Of the guestbook's report, where there is one. */
async function summary(hub: HubAccess) {
  const reports = await hub.list(
    'multiclusterapplicationsetreports',
    NAMESPACE,
  );
  return reports.find(({ metadata }) => metadata.name === GUESTBOOK)?.statuses
    .summary;
}

const HEALED = {
  clusters: '3',
  healthy: '3',
  inProgress: '0',
  notHealthy: '0',
  notSynced: '0',
  synced: '3',
};

const FORBIDDEN = {
  clusters: '3',
  healthy: '2',
  inProgress: '0',
  notHealthy: '1',
  notSynced: '1',
  synced: '2',
};

async function openFleetTab(page: Page, url: string, component: string) {
  await page.goto(`${url}/catalog/default/component/${component}/fleet`);
}

/** Would be gone after a reload. */
async function markPage(page: Page) {
  await page.evaluate(() => {
    document.body.dataset.loadedOnce = 'yes';
  });
}

async function expectNoReload(page: Page) {
  await expect(page.locator('body')).toHaveAttribute('data-loaded-once', 'yes');
}

/** Figures are printed, not asserted: a busy machine is no defect. */
function printFigure(what: string, since: number) {
  process.stdout.write(`    ${what}: ${Date.now() - since} ms\n`);
}

test('the hub holds the works and the report of the documentation', async ({
  stack,
}) => {
  await expect
    .poll(async () => (await guestbookWorks(stack.hub)).length, {
      timeout: 30_000,
    })
    .toBe(3);
  printFigure('works on the hub after its start', stack.startedAt);

  for (const work of await guestbookWorks(stack.hub)) {
    const cluster = work.metadata.namespace!;
    const application = await stack.hub.get(
      'applications',
      NAMESPACE,
      `${cluster}-guestbook-app`,
    );
    expect(CLUSTERS).toContain(cluster);
    expect(work.metadata.name).toBe(
      `${cluster}-guestbook-app-${application.metadata.uid.slice(0, 5)}`,
    );
    expect(work.metadata.labels).toMatchObject({
      [`${OCM}/pull-to-ocm-managed-cluster`]: 'true',
      [`${OCM}/application-set`]: 'true',
    });
    const [payload] = work.spec.workload.manifests;
    expect(payload).toMatchObject({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name: `${cluster}-guestbook-app`,
        namespace: NAMESPACE,
        labels: { [`${OCM}/application-set`]: 'true' },
      },
      spec: {
        destination: { server: 'https://kubernetes.default.svc' },
        source: { path: 'guestbook', targetRevision: 'main' },
      },
    });
    expect(payload.status).toBeUndefined();
    const [config] = work.spec.manifestConfigs;
    expect(
      config.feedbackRules[0].jsonPaths.map(
        (rule: { name: string }) => rule.name,
      ),
    ).toEqual([
      'healthStatus',
      'syncStatus',
      'operationStateStartedAt',
      'operationStatePhase',
      'syncRevision',
    ]);
    expect(config.conditionRules[0]).toMatchObject({
      type: 'CEL',
      condition: 'ApplicationReady',
    });
  }

  await expect
    .poll(() => stack.summaries, { timeout: 60_000 })
    .toContainEqual(FORBIDDEN);
  expect(stack.summaries).toContainEqual({
    clusters: '3',
    healthy: '0',
    inProgress: '2',
    notHealthy: '3',
    notSynced: '1',
    synced: '2',
  });
  const row = await guestbookRow(stack.hub, 'cluster1');
  expect(row).toMatchObject({
    healthStatus: 'Missing',
    syncStatus: 'OutOfSync',
  });
  expect(row.conditions).toContainEqual({
    type: 'SyncError',
    message: expect.stringContaining('is forbidden'),
  });
});

test('a new revision reaches every work and the open page', async ({
  page,
  stack,
}) => {
  await openFleetTab(page, stack.url, 'guestbook');
  await expect(page.getByRole('row', { name: /pcluster1/ })).toContainText(
    'Healthy',
    { timeout: 60_000 },
  );
  await markPage(page);
  const before = await guestbookRow(stack.hub, 'pcluster1');
  await stack.hub.patch('applicationsets', NAMESPACE, GUESTBOOK, {
    spec: { template: { spec: { source: { targetRevision: 'v2' } } } },
  });
  const patchedAt = Date.now();
  try {
    await expect
      .poll(
        async () =>
          (await guestbookWorks(stack.hub)).map(
            work => work.spec.workload.manifests[0].spec.source.targetRevision,
          ),
        { intervals: [50] },
      )
      .toEqual(['v2', 'v2', 'v2']);
    printFigure('a new revision in every work', patchedAt);
    await expect(page.getByText('@ v2')).toBeVisible();
    printFigure('a new revision on the open page', patchedAt);
    await expect(
      page.getByRole('row', { name: /pcluster1/ }),
    ).not.toContainText(before.syncRevision.slice(0, 7));
    await expectNoReload(page);
  } finally {
    await stack.hub.patch('applicationsets', NAMESPACE, GUESTBOOK, {
      spec: { template: { spec: { source: { targetRevision: 'main' } } } },
    });
  }
});

test('a deleted ApplicationSet takes works and report with it, and comes back', async ({
  page,
  stack,
}) => {
  await openFleetTab(page, stack.url, 'guestbook');
  await expect(page.getByRole('row', { name: /pcluster1/ })).toBeVisible();
  const applicationSet = await stack.hub.get(
    'applicationsets',
    NAMESPACE,
    GUESTBOOK,
  );
  await stack.hub.delete('applicationsets', NAMESPACE, GUESTBOOK);
  await expect
    .poll(() => guestbookWorks(stack.hub), { timeout: 30_000 })
    .toEqual([]);
  await expect
    .poll(async () =>
      (
        await stack.hub.list('multiclusterapplicationsetreports', NAMESPACE)
      ).map(({ metadata }) => metadata.name),
    )
    .not.toContain(GUESTBOOK);
  await expect(page.getByRole('row', { name: /pcluster1/ })).toBeHidden();

  const { apiVersion, kind, metadata, spec } = applicationSet;
  await stack.hub.create('applicationsets', {
    apiVersion,
    kind,
    metadata: {
      name: metadata.name,
      namespace: metadata.namespace,
      labels: metadata.labels,
      annotations: metadata.annotations,
    },
    spec,
  });
  await expect
    .poll(async () => (await guestbookWorks(stack.hub)).length)
    .toBe(3);
  await expect
    .poll(() => summary(stack.hub), { timeout: 60_000 })
    .toEqual(FORBIDDEN);
  await expect(page.getByRole('row', { name: /pcluster1/ })).toContainText(
    'Healthy',
  );
});

test('the remedy heals cluster1, on the hub and on the open page', async ({
  page,
  stack,
}) => {
  await openFleetTab(page, stack.url, 'guestbook');
  const row = page.getByRole('row', { name: /\bcluster1/ });
  await expect(row).toContainText('Missing', { timeout: 60_000 });
  await expect(row).toContainText('is forbidden');
  await markPage(page);

  const remedy = await readFile(
    join(__dirname, '../deploy/examples/allow-argo-cd-on-cluster1.yaml'),
    'utf8',
  );
  await stack.hub.apply('manifestworks', remedy);
  try {
    await expect
      .poll(() => summary(stack.hub), { timeout: 60_000 })
      .toEqual(HEALED);
    await expect(row).toContainText('Healthy');
    await expect(row).toContainText('Synced');
    await expectNoReload(page);
    const work = await stack.hub.get('manifestworks', 'cluster1', 'argo-admin');
    expect(work.metadata.generation).toBe(1);
    expect(
      work.metadata.managedFields?.map(({ manager }) => manager),
    ).not.toContain('argocd-fleet');
  } finally {
    await stack.hub.delete('manifestworks', 'cluster1', 'argo-admin');
  }
});

test('a backend that is killed converges to the same state, with no duplicate work', async ({
  stack,
}) => {
  // It starts three times.
  test.slow();
  await expect
    .poll(async () => (await guestbookWorks(stack.hub)).length)
    .toBe(3);
  for (const [index, delayMs] of [0, 50, 400].entries()) {
    await stack.hub.patch('applicationsets', NAMESPACE, GUESTBOOK, {
      spec: { template: { spec: { source: { targetRevision: `r${index}` } } } },
    });
    // Different moments of the propagation: before it, in its middle, behind it.
    await new Promise(resolve => setTimeout(resolve, delayMs));
    await stack.killBackend();
    await stack.startBackend();
    await expect
      .poll(
        async () =>
          (await guestbookWorks(stack.hub)).map(
            work =>
              `${work.metadata.namespace} ${work.spec.workload.manifests[0].spec.source.targetRevision}`,
          ),
        { timeout: 30_000 },
      )
      .toEqual(CLUSTERS.map(cluster => `${cluster} r${index}`));
  }
  await stack.hub.patch('applicationsets', NAMESPACE, GUESTBOOK, {
    spec: { template: { spec: { source: { targetRevision: 'main' } } } },
  });
});
