import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator } from '@playwright/test';
import { expect, test, type Page, type Stack } from './stack';
import { parse } from 'yaml';
import { choose, NAMESPACE, takePicture } from './templateForm';

const run = promisify(execFile);

/** Fills in the form of the template "New pull-model application" up to its review. */
async function fillIn(
  page: Page,
  { url, git }: Stack,
  values: {
    name: string;
    manifests: string;
    strategy: string;
    /** Label of the clusters; by default that of pcluster1 and pcluster2. */
    label?: string;
    keptIn?: RegExp;
  },
) {
  const { label = 'environment=production', keptIn } = values;
  await page.goto(`${url}/create/templates/default/new-pull-model-application`);
  await page.getByLabel(/^Name/).fill(values.name);
  await page.getByLabel(/^Description/).fill('What customers see first');
  await page.getByLabel(/^Owner/).fill('Retail');
  await page.getByRole('option', { name: /Team Retail/ }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel(/^Image/).fill('registry.example.com/shop:1.0.0');
  await choose(page, 'Manifests', new RegExp(values.manifests));
  await choose(page, 'Update', new RegExp(values.strategy));
  await takePicture(page, 'git-template-workload');
  await page.getByRole('button', { name: 'Next' }).click();
  // The only source control that this portal has is chosen already.
  await expect(page.getByTestId('host-select').locator('select')).toHaveValue(
    git!.host,
  );
  await page.getByLabel(/^Owner/).fill('retail');
  const repository = page.getByRole('textbox', { name: 'Repository' });
  await repository.fill(values.name);
  // The field takes the name over when it is left.
  await repository.press('Tab');
  if (keptIn) {
    await choose(page, 'Placement and ApplicationSet', keptIn);
  }
  await takePicture(page, 'git-template-repository');
  await page.getByRole('button', { name: 'Next' }).click();
  await choose(page, 'Cluster sets', /aws-clusters/);
  await choose(page, 'Cluster labels', new RegExp(label));
  // The review has what the form says by then.
  await expect(
    page.getByRole('status').filter({ hasText: 'Selected now' }),
  ).toContainText(/\d clusters? p?cluster1/);
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText(/^\d clusters?: p?cluster1/)).toBeVisible();
  await takePicture(page, 'git-template-review');
}

