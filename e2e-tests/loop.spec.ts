import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, type Page } from './stack';
import type { HubClient, HubObject } from './src/hub/hubClient';

const NAMESPACE = 'openshift-gitops';
const GUESTBOOK = 'guestbook-allclusters-app-set';
const CLUSTERS = ['cluster1', 'pcluster1', 'pcluster2'];
const OCM = 'apps.open-cluster-management.io';

async function guestbookWorks(hub: HubClient): Promise<HubObject[]> {
  const works = await hub.list('manifestworks');
  return works
    .filter(
      ({ metadata }) =>
        metadata.annotations?.[`${OCM}/hosting-applicationset`] ===
        `${NAMESPACE}/${GUESTBOOK}`,
    )
    .sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
}

async function guestbookRow(hub: HubClient, cluster: string) {
  const report = await hub.get(
    'multiclusterapplicationsetreports',
    NAMESPACE,
    GUESTBOOK,
  );
  return report.statuses.clusterConditions.find(
    (row: { cluster: string }) => row.cluster === cluster,
  );
}

/** Summary of the guestbook's report; undefined without a report. */
async function guestbookSummary(hub: HubClient) {
  const reports = await hub.list(
    'multiclusterapplicationsetreports',
    NAMESPACE,
  );
  return reports.find(({ metadata }) => metadata.name === GUESTBOOK)?.statuses
    .summary;
}

const ALL_HEALTHY = {
  clusters: '3',
  healthy: '3',
  inProgress: '0',
  notHealthy: '0',
  notSynced: '0',
  synced: '3',
};

const ONE_FORBIDDEN = {
  clusters: '3',
  healthy: '2',
  inProgress: '0',
  notHealthy: '1',
  notSynced: '1',
  synced: '2',
};

/** Deletes the guestbook's ApplicationSet and waits for its works to go; the returned function creates it again. */
async function deleteGuestbook(hub: HubClient): Promise<() => Promise<void>> {
  const { apiVersion, kind, metadata, spec } = await hub.get(
    'applicationsets',
    NAMESPACE,
    GUESTBOOK,
  );
  await hub.delete('applicationsets', NAMESPACE, GUESTBOOK);
  await expect.poll(() => guestbookWorks(hub)).toEqual([]);
  const { name, namespace, labels, annotations } = metadata;
  return async () => {
    await hub.create({
      apiVersion,
      kind,
      metadata: { name, namespace, labels, annotations },
      spec,
    });
  };
}

/** Takes back a fix of cluster1. What Argo CD could create with it stays until its Application is deleted. */
async function takeBack(hub: HubClient, work: string) {
  const isThere = async () =>
    (await hub.list('manifestworks', 'cluster1')).some(
      ({ metadata }) => metadata.name === work,
    );
  if (await isThere()) {
    await hub.delete('manifestworks', 'cluster1', work);
  }
  await expect.poll(isThere).toBe(false);
  const create = await deleteGuestbook(hub);
  await create();
}

async function openFleetTab(page: Page, url: string, component: string) {
  await page.goto(`${url}/catalog/default/component/${component}/fleet`);
}

/** Sets a mark that a reload would remove. */
async function markPage(page: Page) {
  await page.evaluate(() => {
    document.body.dataset.loadedOnce = 'yes';
  });
}

async function expectNoReload(page: Page) {
  await expect(page.locator('body')).toHaveAttribute('data-loaded-once', 'yes');
}

/** Prints a duration. Durations are not asserted, because they depend on the machine's load. */
function printDuration(label: string, since: number) {
  process.stdout.write(`    ${label}: ${Date.now() - since} ms\n`);
}

