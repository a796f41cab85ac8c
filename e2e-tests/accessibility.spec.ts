import { readFileSync } from 'node:fs';
import { IN_LONG_RUN } from '../plugins/argocd-fleet-backend/src/__testUtils__/randomCases';
import { findKeyboardFaults, findUnseenFocus } from './keyboardWalk';
import { OUR_PAGES, THEMES, openOurPage } from './ourPages';
import { expect, test, type Page } from './sharedPortal';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong in our part of the page; all else is the portal's, and may still be loading. */
async function violationsOf(page: Page, ours: string): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async selector => {
    const { axe } = window as unknown as typeof import('axe-core') & {
      axe: typeof import('axe-core');
    };
    const { violations } = await axe.run(selector);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
    );
  }, ours);
}

for (const [name, ourPage] of Object.entries(OUR_PAGES)) {
  test(`axe finds nothing wrong with the ${name}, and the keyboard reaches every control and shows where it is`, async ({
    page,
    portal,
  }) => {
    const { ours } = ourPage;
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await openOurPage(page, portal.url, ourPage);
      // A page behind an open drawer is hidden from assistive technology.
      await expect(page.locator('main')).toHaveCount(1);
      expect(await violationsOf(page, ours)).toEqual([]);
      // What keys reach is the same in both themes, and a walk takes long.
      const faults =
        colorScheme === 'light' || IN_LONG_RUN
          ? await findKeyboardFaults(page, ours)
          : await findUnseenFocus(page, ours);
      expect(faults).toEqual([]);
    }
  });
}

test('the list keeps its filter while a set is looked at', async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}/argocd-fleet?state=inTrouble&sort=name`);
  await page
    .getByRole('link', { name: 'guestbook-allclusters-app-set' })
    .click();
  await page.getByRole('link', { name: /All ApplicationSets/ }).click();
  await expect(page).toHaveURL(/state=inTrouble&sort=name/);
  await page.getByRole('searchbox').fill('no such thing');
  // The page filters when the typing pauses.
  await expect(page.getByText('No ApplicationSet matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(
    page.getByRole('link', { name: 'inventory-edge' }),
  ).toBeVisible();
});
