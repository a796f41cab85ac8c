import type { Resource } from './src/hub/hubClient';
import { expect, test, type Page, type Stack } from './stack';
import { choose, NAMESPACE, takePicture } from './templateForm';

const CLUSTERS = ['pcluster1', 'pcluster2'];

/** Creates a Placement and an ApplicationSet of it as the signed-in user, and waits until it runs. */
async function createApplication(
  page: Page,
  { url }: Stack,
  name: string,
  placement: string,
) {
  const session = await page.request.post(`${url}/api/auth/guest/refresh`);
  const { backstageIdentity } = await session.json();
  const owner = 'group:default/retail';
  for (const [path, data] of [
    [
      `placements/hub/${NAMESPACE}/${placement}`,
      {
        clusterSets: ['aws-clusters'],
        matchLabels: { environment: 'production' },
        owner,
      },
    ],
    [
      `applicationsets/hub/${NAMESPACE}/${name}`,
      {
        placement,
        source: {
          repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
          path: 'guestbook',
        },
        destinationNamespace: name,
        owner,
      },
    ],
  ] as const) {
    const answer = await page.request.put(`${url}/api/argocd-fleet/${path}`, {
      headers: { Authorization: `Bearer ${backstageIdentity.token}` },
      data,
    });
    expect([answer.status(), await answer.text()]).toEqual([
      200,
      expect.stringMatching(/created|unchanged/),
    ]);
  }
  await page.goto(`${url}/argocd-fleet/hub/${NAMESPACE}/${name}`);
  for (const cluster of CLUSTERS) {
    const row = page.getByRole('row', { name: new RegExp(cluster) });
    await expect(row).toContainText('Healthy', { timeout: 60_000 });
    await expect(row).toContainText('Synced');
  }
}

async function retire(page: Page, { url }: Stack, name: string, what: RegExp) {
  await page.goto(`${url}/create/templates/default/retire-an-application`);
  await choose(page, 'ApplicationSet', new RegExp(name));
  await page.getByRole('radio', { name: what }).check();
  await takePicture(page, `retire-form-${name}`);
  await page.getByRole('button', { name: 'Review' }).click();
  await takePicture(page, `retire-review-${name}`);
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(
    page.getByText(`hub:${NAMESPACE}/${name} is gone from every cluster`),
  ).toBeVisible({ timeout: 100_000 });
  await takePicture(page, `retire-done-${name}`);
}

/** Names of what is on the hub. */
async function onHub({ hub }: Stack, kind: Resource, namespace?: string) {
  const objects = await hub.list(kind, namespace);
  return objects.map(({ metadata }) => metadata.name as string);
}

test('an application is retired: what runs goes, or stays, and so does a Placement that others use', async ({
  page,
  stack,
}) => {
  // Both wait until the application runs, and until it is gone.
  test.slow();
  await createApplication(page, stack, 'retired-shop', 'retired');
  await createApplication(page, stack, 'kept-shop', 'retired');
  await retire(page, stack, 'kept-shop', /remove Argo CD's Application/);
  await expect(
    page.getByText(/Placement openshift-gitops\/retired .* stays/).first(),
  ).toBeVisible();
  expect(await onHub(stack, 'placements', NAMESPACE)).toContain('retired');

  await retire(page, stack, 'retired-shop', /^Remove it/);
  for (const kind of [
    'applicationsets',
    'applications',
    'placements',
  ] as const) {
    const names = await onHub(stack, kind, NAMESPACE);
    expect(names.filter(name => /retired|kept-shop/.test(name))).toEqual([]);
  }
  const works = await onHub(stack, 'manifestworks');
  expect(works.filter(name => /retired|kept-shop/.test(name))).toEqual([]);

  // A second time, there is nothing to retire, which is no error.
  await page.goto(
    `${stack.url}/create/templates/default/retire-an-application`,
  );
  await page
    .getByLabel(/^ApplicationSet/)
    .fill(`hub:${NAMESPACE}/retired-shop`);
  await page.getByRole('radio', { name: /^Remove it/ }).check();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText(/so nothing was deleted/).first()).toBeVisible();
  await takePicture(page, 'retire-absent');
});

test('an application moves: the form says which clusters come and go, and what runs there', async ({
  page,
  stack,
}) => {
  // Nine clusters have to run it.
  test.slow();
  await createApplication(page, stack, 'moving-shop', 'moving');
  await page.goto(`${stack.url}/create/templates/default/change-where-it-runs`);
  await choose(page, 'ApplicationSet', /moving-shop/);
  const changes = page.getByRole('status').filter({ hasText: 'What changes' });
  await expect(changes).toContainText('it stays on the same clusters');
  // What is selected now is there, to be taken away.
  const labels = page.getByLabel(/^Cluster labels/);
  await expect(
    page.getByRole('button', { name: 'environment=production' }),
  ).toBeVisible();
  await labels.press('Backspace');
  await choose(page, 'Cluster labels', /environment=staging/);
  await expect(changes).toContainText('No cluster matches');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText(/it would run nowhere/).last()).toBeVisible();
  await takePicture(page, 'move-nowhere');
  await page.getByLabel(/^Cluster sets/).press('Backspace');
  await choose(page, 'Cluster sets', /edge-clusters/);
  await expect(changes).toContainText(/Comes to 9 clusters edge-/);
  await expect(changes).toContainText('Leaves 2 clusters pcluster1, pcluster2');
  await expect(changes).toContainText(/What runs on each: .*Deployment/);
  await takePicture(page, 'move-form');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(
    page.getByText(/Comes to 9 clusters: .*Leaves 2 clusters: pcluster1/),
  ).toBeVisible();
  await takePicture(page, 'move-review');
  await page.getByRole('button', { name: 'Create' }).click();
  const link = page.getByRole('link', { name: /Open the ApplicationSet/i });
  await expect(link).toBeVisible({ timeout: 100_000 });
  await takePicture(page, 'move-done');
  await link.click();
  await expect(page.getByRole('row', { name: /edge-/ })).toHaveCount(9);
  await expect(page.getByRole('row', { name: /pcluster/ })).toHaveCount(0);
  const set = await stack.hub.get('applicationsets', NAMESPACE, 'moving-shop');
  expect(set.metadata.annotations).not.toHaveProperty('argocd-fleet/release');
});
