import { join } from 'node:path';
import { expect, test } from './stack';

const NAMESPACE = 'openshift-gitops';

test('the template creates a component whose Fleet tab shows healthy clusters', async ({
  page,
  stack,
}) => {
  await page.goto(
    `${stack.url}/create/templates/default/new-pull-model-application`,
  );
  await page.getByLabel(/^Name/).fill('storefront');
  await page.getByLabel(/^Description/).fill('What customers see first');
  await page.getByLabel(/^Owner/).fill('Retail');
  await page.getByRole('option', { name: /Team Retail/ }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel(/^Revision/).fill('main');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText('environment=production')).toBeVisible();
  await expect(page.getByText(/key:/)).toHaveCount(0);
  if (process.env.ARGOCD_FLEET_IMAGES) {
    await page.screenshot({
      path: join(process.env.ARGOCD_FLEET_IMAGES, 'template-review.png'),
    });
  }
  await page.getByRole('button', { name: 'Create' }).click();

  const link = page.getByRole('link', { name: /Fleet tab/i });
  await expect(link).toBeVisible({ timeout: 100_000 });
  await link.click();

  for (const cluster of ['pcluster1', 'pcluster2']) {
    const row = page.getByRole('row', { name: new RegExp(cluster) });
    await expect(row).toContainText('Healthy');
    await expect(row).toContainText('Synced');
  }
  const applicationSet = await stack.hub.get(
    'applicationsets',
    NAMESPACE,
    'storefront',
  );
  expect(applicationSet.metadata.labels).toMatchObject({
    'app.kubernetes.io/managed-by': 'argocd-fleet',
  });
});
