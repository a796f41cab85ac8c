import { OUR_PAGES } from './ourPages';
import { expect, test, type Page } from './sharedPortal';

const { tab, list } = OUR_PAGES;

function countTabStops(page: Page): Promise<number> {
  return page
    .locator('[role=grid] *')
    .evaluateAll(
      elements =>
        elements.filter(element => (element as HTMLElement).tabIndex >= 0)
          .length,
    );
}

/** The row that has the focus within it. */
const focusedRow = (page: Page) =>
  page.getByRole('row').filter({ has: page.locator(':focus') });

for (const { path, text } of [tab, list]) {
  test(`the table of ${path} is one stop of the Tab key`, async ({
    page,
    portal,
  }) => {
    await page.goto(`${portal.url}${path}`);
    await expect(page.getByText(text).first()).toBeVisible();
    // All that the portal starts with: a row that comes in between would move those below it.
    await expect
      .poll(() => page.locator('tr[data-index]').count())
      .toBeGreaterThanOrEqual(3);
    expect(await countTabStops(page)).toBe(1);
    await page.locator('[role=grid] [tabindex="0"]').focus();
    for (const [key, row] of [
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['End', 'last'],
      ['Home', 0],
      ['PageDown', undefined],
      ['PageUp', 0],
    ] as const) {
      await page.keyboard.press(key);
      if (row === 'last') {
        // Not a number that was read before: ApplicationSets of other tests come and go.
        await expect(
          page.locator('tr[data-index]').last().locator(':focus'),
        ).toBeVisible();
      } else {
        await expect(focusedRow(page)).toHaveAttribute(
          'data-index',
          // A page depends on the window.
          row === undefined ? /[1-9]/ : `${row}`,
        );
      }
      expect(await countTabStops(page)).toBe(1);
    }
    await page.keyboard.press('ArrowUp');
    await expect(
      page.getByRole('columnheader').first().locator(':focus'),
    ).toBeVisible();
  });
}

test('Enter opens a row, and the focus returns to it', async ({
  page,
  portal,
}) => {
  const address = `${portal.url}${tab.path}`;
  await page.goto(address);
  await page
    .getByRole('row', { name: /pcluster2/ })
    .getByRole('button')
    .focus();
  const dialog = page.getByRole('dialog');
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => dialog.getByRole('button', { name: 'Close' }).press('Enter'),
  ]) {
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await expect(focusedRow(page)).toHaveCount(0);
    await close();
    await expect(dialog).toBeHidden();
    await expect(focusedRow(page)).toContainText('pcluster2');
    expect(page.url()).toBe(address);
  }
  await page.goto(`${portal.url}${list.path}`);
  await page.getByRole('link', { name: 'inventory-edge' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/hub\/openshift-gitops\/inventory-edge/);
});