/** Clones a repository, replaces a text in a file, and pushes that; returns the commit. */
async function commit(
  { git }: Stack,
  repository: string,
  file: string,
  [before, after]: readonly [string, string],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-clone-'));
  const client = async (...args: string[]) =>
    (
      await run('git', ['-C', folder, ...args], {
        env: {
          PATH: process.env.PATH,
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_TERMINAL_PROMPT: '0',
        },
      })
    ).stdout.trim();
  try {
    await client(
      'clone',
      `http://fleet:${git!.password}@${git!.host}/${repository}.git`,
      '.',
    );
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    expect(text).toContain(before);
    await writeFile(path, text.replace(before, after));
    await client(
      ...['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'],
      ...['commit', '-a', '-m', `Change to ${after}`],
    );
    await client('push', 'origin', 'main');
    return await client('rev-parse', 'HEAD');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Merges a pull request as a person does who has read these texts in it; returns the commit in short. */
async function review(
  browser: Browser,
  { git }: Stack,
  link: Locator,
  texts: readonly string[],
): Promise<string> {
  const address = (await link.getAttribute('href'))!;
  const context = await browser.newContext({
    httpCredentials: { username: 'fleet', password: git!.password },
  });
  const page = await context.newPage();
  await page.goto(address);
  for (const text of texts) {
    await expect(page.locator('body')).toContainText(text);
  }
  await takePicture(page, `review-${address.split('/').at(-3)}`);
  await page.getByRole('button', { name: 'Merge' }).click();
  const state = page.getByText(/Merged as/);
  const [, commitId] = /as ([0-9a-f]{7})/.exec((await state.textContent())!)!;
  await context.close();
  return commitId;
}

test('from the form to a repository to green clusters, a commit changes them, and a pull request links more', async ({
  page,
  stack,
  browser,
}) => {
  // The steps of the template, and the second sync, take their time.
  test.slow();
  await fillIn(page, stack, {
    name: 'window-shop',
    manifests: 'Kustomize',
    strategy: 'Rolling',
  });
  await page.getByRole('button', { name: 'Create' }).click();
  const link = page.getByRole('link', { name: /Fleet tab/i });
  await expect(link).toBeVisible({ timeout: 100_000 });
  await takePicture(page, 'git-template-created');
  await link.click();
  const rows = ['pcluster1', 'pcluster2'].map(cluster =>
    page.getByRole('row', { name: new RegExp(cluster) }),
  );
  for (const row of rows) {
    await expect(row).toContainText('Healthy');
    await expect(row).toContainText('Synced');
  }
  const set = await stack.hub.get('applicationsets', NAMESPACE, 'window-shop');
  expect(set.spec.template.spec.source).toMatchObject({
    repoURL: `http://${stack.git!.host}/retail/window-shop.git`,
    path: 'deploy',
    targetRevision: 'main',
  });

  const revision = await commit(
    stack,
    'retail/window-shop',
    'deploy/kustomization.yaml',
    ['1.0.0', '1.1.0'],
  );
  for (const row of rows) {
    await expect(row).toContainText(revision.slice(0, 7), { timeout: 60_000 });
    await expect(row).toContainText('Healthy', { timeout: 60_000 });
  }
  await takePicture(page, 'git-template-second-commit');

  // The same component, on other clusters.
  await page.goto(
    `${stack.url}/create/templates/default/deploy-an-existing-component`,
  );
  await page.getByLabel(/^Component/).fill('window');
  await page.getByRole('option', { name: /window-shop/ }).click();
  await page.getByLabel(/^Name/).fill('window-shop-edge');
  await takePicture(page, 'deploy-component-name');
  await page.getByRole('button', { name: 'Next' }).click();
  await takePicture(page, 'deploy-component-source');
  await page.getByRole('button', { name: 'Next' }).click();
  await choose(page, 'Cluster sets', /edge-clusters/);
  await choose(page, 'Cluster labels', /environment=staging/);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  const pullRequest = page.getByRole('link', {
    name: /Open the pull request/i,
  });
  await expect(pullRequest).toBeVisible({ timeout: 100_000 });
  await takePicture(page, 'deploy-component-created');
  await review(browser, stack, pullRequest, [
    'hub:openshift-gitops/window-shop,hub:openshift-gitops/window-shop-edge',
  ]);
  // The catalog reads the file again every 15 s.
  await expect(async () => {
    await page.goto(`${stack.url}/catalog/default/component/window-shop/fleet`);
    await expect(page.getByText('window-shop-edge').first()).toBeVisible({
      timeout: 3_000,
    });
  }).toPass({ timeout: 90_000 });
  await takePicture(page, 'deploy-component-tab');
});

test('a repository that keeps Placement and ApplicationSet: the hub applies them, and commits change where and what runs', async ({
  page,
  stack,
  browser,
}) => {
  test.slow();
  await fillIn(page, stack, {
    name: 'kept-shop',
    manifests: 'Plain',
    strategy: 'Rolling',
    label: 'region=us-east-2',
    keptIn: /The repository keeps them/,
  });
  await page.getByRole('button', { name: 'Create' }).click();
  const link = page.getByRole('link', { name: /Fleet tab/i });
  await expect(link).toBeVisible({ timeout: 100_000 });
  await page
    .getByRole('button', { name: /Placement and ApplicationSet/ })
    .click();
  const application = page.locator('pre').first();
  await expect(application).toBeVisible();
  await takePicture(page, 'kept-created');
  const manifest = parse((await application.textContent())!);

  // Nobody has told the hub of the repository.
  await link.click();
  await expect(page.getByText(/It may not exist yet/).first()).toBeVisible();
  await takePicture(page, 'kept-not-applied');
  await expect(page.getByRole('row', { name: /pcluster1/ })).toHaveCount(0);

  await stack.hub.create(manifest);
  const row = (cluster: string) =>
    page.getByRole('row', { name: new RegExp(cluster) });
  for (const text of ['Healthy', 'Synced']) {
    await expect(row('pcluster1')).toContainText(text, { timeout: 60_000 });
  }
  await expect(row('pcluster2')).toHaveCount(0);
  await takePicture(page, 'kept-applied');
  const set = await stack.hub.get('applicationsets', NAMESPACE, 'kept-shop');
  expect(set.metadata.annotations).toMatchObject({
    'argocd.argoproj.io/tracking-id': `retail-kept-shop-fleet:argoproj.io/ApplicationSet:${NAMESPACE}/kept-shop`,
    'argocd-fleet/component-owner': 'group:default/team-retail',
  });

  const pinned = await commit(
    stack,
    'retail/kept-shop',
    'fleet/kept-shop/placement.yaml',
    ['region: us-east-2', 'environment: production'],
  );
  for (const cluster of ['pcluster1', 'pcluster2']) {
    await expect(row(cluster)).toContainText('Healthy', { timeout: 60_000 });
  }
  await takePicture(page, 'kept-changed');

  // A second stage, of the same folder at one commit: one pull request brings all of it.
  await page.goto(
    `${stack.url}/create/templates/default/deploy-an-existing-component`,
  );
  await page.getByLabel(/^Component/).fill('kept');
  await page.getByRole('option', { name: /kept-shop/ }).click();
  await page.getByLabel(/^Name/).fill('edge-stall');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel(/^Revision/).fill(pinned);
  await choose(page, 'Placement and ApplicationSet', /keeps them/);
  await page.getByRole('button', { name: 'Next' }).click();
  await choose(page, 'Cluster sets', /edge-clusters/);
  await choose(page, 'Cluster labels', /environment=staging/);
  await page.getByRole('radio', { name: /Step by step/ }).check();
  await page.getByLabel(/^Label of the clusters/).fill('environment');
  await page.getByLabel(/^Value/).fill('staging');
  await takePicture(page, 'kept-steps');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  const pullRequest = page.getByRole('link', {
    name: /Open the pull request/i,
  });
  await expect(pullRequest).toBeVisible({ timeout: 60_000 });
  await takePicture(page, 'kept-proposed');
  await review(browser, stack, pullRequest, [
    'fleet/edge-stall/placement.yaml',
    'fleet/edge-stall/applicationset.yaml',
    'hub:openshift-gitops/kept-shop,hub:openshift-gitops/edge-stall',
  ]);
  const open = (name: string) =>
    page.goto(`${stack.url}/argocd-fleet/hub/${NAMESPACE}/${name}`);
  const staged = page.getByRole('row', { name: /edge-/ });
  await expect(async () => {
    await open('edge-stall');
    await expect(staged).not.toHaveCount(0, { timeout: 3_000 });
  }).toPass();
  for (const each of await staged.all()) {
    await expect(each).toContainText(pinned.slice(0, 7));
    await expect(each).toContainText('Healthy');
  }

  const released = await commit(
    stack,
    'retail/kept-shop',
    'deploy/workload.yaml',
    ['shop:1.0.0', 'shop:1.1.0'],
  );
  await open('kept-shop');
  for (const cluster of ['pcluster1', 'pcluster2']) {
    await expect(row(cluster)).toContainText(released.slice(0, 7));
    await expect(row(cluster)).toContainText('Healthy');
    await expect(row(cluster)).toContainText('Synced');
  }
  await page.goto(`${stack.url}/create/templates/default/promote-a-revision`);
  await choose(page, 'Promote from', /gitops\/kept-shop/);
  await choose(page, 'Promote to', /gitops\/edge-stall/);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(pullRequest).toBeVisible();
  await takePicture(page, 'kept-promotion');
  await review(browser, stack, pullRequest, [
    `+        targetRevision: ${released}`,
    'Change to shop:1.1.0',
  ]);
  await open('edge-stall');
  await expect(staged).toHaveCount(9);
  for (const each of await staged.all()) {
    await expect(each).toContainText(released.slice(0, 7));
    await expect(each).toContainText('Healthy');
  }
  await takePicture(page, 'kept-promoted');

  await page.goto(`${stack.url}/create/templates/default/change-where-it-runs`);
  await choose(page, 'ApplicationSet', /gitops\/kept-shop/);
  await page
    .getByRole('button', { name: 'environment=production' })
    .locator('svg')
    .click();
  await choose(page, 'Cluster labels', /region=us-east-2/);
  const panel = page.getByRole('status');
  for (const text of [/Leaves 1 cluster pcluster2/, /opens a pull request/]) {
    await expect(panel.filter({ hasText: text })).toBeVisible();
  }
  await page.getByRole('radio', { name: /^Remove it/ }).check();
  await takePicture(page, 'kept-move-form');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(pullRequest).toBeVisible();
  await takePicture(page, 'kept-move');
  await review(browser, stack, pullRequest, [
    '+            region: us-east-2',
    'leaves one cluster: pcluster2. What it runs there is removed',
  ]);
  await open('kept-shop');
  await expect(row('pcluster2')).toHaveCount(0, { timeout: 60_000 });
  await expect(row('pcluster1')).toContainText('Healthy');
});

test('a repository that exists already: the run says so', async ({
  page,
  stack,
}) => {
  test.slow();
  const address = `http://${stack.git!.host}/api/v1/orgs/retail/repos`;
  const created = await fetch(address, {
    method: 'POST',
    headers: {
      Authorization: `basic ${Buffer.from(`fleet:${stack.git!.password}`).toString('base64')}`,
    },
    body: JSON.stringify({ name: 'taken' }),
  });
  expect(created.status).toBe(201);
  await fillIn(page, stack, {
    name: 'taken',
    manifests: 'Plain',
    strategy: 'Canary',
  });
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(
    page.getByText(/The repository retail\/taken exists already/).first(),
  ).toBeVisible({ timeout: 60_000 });
  await takePicture(page, 'git-template-taken');
});

test('a cluster that cannot: the run names it, its finding and the fix', async ({
  page,
  stack,
}) => {
  test.slow();
  await fillIn(page, stack, {
    name: 'refused-shop',
    manifests: 'Plain',
    strategy: 'Rolling',
    label: 'environment=development',
  });
  await page.getByRole('button', { name: 'Create' }).click();
  for (const text of [
    /cluster1/,
    /AFC-204/,
    /Argo CD may not create services, deployments on cluster1/,
    /kubectl delete applicationsets.argoproj.io refused-shop/,
  ]) {
    await expect(page.getByText(text).first()).toBeVisible({
      timeout: 100_000,
    });
  }
  await takePicture(page, 'git-template-refused');
});

test('a canary moves on its clusters, step by step', async ({
  page,
  stack,
}) => {
  test.slow();
  await fillIn(page, stack, {
    name: 'canary-shop',
    manifests: 'Plain',
    strategy: 'Canary',
  });
  await page.getByRole('button', { name: 'Create' }).click();
  const link = page.getByRole('link', { name: /Fleet tab/i });
  await expect(link).toBeVisible({ timeout: 100_000 });
  await link.click();
  await page.getByRole('button', { name: 'pcluster1: show details' }).click();
  const revision = await commit(
    stack,
    'retail/canary-shop',
    'deploy/workload.yaml',
    ['shop:1.0.0', 'shop:1.1.0'],
  );
  await expect(page.getByText(revision).first()).toBeVisible();
  // What the cluster reports of the rollout, of which each pause takes 30 s.
  for (const text of ['weight 20 %', 'weight 60 %', 'all 4 steps done']) {
    await expect(page.getByText(text).first()).toBeVisible();
    await takePicture(page, `canary-${text.replace(/\W/g, '')}`);
  }
});

/** Files of an application with one overlay for staging, and one for production. */
const STAGES = {
  'base/kustomization.yaml': 'resources: [workload.yaml]\n',
  'base/workload.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: till }
spec: { template: { spec: { containers: [{ name: app, image: registry.example.com/till }] } } }
`,
  ...Object.fromEntries(
    ['staging', 'production'].map(stage => [
      `overlays/${stage}/kustomization.yaml`,
      `# Of ${stage} only.
resources: [../../base]
images:
  - name: registry.example.com/till
    newTag: 1.0.0 # checked
`,
    ]),
  ),
};

/** Makes the repository with both overlays, and an ApplicationSet of each, as the signed-in user. */
async function createStages(page: Page, { url, git }: Stack) {
  const api = `http://${git!.host}/api/v1`;
  const headers = {
    Authorization: `basic ${Buffer.from(`fleet:${git!.password}`).toString('base64')}`,
  };
  await page.request.post(`${api}/orgs/retail/repos`, {
    ...{ headers, data: { name: 'till' } },
  });
  const committed = await page.request.post(
    `${api}/repos/retail/till/contents`,
    {
      headers,
      data: {
        branch: 'main',
        message: 'Begin',
        files: Object.entries(STAGES).map(([path, text]) => ({
          ...{ operation: 'create', path },
          content: Buffer.from(text).toString('base64'),
        })),
      },
    },
  );
  expect(committed.status()).toBe(201);
  const session = await page.request.post(`${url}/api/auth/guest/refresh`);
  const { backstageIdentity } = await session.json();
  for (const [stage, clusterSet] of [
    ['staging', 'edge-clusters'],
    ['production', 'aws-clusters'],
  ]) {
    const name = `till-${stage}`;
    const owner = 'group:default/retail';
    for (const [kind, data] of [
      [
        'placements',
        {
          clusterSets: [clusterSet],
          matchLabels: { environment: stage },
          owner,
        },
      ],
      [
        'applicationsets',
        {
          placement: name,
          source: {
            repoURL: `http://${git!.host}/retail/till.git`,
            path: `overlays/${stage}`,
            targetRevision: 'main',
          },
          destinationNamespace: name,
          owner,
        },
      ],
    ] as const) {
      const answer = await page.request.put(
        `${url}/api/argocd-fleet/${kind}/hub/${NAMESPACE}/${name}`,
        {
          headers: { Authorization: `Bearer ${backstageIdentity.token}` },
          data,
        },
      );
      expect([answer.status(), await answer.text()]).toEqual([
        200,
        expect.stringContaining('created'),
      ]);
    }
  }
}

test('a promotion: what staging runs goes to production by a pull request', async ({
  page,
  stack,
  browser,
}) => {
  test.slow();
  await createStages(page, stack);
  const released = await commit(
    stack,
    'retail/till',
    'overlays/staging/kustomization.yaml',
    ['1.0.0', '1.1.0'],
  );
  const open = (name: string) =>
    page.goto(`${stack.url}/argocd-fleet/hub/${NAMESPACE}/${name}`);
  await open('till-staging');
  const staged = page.getByRole('row', { name: /edge-/ });
  await expect(staged).not.toHaveCount(0);
  for (const row of await staged.all()) {
    await expect(row).toContainText(released.slice(0, 7));
    await expect(row).toContainText('Healthy');
    await expect(row).toContainText('Synced');
  }

  await page.goto(`${stack.url}/create/templates/default/promote-a-revision`);
  await choose(page, 'Promote from', /till-staging/);
  await choose(page, 'Promote to', /till-production/);
  await takePicture(page, 'promotion-form');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  const link = page.getByRole('link', { name: /Open the pull request/i });
  await expect(link).toBeVisible();
  await takePicture(page, 'promotion-opened');
  const merged = await review(browser, stack, link, [
    'registry.example.com/till:1.0.0` | `registry.example.com/till:1.1.0',
    'Change to 1.1.0',
    '+    newTag: 1.1.0 # checked',
  ]);

  await open('till-production');
  for (const cluster of ['pcluster1', 'pcluster2']) {
    const row = page.getByRole('row', { name: new RegExp(cluster) });
    await expect(row).toContainText(merged);
    await expect(row).toContainText('Healthy');
  }
  await page.getByRole('button', { name: 'pcluster1: show details' }).click();
  await expect(page.getByText(/till:1\.1\.0/).first()).toBeVisible();
  await takePicture(page, 'promotion-merged');

  // A second time, there is nothing left to promote.
  await page.goto(`${stack.url}/create/templates/default/promote-a-revision`);
  await choose(page, 'Promote from', /till-staging/);
  await choose(page, 'Promote to', /till-production/);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText(/Nothing to promote/).first()).toBeVisible();
});
