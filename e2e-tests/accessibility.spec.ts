import { readFileSync } from 'node:fs';
import { expect, test, type Page } from './stack';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const TAB = '/catalog/default/component/guestbook/fleet';
const SET = '/argocd-fleet/hub/openshift-gitops/guestbook-allclusters-app-set';

/** Our pages, with the text that each shows when it is complete. */
const PAGES: Record<string, [path: string, text: string]> = {
  card: ['/catalog/default/component/guestbook', 'Open Fleet'],
  tab: [TAB, 'pcluster2'],
  drawer: [
    `${TAB}?row=pcluster1%2Fopenshift-gitops%2Fpcluster1-guestbook-app`,
    'Selected by placement',
  ],
  list: ['/argocd-fleet', 'inventory-edge'],
  set: [SET, 'pcluster2'],
  findings: ['/argocd-fleet/findings', 'AFC-204'],
  finding: ['/argocd-fleet/findings/AFC-204', 'What to do'],
  'unknown address': ['/argocd-fleet/nonsense', 'There is no such page'],
  'component without a link': [
    '/catalog/default/component/store-locator/fleet',
    'argocd-fleet/applicationset',
  ],
};

/** What axe finds wrong in our part of the page; the header and the sidebar are the portal's. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as typeof import('axe-core') & {
      axe: typeof import('axe-core');
    };
    const ours = document.querySelector('[role=dialog]')
      ? '[role=dialog]'
      : 'main';
    const { violations } = await axe.run(ours);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
    );
  });
}

for (const theme of ['light', 'dark']) {
  for (const [name, [path, text]] of Object.entries(PAGES)) {
    test(`axe finds nothing wrong with the ${name}, ${theme}`, async ({
      page,
      stack,
    }) => {
      await page.addInitScript(
        value => localStorage.setItem('theme', value),
        theme,
      );
      await page.goto(`${stack.url}${path}`);
      await expect(page.getByText(text).first()).toBeVisible();
      // A page behind an open drawer is hidden from assistive technology.
      await expect(page.locator('main')).toHaveCount(1);
      expect(await violationsOf(page)).toEqual([]);
    });
  }
}

test('the keyboard reaches everything: one tab stop for the table, and Back closes the drawer', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}${TAB}`);
  const table = page.getByRole('grid');
  await expect(table.getByRole('row', { name: /pcluster2/ })).toBeVisible();
  await page.getByRole('searchbox').focus();
  const stops = await page.evaluate(
    () =>
      [...document.querySelectorAll('[role=grid] *')].filter(
        element => (element as HTMLElement).tabIndex >= 0,
      ).length,
  );
  expect(stops).toBe(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  const last = table.getByRole('row').last();
  await expect(last.locator(':focus')).toBeVisible();
  const outline = await last
    .locator(':focus')
    .evaluate(element => getComputedStyle(element).outlineStyle);
  expect(outline).not.toBe('none');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(page.url()).toBe(`${stack.url}${TAB}`);
});

test('the list keeps its filter while a set is looked at', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}/argocd-fleet?state=inTrouble&sort=name`);
  await page
    .getByRole('link', { name: 'guestbook-allclusters-app-set' })
    .click();
  await page.getByRole('link', { name: /All ApplicationSets/ }).click();
  await expect(page).toHaveURL(/state=inTrouble&sort=name/);
  await page.getByRole('searchbox').fill('no such thing');
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(
    page.getByRole('link', { name: 'inventory-edge' }),
  ).toBeVisible();
});
