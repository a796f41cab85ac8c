import { expect, test } from '@playwright/test';
import {
  neverPoll,
  openPages,
  startLargeFleet,
  type LargeFleet,
} from './largeFleet';
import { START_TIMEOUT } from './stack';

/** Milliseconds until a hub that hangs is reported; docs/pull-model.md gives the reason. */
const OVERDUE_WITHIN = 90_000;

const HEALTHY = {
  health: { status: 'Healthy' },
  sync: { status: 'Synced', revision: 'a'.repeat(40) },
};

const unreachable = /Hub “hub” cannot be reached/;

test.describe('the pages say what is known of a hub', () => {
  let fleet: LargeFleet;
  test.beforeAll(async () => {
    test.setTimeout(START_TIMEOUT);
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
    // Nothing but time tells a hub that hangs from one on which nothing happens.
    test.setTimeout(OVERDUE_WITHIN + 120_000);
    await neverPoll(page);
    const pages = await openPages(fleet, page, 'web', /web/);
    fleet.hub.pause();
    const pausedAt = Date.now();
    try {
      await expect(pages.list.getByText(unreachable)).toBeVisible({
        timeout: OVERDUE_WITHIN + 60_000,
      });
      process.stdout.write(
        `    from SIGSTOP to the page: ${Date.now() - pausedAt} ms\n`,
      );
      for (const one of Object.values(pages)) {
        await expect(one.getByText(unreachable)).toHaveCount(1);
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

  test('that ends, and comes back with nothing in it', async ({ page }) => {
    await neverPoll(page);
    const pages = await openPages(fleet, page, 'web', /web/);
    await fleet.hub.stop();
    for (const one of Object.values(pages)) {
      await expect(one.getByText(unreachable)).toHaveCount(1);
    }
    // The last known state stays, also for who comes now.
    const row = pages.tab.getByRole('row', { name: /edge-2/ });
    await expect(row).toContainText('Healthy');
    await pages.tab.reload();
    await expect(pages.tab.getByText(unreachable)).toBeVisible();
    await expect(row).toContainText('Healthy');
    await pages.list.reload();
    await expect(pages.list.getByText(unreachable)).toBeVisible();

    await fleet.startEmptyHub();
    // The hub also defined the component, which leaves the catalog before or after these pages ask again.
    const gone =
      /No ApplicationSet openshift-gitops\/web that you may see on hub “hub”|There is no entity component:default\/web in the catalog/;
    await expect(pages.tab.getByText(gone)).toBeVisible();
    await expect(pages.card.getByText(gone)).toBeVisible();
    await expect(
      pages.list.getByText('No ApplicationSets that you may see'),
    ).toBeVisible();
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
      ).toHaveCount(0);
    }
  });
});
