import { expect, test, type Page } from '@playwright/test';
import { HubClient } from '../src/hub/hubClient';

const PORTAL = variable('ARGOCD_FLEET_PORTAL');
/** The component that docs/installation.md links to the guestbook's ApplicationSet. */
const COMPONENT = `${PORTAL}/catalog/default/component/example-website`;
const APPLICATION_SET = 'guestbook-allclusters-app-set';
const NAMESPACE = 'openshift-gitops';

/** A variable that `npm run test:install` sets. */
function variable(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set: run \`npm run test:install\``);
  }
  return value;
}

/** Opens a page as guest; portals on the new frontend system ask first. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const enter = page.getByRole('button', { name: 'Enter' });
  const signedIn = page.getByRole('link', { name: 'Settings' }).first();
  await expect(enter.or(signedIn).first()).toBeVisible();
  if (await enter.isVisible()) {
    await enter.click();
  }
}

test('the Fleet tab shows the clusters of the linked ApplicationSet', async ({
  page,
}) => {
  await open(page, `${COMPONENT}/fleet`);
  await expect(page.getByRole('row', { name: /pcluster2/ })).toContainText(
    'Healthy',
  );
  const seconds = Math.round(
    (Date.now() - Number(variable('ARGOCD_FLEET_PORTAL_SINCE'))) / 1000,
  );
  test.info().annotations.push({
    type: 'note',
    description: `${variable('ARGOCD_FLEET_PORTAL_NAME')}: ${seconds} s from the first command to the Fleet tab`,
  });
});

test('the drawer shows what is wrong on a cluster', async ({ page }) => {
  await open(page, `${COMPONENT}/fleet`);
  await page.getByRole('row', { name: /\bcluster1/ }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('argo-admin');
  await expect(drawer).toContainText('guestbook-ui');
});

test('the overview has the card, which leads to the tab', async ({ page }) => {
  await open(page, COMPONENT);
  await expect(page.getByText('1 OutOfSync')).toBeVisible();
  await page.getByRole('link', { name: /Open Fleet/ }).click();
  await expect(page).toHaveURL(/\/example-website\/fleet/);
  await expect(page.getByRole('row', { name: /pcluster2/ })).toBeVisible();
});

test('the navigation leads to the page of all ApplicationSets', async ({
  page,
}) => {
  await open(page, PORTAL);
  await page.getByRole('link', { name: 'Fleet', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Fleet' })).toBeVisible();
  for (const name of [APPLICATION_SET, 'inventory-edge', 'payments-push']) {
    await expect(page.getByRole('link', { name })).toBeVisible();
  }
});

test('the catalog has clusters and ApplicationSets, with a Fleet tab', async ({
  page,
}) => {
  const resource = `${PORTAL}/catalog/default/resource`;
  await open(page, `${resource}/hub.pcluster1`);
  await expect(page.getByText('Managed cluster of the hub hub')).toBeVisible();
  await expect(page.getByText('guests').first()).toBeVisible();
  await page.goto(`${resource}/hub.${NAMESPACE}.${APPLICATION_SET}/fleet`);
  await expect(page.getByRole('row', { name: /pcluster2/ })).toBeVisible();
});

test('the template creates an application that its clusters sync', async ({
  page,
}) => {
  const name = `shop-${Date.now().toString(36)}`;
  await open(page, `${PORTAL}/create/templates/default/try-on-the-hub`);
  await page.getByLabel(/^Name/).fill(name);
  await page.getByLabel(/^Owner/).fill('guests');
  await page.getByRole('option', { name: /guests/ }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel(/^Revision/).fill('main');
  await page.getByRole('button', { name: 'Next' }).click();
  for (const [field, option] of [
    ['Cluster sets', /aws-clusters/],
    ['Cluster labels', /environment=production/],
  ] as const) {
    await page.getByLabel(new RegExp(`^${field}`)).click();
    await page.getByRole('option', { name: option }).click();
  }
  await expect(
    page.getByRole('status').filter({ hasText: 'Selected now' }),
  ).toContainText('pcluster1, pcluster2');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  const link = page.getByRole('link', { name: /Fleet tab/i });
  await expect(link).toBeVisible({ timeout: 100_000 });

  const hub = await HubClient.connectWithFile(
    variable('ARGOCD_FLEET_KUBECONFIG'),
  );
  const applicationSet = await hub.get('applicationsets', NAMESPACE, name);
  expect(applicationSet.metadata.labels).toMatchObject({
    'app.kubernetes.io/managed-by': 'argocd-fleet',
  });
  await link.click();
  for (const cluster of ['pcluster1', 'pcluster2']) {
    const row = page.getByRole('row', { name: new RegExp(cluster) });
    await expect(row).toContainText('Healthy');
    await expect(row).toContainText('Synced');
  }
});
