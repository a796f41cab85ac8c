import { join } from 'node:path';
import { THEMES } from './ourPages';
import { expect, test, type Page } from './sharedPortal';

const component = (name: string) => `/catalog/default/component/${name}`;

/** Pages of the documentation's screenshots; `ready` waits for the content that must be visible. */
const PAGES: Record<
  string,
  { path: string; ready: (page: Page) => Promise<void> }
> = {
  card: {
    path: component('guestbook'),
    ready: async page => {
      await expect(page.getByText('1 OutOfSync')).toBeVisible();
    },
  },
  'fleet-tab': {
    path: `${component('guestbook')}/fleet`,
    ready: async page => {
      await expect(page.getByRole('row', { name: /pcluster2/ })).toContainText(
        'Healthy',
      );
      await expect(page.getByRole('row', { name: /\bcluster1/ })).toContainText(
        'Argo CD may not create',
      );
    },
  },
  drawer: {
    path: `${component('guestbook')}/fleet`,
    ready: async page => {
      await expect(page.getByRole('row', { name: /pcluster2/ })).toContainText(
        'Healthy',
      );
      await page.getByRole('row', { name: /\bcluster1/ }).click();
      const drawer = page.getByRole('dialog');
      await expect(drawer).toContainText('argo-admin');
      await expect(drawer).toContainText('guestbook-ui');
    },
  },
  'drawer-history': {
    path: `${component('guestbook')}/fleet`,
    ready: async page => {
      await page.getByRole('row', { name: /\bcluster1/ }).click();
      const drawer = page.getByRole('dialog');
      await expect(drawer).toContainText(/· retried \d+ time/);
      await drawer
        .getByRole('heading', { name: 'Conditions' })
        .evaluate(heading => heading.scrollIntoView());
    },
  },
  'many-clusters': {
    path: `${component('inventory')}/fleet`,
    ready: async page => {
      await expect(page.getByText(/^40 applications/).first()).toBeVisible();
      await expect(
        page.getByText('An image cannot be pulled').first(),
      ).toBeVisible();
    },
  },
  list: {
    path: '/argocd-fleet',
    ready: async page => {
      for (const name of [
        'guestbook-allclusters-app-set',
        'inventory-edge',
        'payments-push',
      ]) {
        await expect(page.getByRole('link', { name })).toBeVisible();
      }
    },
  },
  template: {
    path: '/create/templates/default/new-pull-model-application',
    ready: async page => {
      await expect(page.getByLabel(/^Owner/)).toBeVisible();
    },
  },
};

for (const [name, { path, ready }] of Object.entries(PAGES)) {
  test(`${name}, in both themes`, async ({ page, portal }, testInfo) => {
    const pageErrors: string[] = [];
    page.on('pageerror', error => pageErrors.push(error.message));
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${portal.url}${path}`);
      await ready(page);
      await page.screenshot({
        path: join(
          process.env.ARGOCD_FLEET_IMAGES ?? testInfo.outputDir,
          `${name}-${colorScheme}.png`,
        ),
        animations: 'disabled',
      });
    }
    expect(pageErrors).toEqual([]);
  });
}

test('the Fleet tab of a component without annotation names the annotation', async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}${component('store-locator')}/fleet`);
  await expect(page.getByRole('main')).toContainText(
    'argocd-fleet/applicationset',
  );
});

test('the page of a missing component says that it was not found', async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}${component('nobody')}/fleet`);
  await expect(page.getByText(/not found/i).first()).toBeVisible();
});
