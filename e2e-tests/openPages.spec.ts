import { expect, test, type Page } from '@playwright/test';
import { findKeyboardFaults } from './keyboardWalk';
import { openPages, startLargeFleet, type LargeFleet } from './largeFleet';

/** Milliseconds until a stream that is silent counts as lost (`client.ts` of argocd-fleet-common). */
const SILENT_STREAM = 40_000;
/** Milliseconds until the page asks again, and until an answer is overdue (`liveQuery.ts` of argocd-fleet). */
const POLL = 5_000;
const ANSWER = 30_000;
/** Until every page says so. */
const SEEN_WITHIN = 3_000;

const HEALTHY = {
  health: { status: 'Healthy' },
  sync: { status: 'Synced', revision: 'a'.repeat(40) },
};
const DEGRADED = {
  health: { status: 'Degraded', message: 'exceeded its progress deadline' },
};

const OUT_OF_SYNC = {
  sync: { status: 'OutOfSync', revision: 'b'.repeat(40) },
};

const clusters = (count: number) =>
  Array.from({ length: count }, (_, index) => `edge-${100 + index}`);

/** The rows that the reader sees in the table: where each is, and which has the focus. */
function readTable(page: Page) {
  return page.getByRole('grid').evaluate(table => {
    const box = table.parentElement!;
    const { top, bottom } = box.getBoundingClientRect();
    const focused = document.activeElement?.closest('tr');
    return [...table.querySelectorAll('tr[data-index]')]
      .map(row => ({ row, place: row.getBoundingClientRect() }))
      .filter(({ place }) => place.top >= top && place.bottom <= bottom)
      .map(({ row, place }) => ({
        name: row.querySelector('button')?.textContent,
        below: Math.round(place.top - top),
        focused: row === focused,
      }));
  });
}

test.describe('a page that stays open', () => {
  let fleet: LargeFleet;
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    fleet = await startLargeFleet();
    for (const [name, component, count] of [
      ['web', 'web', 150],
      ['cart', 'cart', 6],
      ['cart-jobs', 'cart', 3],
      ['shop-1', 'shop', 6],
      ['shop-2', 'shop', 1],
      ['shop-3', 'shop', 1],
      ['shop-4', 'shop', 1],
    ] as const) {
      await fleet.createSet({
        name,
        component,
        clusters: clusters(count),
        status: HEALTHY,
      });
    }
    for (const component of ['web', 'cart', 'shop']) {
      await fleet.untilInCatalog(component);
    }
  });
  test.afterAll(() => fleet.stop());

  test('keeps its rows where they are, and offers to sort again', async ({
    page,
  }) => {
    const { tab, list } = await openPages(fleet, page, 'web', /150/);
    const table = tab.getByRole('grid');
    await table.locator('[tabindex="0"]').focus();
    await tab.keyboard.press('PageDown');
    await tab.keyboard.press('PageDown');
    await tab.keyboard.press('PageDown');
    const before = await readTable(tab);
    expect(before.map(({ focused }) => focused)).toContain(true);
    expect(before.map(({ name }) => name)).not.toContain('edge-100');

    const last = clusters(150).slice(-3);
    await fleet.report('web', last, DEGRADED);
    await expect(
      tab.getByRole('button', { name: /^3 in trouble/ }),
    ).toBeVisible();
    await expect(tab.getByText(/^3 rows moved/)).toBeVisible();
    expect(await readTable(tab)).toEqual(before);

    // The list has its own order: the set in trouble would be the first.
    await expect(list.getByText(/^1 row moved/)).toBeVisible();
    const sets = list.locator('tr[data-index]');
    await expect(sets.last()).toContainText('web');
    await list.getByRole('button', { name: 'Sort again' }).click();
    await expect(sets.first()).toContainText('web');
    await expect(list.getByText(/moved/)).toBeHidden();

    await tab.getByRole('button', { name: 'Sort again' }).click();
    await expect(tab.getByText(/moved/)).toBeHidden();
    await table.locator('[tabindex="0"]').press('Home');
    await expect
      .poll(async () =>
        (await readTable(tab)).slice(0, 3).map(({ name }) => name),
      )
      .toEqual(last);
    await fleet.report('web', last, HEALTHY);
  });

  function testKeyboard(component: string, set: string, theme: string) {
    test(`is operated by keyboard with the sets of ${component} and rows that moved, ${theme}`, async ({
      page,
    }) => {
      await page.addInitScript(
        value => localStorage.setItem('theme', value),
        theme,
      );
      await page.goto(
        `${fleet.url}/catalog/default/component/${component}/fleet`,
      );
      await expect(page.getByRole('row', { name: /edge-105/ })).toBeVisible();
      await fleet.report(set, ['edge-104'], OUT_OF_SYNC);
      await fleet.report(set, ['edge-105'], DEGRADED);
      try {
        await expect(page.getByText(/^2 rows moved/)).toBeVisible();
        expect(
          await findKeyboardFaults(
            page,
            'main section, main [role=tablist], main nav[aria-label^="ApplicationSets"]',
          ),
        ).toEqual([]);
      } finally {
        await fleet.report(set, ['edge-104', 'edge-105'], HEALTHY);
      }
    });
  }
  for (const theme of ['light', 'dark']) {
    testKeyboard('cart', 'cart', theme);
    testKeyboard('shop', 'shop-1', theme);
  }

  test('says that the portal hangs, and that it is live again', async ({
    page,
  }) => {
    test.setTimeout(SILENT_STREAM + POLL + ANSWER + 120_000);
    const pages = Object.values(await openPages(fleet, page, 'web', /150/));
    const live = (one: Page) => one.getByText('live', { exact: true });
    for (const one of pages) {
      await expect(live(one)).toBeVisible();
    }
    fleet.backend.pause();
    const pausedAt = Date.now();
    try {
      await Promise.all(
        pages.map(one =>
          expect(one.getByText(/^not live: /)).toBeVisible({
            timeout: SILENT_STREAM + SEEN_WITHIN,
          }),
        ),
      );
      process.stdout.write(
        `    from SIGSTOP to every page: ${Date.now() - pausedAt} ms\n`,
      );
      await Promise.all(
        pages.map(one =>
          expect(one.getByText(/^not live: reconnecting/)).toBeVisible({
            timeout: POLL + ANSWER + SEEN_WITHIN,
          }),
        ),
      );
      process.stdout.write(
        `    to the overdue answer on every page: ${Date.now() - pausedAt} ms\n`,
      );
      // The last known state stays.
      await expect(
        pages[1].getByRole('row', { name: /edge-100/ }),
      ).toContainText('Healthy');
    } finally {
      fleet.backend.resume();
    }
    for (const one of pages) {
      await expect(live(one)).toBeVisible();
    }
  });
});
