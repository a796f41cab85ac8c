import { expect, test } from '@playwright/test';
import { openPages, startLargeFleet, type LargeFleet } from './largeFleet';

/** Milliseconds until a hub that hangs is reported; docs/pull-model.md gives the reason. */
const OVERDUE_WITHIN = 90_000;
/** Until every page says so. */
const SEEN_WITHIN = 3_000;

const HEALTHY = {
  health: { status: 'Healthy' },
  sync: { status: 'Synced', revision: 'a'.repeat(40) },
};

test.describe('the pages say what is known of a hub', () => {
  let fleet: LargeFleet;
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    fleet = await startLargeFleet();
    await fleet.createSet({
      name: 'web',
      component: 'web',
      clusters: ['edge-1', 'edge-2'],
      status: HEALTHY,
    });
    await fleet.untilInCatalog('web');
  });
  test.afterAll(() => fleet.stop());

  test('that hangs, and goes on', async ({ page }) => {
    test.setTimeout(OVERDUE_WITHIN + 120_000);
    const pages = await openPages(fleet, page, 'web', /web/);
    for (const one of Object.values(pages)) {
      await expect(one.getByText('live', { exact: true })).toBeVisible();
    }
    const unreachable = /Hub “hub” cannot be reached/;
    fleet.hub.pause();
    const pausedAt = Date.now();
    try {
      await expect(pages.list.getByText(unreachable)).toBeVisible({
        timeout: OVERDUE_WITHIN + SEEN_WITHIN,
      });
      process.stdout.write(
        `    from SIGSTOP to the page: ${Date.now() - pausedAt} ms\n`,
      );
      for (const one of Object.values(pages)) {
        await expect(one.getByText(unreachable)).toHaveCount(1, {
          timeout: SEEN_WITHIN,
        });
        await expect(one.getByText('live', { exact: true })).toBeHidden();
      }
      // The last known state stays.
      await expect(
        pages.tab.getByRole('row', { name: /edge-2/ }),
      ).toContainText('Healthy');
    } finally {
      fleet.hub.resume();
    }
    for (const one of Object.values(pages)) {
      await expect(one.getByText(unreachable)).toBeHidden();
      await expect(one.getByText('live', { exact: true })).toBeVisible();
    }
  });

  test('that comes back with nothing in it', async ({ page }) => {
    test.setTimeout(180_000);
    const pages = await openPages(fleet, page, 'web', /web/);
    await fleet.replaceHub();
    const gone =
      /(There is no|No) ApplicationSet openshift-gitops\/web on hub “hub”/;
    await expect(pages.tab.getByText(gone)).toBeVisible();
    await expect(pages.card.getByText(gone)).toBeVisible({
      timeout: SEEN_WITHIN,
    });
    await expect(
      pages.list.getByText('There are no ApplicationSets'),
    ).toBeVisible({ timeout: SEEN_WITHIN });
    const set = await page.context().newPage();
    await set.goto(`${fleet.url}/argocd-fleet/hub/openshift-gitops/web`);
    await expect(
      set.getByText(
        /The portal recorded the last change of its Applications \d+ (s|min) ago/,
      ),
    ).toBeVisible();
    // One notice on each page, and no other that contradicts it.
    for (const one of [...Object.values(pages), set]) {
      await expect(
        one.getByText(/cannot be reached|is being listed|Nothing is known/),
      ).toHaveCount(0, { timeout: SEEN_WITHIN });
    }
  });
});
