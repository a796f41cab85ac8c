import { expect, test, type Page } from '@playwright/test';
import { join } from 'node:path';
import { startLargeFleet, type LargeFleet } from './largeFleet';
import { THEMES } from './ourPages';
import { START_TIMEOUT } from './stack';

const SYNCED = { status: 'Synced', revision: 'a'.repeat(40) };
const DEFICIENCIES = ['deuteranopia', 'achromatopsia'] as const;

/** Clusters by what Argo CD reports. */
const REPORTED = {
  Healthy: ['eu-1', 'eu-2', 'eu-3', 'eu-4'],
  Progressing: ['eu-5'],
  Suspended: ['us-1'],
  Degraded: ['us-2', 'us-3', 'us-4'],
  Missing: ['us-5'],
  Unknown: ['us-6'],
};

/** A bar's segments, and the words and shapes below it that stand for them. */
function readBar(page: Page, name: RegExp) {
  return page
    .getByRole('img', { name })
    .first()
    .evaluate(bar => {
      const label = bar.getAttribute('aria-label') ?? '';
      return {
        label,
        segments: bar.children.length,
        counts: [...bar.nextElementSibling!.children]
          .map(count => ({
            word: count.textContent?.replace(/^\d+ ?/, '') ?? '',
            shape: count.querySelector('svg')?.innerHTML,
          }))
          // The page of a set has filters for more than the bar's states.
          .filter(({ word }) => label.includes(` ${word}`)),
      };
    });
}

test.describe('a state is seen without its colour', () => {
  let fleet: LargeFleet;
  test.beforeAll(async () => {
    test.setTimeout(START_TIMEOUT);
    fleet = await startLargeFleet();
    await fleet.createSet({
      name: 'mixed',
      component: 'mixed',
      clusters: Object.values(REPORTED).flat(),
      status: { sync: SYNCED },
    });
    for (const [status, clusters] of Object.entries(REPORTED)) {
      await fleet.report('mixed', clusters, { health: { status } });
    }
    await fleet.untilInCatalog('mixed');
  });
  test.afterAll(() => fleet.stop());

  function testBar(
    name: string,
    path: string,
    bar: RegExp,
    words: readonly string[],
  ) {
    test(`on the ${name}, in both themes`, async ({ page }, testInfo) => {
      const session = await page.context().newCDPSession(page);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${fleet.url}${path}`);
        await expect(
          page.getByRole('img', { name: bar }).first(),
        ).toBeVisible();
        const { label, segments, counts } = await readBar(page, bar);
        expect(counts.map(({ word }) => word).sort()).toEqual(words.toSorted());
        expect(segments).toBe(words.length);
        for (const word of words) {
          expect(label).toContain(word);
        }
        const shapes = counts.map(({ shape }) => shape);
        expect(shapes).not.toContain(undefined);
        expect(new Set(shapes).size).toBe(words.length);

        for (const type of DEFICIENCIES) {
          await session.send('Emulation.setEmulatedVisionDeficiency', { type });
          await page.screenshot({
            path: join(
              process.env.ARGOCD_FLEET_IMAGES ?? testInfo.outputDir,
              `${name}-${type}-${colorScheme}.png`,
            ),
            animations: 'disabled',
          });
        }
      }
    });
  }
  testBar('set', '/argocd-fleet/hub/openshift-gitops/mixed', /^State/, [
    'ok',
    'in progress',
    'waiting for a person',
    'in trouble',
  ]);
  testBar(
    'card',
    '/catalog/default/component/mixed',
    /^Health/,
    Object.keys(REPORTED),
  );
});
