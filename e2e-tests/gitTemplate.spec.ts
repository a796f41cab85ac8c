import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, type Page, type Stack } from './stack';
import { choose, NAMESPACE, takePicture } from './templateForm';

const run = promisify(execFile);

/** Fills in the form of the template "New pull-model application" up to its review. */
async function fillIn(
  page: Page,
  { url, git }: Stack,
  values: { name: string; manifests: string; strategy: string },
) {
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
  await takePicture(page, 'git-template-repository');
  await page.getByRole('button', { name: 'Next' }).click();
  await choose(page, 'Cluster sets', /aws-clusters/);
  await choose(page, 'Cluster labels', /environment=production/);
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(
    page.getByText('2 clusters: pcluster1, pcluster2'),
  ).toBeVisible();
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

test('from the form to a repository to green clusters, and a commit changes them', async ({
  page,
  stack,
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
    'base/workload.yaml',
    ['shop:1.0.0', 'shop:1.1.0'],
  );
  for (const row of rows) {
    await expect(row).toContainText(revision.slice(0, 7), { timeout: 60_000 });
    await expect(row).toContainText('Healthy', { timeout: 60_000 });
  }
  await takePicture(page, 'git-template-second-commit');
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
