import { join } from 'node:path';
import { expect, type Page } from './stack';

export const NAMESPACE = 'openshift-gitops';

/** Chooses a suggestion of a field. */
export async function choose(page: Page, field: string, option: RegExp) {
  await page.getByLabel(new RegExp(`^${field}`)).click();
  await page.getByRole('option', { name: option }).click();
}

export async function takePicture(page: Page, name: string) {
  const folder = process.env.ARGOCD_FLEET_IMAGES;
  if (folder) {
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
}

/**
 * Fills in the form of the template "Try on the hub" up to its review. The labels first select no cluster.
 */
export async function fillIn(
  page: Page,
  url: string,
  theme: string,
): Promise<void> {
  await page.addInitScript(
    value => localStorage.setItem('theme', value),
    theme,
  );
  await page.goto(`${url}/create/templates/default/try-on-the-hub`);
  await page.getByLabel(/^Name/).fill('storefront');
  await page.getByLabel(/^Description/).fill('What customers see first');
  await page.getByLabel(/^Owner/).fill('Retail');
  await page.getByRole('option', { name: /Team Retail/ }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel(/^Revision/).fill('main');
  const repository = page.getByLabel(/^Repository/);
  const allowed = await repository.inputValue();
  await repository.fill('https://github.com/elsewhere/apps.git');
  await page.getByRole('button', { name: 'Next' }).click();

  // The only hub and its only namespace are chosen already.
  await expect(page.getByLabel(/^Hub/)).toHaveValue('hub');
  await expect(page.getByLabel(/^Namespace on the hub/)).toHaveValue(NAMESPACE);
  const selected = page.getByRole('status').filter({ hasText: 'Selected now' });
  await expect(selected).toContainText('None. Choose');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText(/^No clusters are chosen/)).toBeVisible();
  await choose(page, 'Cluster sets', /aws-clusters/);
  await choose(page, 'Cluster labels', /site=store/);
  await expect(selected).toContainText('No cluster matches');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText(/^No cluster of aws-clusters/)).toBeVisible();
  await takePicture(page, `template-no-cluster-${theme}`);
  await page.getByLabel(/^Cluster labels/).press('Backspace');
  await choose(page, 'Cluster labels', /environment=production/);
  await expect(selected).toContainText('2 clusters pcluster1, pcluster2');
  await page.getByLabel(/^Cluster sets/).click();
  await takePicture(page, `template-clusters-${theme}`);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(
    // The form says it above the fields as well.
    page.getByText(/may not come from the repository .*elsewhere/).last(),
  ).toBeVisible();
  await takePicture(page, `template-refused-${theme}`);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel(/^Repository/).fill(allowed);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(
    page.getByText('2 clusters: pcluster1, pcluster2'),
  ).toBeVisible();
  await expect(page.getByText('environment=production')).toBeVisible();
  await expect(page.getByText(/key:/)).toHaveCount(0);
  await takePicture(page, `template-review-${theme}`);
}

/** Creates what the form describes, and waits on the Fleet tab of the new component until its clusters are healthy. */
export async function createAndWait(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create' }).click();
  const link = page.getByRole('link', { name: /Fleet tab/i });
  await expect(link).toBeVisible({ timeout: 100_000 });
  await link.click();
  for (const cluster of ['pcluster1', 'pcluster2']) {
    const row = page.getByRole('row', { name: new RegExp(cluster) });
    await expect(row).toContainText('Healthy');
    await expect(row).toContainText('Synced');
  }
}
