import { readFileSync } from 'node:fs';
import { OUR_PAGES } from './ourPages';
import { expect, test, type Page } from './stack';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

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
  for (const [name, { path, text }] of Object.entries(OUR_PAGES)) {
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