test('the hub has the documented works and report', async ({ stack }) => {
  await expect
    .poll(async () => (await guestbookWorks(stack.hub)).length)
    .toBe(3);
  printDuration('from the start of the hub to its works', stack.startedAt);

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

  await expect.poll(() => stack.summaries).toContainEqual(ONE_FORBIDDEN);
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

test('a new revision reaches every work and updates the open page', async ({
  page,
  stack,
}) => {
  await openFleetTab(page, stack.url, 'guestbook');
  await expect(page.getByRole('row', { name: /pcluster1/ })).toContainText(
    'Healthy',
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
    printDuration('from a new revision to every work', patchedAt);
    await expect(page.getByText('@ v2')).toBeVisible();
    printDuration('from a new revision to the open page', patchedAt);
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

test('deleting an ApplicationSet deletes its works and report; creating it again restores them', async ({
  page,
  stack,
}) => {
  await openFleetTab(page, stack.url, 'guestbook');
  await expect(page.getByRole('row', { name: /pcluster1/ })).toBeVisible();
  const create = await deleteGuestbook(stack.hub);
  await expect
    .poll(async () =>
      (
        await stack.hub.list('multiclusterapplicationsetreports', NAMESPACE)
      ).map(({ metadata }) => metadata.name),
    )
    .not.toContain(GUESTBOOK);
  await expect(page.getByRole('row', { name: /pcluster1/ })).toBeHidden();

  await create();
  await expect
    .poll(async () => (await guestbookWorks(stack.hub)).length)
    .toBe(3);
  await expect.poll(() => guestbookSummary(stack.hub)).toEqual(ONE_FORBIDDEN);
  await expect(page.getByRole('row', { name: /pcluster1/ })).toContainText(
    'Healthy',
  );
});

test('the documented fix makes cluster1 healthy on the hub and on the open page', async ({
  page,
  stack,
}) => {
  await openFleetTab(page, stack.url, 'guestbook');
  const row = page.getByRole('row', { name: /\bcluster1/ });
  await expect(row).toContainText('Missing');
  await expect(row).toContainText('Argo CD may not create');
  await markPage(page);

  const fix = await readFile(
    join(__dirname, '../deploy/examples/allow-argo-cd-on-cluster1.yaml'),
    'utf8',
  );
  await stack.hub.createFromYaml(fix);
  try {
    await expect.poll(() => guestbookSummary(stack.hub)).toEqual(ALL_HEALTHY);
    await expect(row).toContainText('Healthy');
    await expect(row).toContainText('Synced');
    await expectNoReload(page);
    const work = await stack.hub.get('manifestworks', 'cluster1', 'argo-admin');
    expect(work.metadata.generation).toBe(1);
    expect(
      work.metadata.managedFields?.map(({ manager }) => manager),
    ).not.toContain('argocd-fleet');
  } finally {
    await takeBack(stack.hub, 'argo-admin');
  }
});

test('the copied fix permits Argo CD one namespace, and the finding goes', async ({
  page,
  stack: { url, hub },
}) => {
  const fix = 'argo-admin-openshift-gitops.guestbook';
  try {
    await page
      .context()
      .grantPermissions(['clipboard-read', 'clipboard-write'], {
        origin: url,
      });
    await openFleetTab(page, url, 'guestbook');
    const row = page.getByRole('row', { name: /\bcluster1/ });
    await expect(row).toContainText('Argo CD may not create');
    await row.click();
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByText('AFC-204').first()).toBeVisible();
    // The first is the narrowest; the last makes Argo CD cluster-admin.
    const copy = drawer.getByRole('button', { name: 'Copy' }).first();
    await copy.click();
    await expect(drawer.getByText('Copied')).toBeVisible();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const [, manifest] =
      /^kubectl apply -f - <<'EOF'\n(.*)\nEOF$/s.exec(command) ?? [];
    expect(manifest).toBeDefined();
    await hub.createFromYaml(manifest);

    await expect.poll(() => guestbookSummary(hub)).toEqual(ALL_HEALTHY);
    await expect(drawer.getByText('AFC-204')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(row).toContainText('Healthy');
    await expect(row).toContainText('Synced');

    const work = await hub.get('manifestworks', 'cluster1', fix);
    expect(
      work.spec.workload.manifests.map(
        ({ kind, metadata }: HubObject) => `${metadata.namespace}/${kind}`,
      ),
    ).toEqual(['guestbook/Role', 'guestbook/RoleBinding']);
    expect(work.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Applied', status: 'True' }),
    );
    expect(work.metadata.generation).toBe(1);
  } finally {
    await takeBack(hub, fix);
  }
});

test('a killed backend converges to the same state after its restart, without duplicate works', async ({
  stack,
}) => {
  // The backend starts three times.
  test.slow();
  const revisions = async () =>
    (await guestbookWorks(stack.hub)).map(
      work =>
        `${work.metadata.namespace} ${work.spec.workload.manifests[0].spec.source.targetRevision}`,
    );
  await expect.poll(async () => (await revisions()).length).toBe(3);
  // Kills before, during and after the propagation.
  for (const propagated of [0, 1, 3]) {
    const revision = `r${propagated}`;
    await stack.hub.patch('applicationsets', NAMESPACE, GUESTBOOK, {
      spec: { template: { spec: { source: { targetRevision: revision } } } },
    });
    await expect
      .poll(
        async () =>
          (await revisions()).filter(work => work.endsWith(revision)).length,
        { intervals: [5] },
      )
      .toBeGreaterThanOrEqual(propagated);
    await stack.killBackend();
    await stack.startBackend();
    await expect
      .poll(revisions)
      .toEqual(CLUSTERS.map(cluster => `${cluster} ${revision}`));
  }
  await stack.hub.patch('applicationsets', NAMESPACE, GUESTBOOK, {
    spec: { template: { spec: { source: { targetRevision: 'main' } } } },
  });
});
