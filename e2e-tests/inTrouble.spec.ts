import { expect, test } from '@playwright/test';
import {
  neverPoll,
  openPages,
  startLargeFleet,
  type LargeFleet,
} from './largeFleet';
import { START_TIMEOUT } from './stack';

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);

const at = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+/, '');

function synced(revision: string) {
  return {
    health: { status: 'Healthy', lastTransitionTime: at(60) },
    sync: { status: 'Synced', revision },
    operationState: {
      operation: { sync: { revision } },
      phase: 'Succeeded',
      startedAt: at(61),
    },
    history: [{ id: 1, revision, deployedAt: at(61) }],
    conditions: [],
  };
}

const UNKNOWN_REVISION = {
  sync: { status: 'Unknown' },
  conditions: [
    {
      type: 'ComparisonError',
      message:
        'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = unable to resolve ‘nope’ to a commit SHA',
      lastTransitionTime: at(5),
    },
  ],
};

function clusters(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `edge-${index}`);
}

test.describe('trouble is seen at once', () => {
  let fleet: LargeFleet;
  test.beforeAll(async () => {
    test.setTimeout(START_TIMEOUT);
    fleet = await startLargeFleet();
  });
  test.afterAll(() => fleet.stop());
  // What the pages say of later reports, the event stream told them.
  test.beforeEach(({ page }) => neverPoll(page));

  test('an unknown revision on 3,500 clusters', async ({ page }) => {
    // It creates and reports an Application for each.
    test.slow();
    const all = clusters(3_500);
    await fleet.createSet({
      name: 'everywhere',
      component: 'everywhere',
      clusters: all,
      status: synced(OLD),
    });
    await fleet.untilInCatalog('everywhere');
    const pages = await openPages(fleet, page, 'everywhere', /3,?500/);
    await fleet.report('everywhere', all, UNKNOWN_REVISION);
    const reportedAt = Date.now();

    await expect(
      pages.card.getByText('3500 of 3500 clusters in trouble'),
    ).toBeVisible();
    await expect(
      pages.card.getByText('Unknown revision or path').first(),
    ).toBeVisible();
    await expect(
      pages.tab.getByRole('button', { name: /^3500 in trouble/ }),
    ).toBeVisible();
    await expect(
      pages.tab.getByRole('list', { name: 'What is wrong' }),
    ).toContainText('3500 clusters');
    const listed = pages.list.getByRole('row', { name: /everywhere/ });
    await expect(listed).toContainText('3500 in trouble');
    await expect(listed).toContainText('Unknown revision or path');
    process.stdout.write(
      `    from the last report to every page: ${Date.now() - reportedAt} ms\n`,
    );

    // The filters of the list.
    const state = pages.list.getByLabel('State', { exact: true });
    for (const [value, shown] of [
      ['In trouble', true],
      ['Sync unknown', true],
      ['Healthy and synced', false],
      ['In progress', false],
    ] as const) {
      await state.selectOption(value);
      await expect(listed).toBeVisible({ visible: shown });
    }
    // The filters of the tab.
    const count = pages.tab.getByText(/^3500 of 3500 applications/);
    for (const tile of [/^3500 in trouble/, /^3500 sync unknown/]) {
      await pages.tab.getByRole('button', { name: tile }).click();
      await expect(count).toBeVisible();
    }
    await pages.tab.getByRole('searchbox').fill('no such thing');
    await expect(
      pages.tab.getByText('No application matches these filters.'),
    ).toBeVisible();
  });

  test('a revision that is half rolled out', async ({ page }) => {
    const all = clusters(40);
    await fleet.createSet({
      name: 'half',
      component: 'half',
      clusters: all,
      status: synced(OLD),
    });
    await fleet.untilInCatalog('half');
    const pages = await openPages(fleet, page, 'half', /40/);
    await fleet.report('half', all.slice(0, 20), {
      ...synced(NEW),
      history: [
        { id: 1, revision: OLD, deployedAt: at(61) },
        { id: 2, revision: NEW, deployedAt: at(1) },
      ],
    });
    await fleet.report('half', all.slice(20), {
      sync: { status: 'OutOfSync', revision: NEW },
    });
    for (const revision of [OLD, NEW]) {
      const words = new RegExp(`${revision.slice(0, 7)}\\)? on 20`);
      await expect(pages.card.getByText(words)).toBeVisible();
      await pages.tab.getByRole('button', { name: words }).click();
      await expect(pages.tab.getByText(/^20 of 40 applications/)).toBeVisible();
      await pages.tab.getByRole('button', { name: words }).click();
    }
    await expect(pages.list.getByRole('row', { name: /half/ })).toContainText(
      /\(bbbbbbb\) on 20 of 40.*aaaaaaa on 20/,
    );
  });

  test('the fourth of five sets', async ({ page }) => {
    for (const index of [1, 2, 3, 4, 5]) {
      await fleet.createSet({
        name: `shop-${index}`,
        component: 'shop',
        clusters: clusters(3),
        status: synced(OLD),
      });
    }
    await fleet.untilInCatalog('shop');
    const pages = await openPages(fleet, page, 'shop', /shop-5/);
    await fleet.report('shop-4', clusters(3).slice(1, 2), UNKNOWN_REVISION);
    await expect(
      pages.card.getByText('1 of 3 clusters in trouble'),
    ).toBeVisible();
    await expect(
      pages.tab.getByRole('tab', { name: /shop-4.*1 in trouble/ }),
    ).toBeVisible();
    await pages.tab.reload();
    await expect(pages.tab.getByRole('tab', { selected: true })).toContainText(
      'shop-4',
    );
    await pages.list
      .getByLabel('State', { exact: true })
      .selectOption('In trouble');
    await expect(pages.list.getByRole('row', { name: /shop-4/ })).toBeVisible();
    await expect(pages.list.getByRole('row', { name: /shop-3/ })).toBeHidden();
  });
});
