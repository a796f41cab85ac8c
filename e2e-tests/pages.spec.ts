import { join } from 'node:path';
import { expect, startStack, test, type Page } from './stack';

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
      await expect(page.getByText('40', { exact: true }).first()).toBeVisible();
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

for (const theme of ['light', 'dark']) {
  for (const [name, { path, ready }] of Object.entries(PAGES)) {
    test(`${name}, ${theme}`, async ({ page, stack }, testInfo) => {
      const pageErrors: string[] = [];
      page.on('pageerror', error => pageErrors.push(error.message));
      await page.addInitScript(
        value => localStorage.setItem('theme', value),
        theme,
      );
      await page.goto(`${stack.url}${path}`);
      await ready(page);
      await page.screenshot({
        path: join(
          process.env.ARGOCD_FLEET_IMAGES ?? testInfo.outputDir,
          `${name}-${theme}.png`,
        ),
        animations: 'disabled',
      });
      expect(pageErrors).toEqual([]);
    });
  }
}

test('the Fleet tab of a component without annotation names the annotation', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}${component('store-locator')}/fleet`);
  await expect(page.getByRole('main')).toContainText(
    'argocd-fleet/applicationset',
  );
});

test('the page of a missing component says that it was not found', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}${component('nobody')}/fleet`);
  await expect(page.getByText(/not found/i).first()).toBeVisible();
});

test('the Fleet tab names an ApplicationSet that was deleted', async ({
  page,
  stack,
}) => {
  const name = 'payments-push';
  const { apiVersion, kind, metadata, spec } = await stack.hub.get(
    'applicationsets',
    'openshift-gitops',
    name,
  );
  await page.goto(`${stack.url}${component('payments')}/fleet`);
  await expect(page.getByRole('row', { name: /pcluster1/ })).toBeVisible();
  await stack.hub.delete('applicationsets', 'openshift-gitops', name);
  try {
    await expect(page.getByRole('row', { name: /pcluster1/ })).toBeHidden();
    await expect(page.getByRole('main')).toContainText(
      `openshift-gitops/${name}`,
    );
  } finally {
    await expect
      .poll(async () =>
        (await stack.hub.list('applicationsets')).map(it => it.metadata.name),
      )
      .not.toContain(name);
    await stack.hub.create({
      apiVersion,
      kind,
      metadata: { name, namespace: metadata.namespace },
      spec,
    });
  }
});

test('an unreachable hub is reported, and the last known state stays visible', async ({
  page,
}) => {
  const ownStack = await startStack();
  try {
    await page.goto(`${ownStack.url}${component('guestbook')}/fleet`);
    await expect(page.getByRole('row', { name: /pcluster1/ })).toContainText(
      'Healthy',
      { timeout: 60_000 },
    );
    await ownStack.stopHub();
    await expect(page.getByRole('main')).toContainText(/cannot be reached/i);
    await expect(page.getByRole('row', { name: /pcluster1/ })).toContainText(
      'Healthy',
    );
    await page.goto(`${ownStack.url}/argocd-fleet`);
    await expect(page.getByText(/cannot be reached/i).first()).toBeVisible();
  } finally {
    await ownStack.stop();
  }
});
