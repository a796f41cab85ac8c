import { expect, test, type Page } from '@playwright/test';
import { IN_LONG_RUN } from '../plugins/argocd-fleet-backend/src/__testUtils__/randomCases';
import { findKeyboardFaults, findUnseenFocus } from './keyboardWalk';
import { openPages, startLargeFleet, type LargeFleet } from './largeFleet';
import { THEMES } from './ourPages';
import { START_TIMEOUT } from './stack';

/** Milliseconds until a stream that is silent counts as lost (`client.ts` of argocd-fleet-common). */
const SILENT_STREAM = 40_000;
/** Milliseconds within which the backend sends at least a comment. */
const COMMENT = 15_000;
/** Milliseconds until the page asks again, and until an answer is overdue (`liveQuery.ts` of argocd-fleet). */
const POLL = 5_000;
const ANSWER = 30_000;

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

/** Waits until there are rows down to the end of the table: they are made where it is scrolled to. */
async function untilFilled(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.getByRole('grid').evaluate(table => {
        const box = table.parentElement!.getBoundingClientRect();
        return [...table.querySelectorAll('tr[data-index]')].some(
          row => row.getBoundingClientRect().bottom >= box.bottom,
        );
      }),
    )
    .toBe(true);
}

test.describe('a page that stays open', () => {
  let fleet: LargeFleet;
  test.beforeAll(async () => {
    test.setTimeout(START_TIMEOUT);
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
    await untilFilled(tab);
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

  function testKeyboard(component: string, set: string) {
    test(`is operated by keyboard with the sets of ${component} and rows that moved`, async ({
      page,
    }) => {
      const ours =
        'main section, main [role=tablist], main nav[aria-label^="ApplicationSets"]';
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.goto(
          `${fleet.url}/catalog/default/component/${component}/fleet`,
        );
        const row = page.getByRole('row', { name: /edge-105/ });
        await expect(row).toContainText('Healthy');
        await fleet.report(set, ['edge-104'], OUT_OF_SYNC);
        await fleet.report(set, ['edge-105'], DEGRADED);
        try {
          await expect(page.getByText(/^2 rows moved/)).toBeVisible();
          // As on the other pages (`accessibility.spec.ts`).
          const faults =
            colorScheme === 'light' || IN_LONG_RUN
              ? await findKeyboardFaults(page, ours)
              : await findUnseenFocus(page, ours);
          expect(faults).toEqual([]);
        } finally {
          await fleet.report(set, ['edge-104', 'edge-105'], HEALTHY);
        }
      }
    });
  }
  testKeyboard('cart', 'cart');
  testKeyboard('shop', 'shop-1');

  test('says that the portal hangs, and that it is live again', async ({
    page,
  }) => {
    // The pages' own clock; that of the portal goes on.
    const { clock } = page;
    await clock.install();
    const pages = Object.values(await openPages(fleet, page, 'web', /150/));
    const live = (one: Page) => one.getByText('live', { exact: true });
    await clock.pauseAt(Date.now() + 1_000);
    fleet.backend.pause();
    try {
      await clock.runFor(SILENT_STREAM - COMMENT - 5_000);
      for (const one of pages) {
        await expect(live(one)).toBeVisible();
      }
      await clock.runFor(COMMENT + 5_000);
      for (const one of pages) {
        await expect(one.getByText(/^not live: /)).toBeVisible();
      }
      await clock.runFor(POLL + ANSWER);
      for (const one of pages) {
        await expect(one.getByText(/^not live: reconnecting/)).toBeVisible();
      }
      // The last known state stays.
      await expect(
        pages[1].getByRole('row', { name: /edge-100/ }),
      ).toContainText('Healthy');
    } finally {
      fleet.backend.resume();
    }
    await clock.resume();
    for (const one of pages) {
      await expect(live(one)).toBeVisible();
    }
  });
});
