import { join } from 'node:path';
import { expect, startStack, test, type Page } from './stack';

const component = (name: string) => `/catalog/default/component/${name}`;

/** Every page in a state worth publishing: what must be on it before the picture is taken. */
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
        'is forbidden',
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
        page.getByText(/ImagePullBackOff|Back-off/).first(),
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
      const broken: string[] = [];
      page.on('pageerror', error => broken.push(error.message));
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
      expect(broken).toEqual([]);
    });
  }
}

test('a component without annotation is told how to link it', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}${component('store-locator')}/fleet`);
  await expect(page.getByRole('main')).toContainText(
    'argocd-fleet/applicationset',
  );
});

test('a component that does not exist is said not to exist', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}${component('nobody')}/fleet`);
  await expect(page.getByText(/not found/i).first()).toBeVisible();
});

test('an ApplicationSet that is gone is named, with its hub', async ({
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
    await stack.hub.create('applicationsets', {
      apiVersion,
      kind,
      metadata: { name, namespace: metadata.namespace },
      spec,
    });
  }
});

test('a hub that is down is said to be down, and what was known stays', async ({
  page,
}) => {
  const own = await startStack();
  try {
    await page.goto(`${own.url}${component('guestbook')}/fleet`);
    await expect(page.getByRole('row', { name: /pcluster1/ })).toContainText(
      'Healthy',
      { timeout: 60_000 },
    );
    await own.stopHub();
    await expect(page.getByRole('main')).toContainText(/cannot be reached/i);
    await expect(page.getByRole('row', { name: /pcluster1/ })).toContainText(
      'Healthy',
    );
    await page.goto(`${own.url}/argocd-fleet`);
    await expect(page.getByText(/cannot be reached/i).first()).toBeVisible();
  } finally {
    await own.stop();
  }
});
