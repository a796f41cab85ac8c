import { expect, type Page } from '@playwright/test';

const TAB = '/catalog/default/component/guestbook/fleet';
const SET = '/argocd-fleet/hub/openshift-gitops/guestbook-allclusters-app-set';

/** A page of the plugin, or one with a part of it. */
export interface OurPage {
  readonly path: string;
  /** A text that the page has when its data is there. */
  readonly text: string;
  /** Selects the plugin's part; header, sidebar, tabs and other cards are the portal's. */
  readonly ours: string;
}

const GUESTBOOK = '/catalog/default/component/guestbook';

export const OUR_PAGES: Readonly<Record<string, OurPage>> = {
  card: {
    path: GUESTBOOK,
    text: 'Open Fleet',
    ours: `main .MuiCard-root:has(a[href$="${TAB}"])`,
  },
  tab: { path: TAB, text: 'pcluster2', ours: 'main section' },
  'filtered tab': {
    path: `${TAB}?state=inTrouble`,
    text: 'Clear filters',
    ours: 'main section',
  },
  drawer: {
    path: `${TAB}?row=pcluster1%2Fopenshift-gitops%2Fpcluster1-guestbook-app`,
    text: 'Selected by placement',
    ours: '[role=dialog]',
  },
  'drawer with a finding': {
    path: `${TAB}?row=cluster1%2Fopenshift-gitops%2Fcluster1-guestbook-app`,
    text: 'argo-admin',
    ours: '[role=dialog]',
  },
  list: { path: '/argocd-fleet', text: 'inventory-edge', ours: 'main' },
  set: { path: SET, text: 'pcluster2', ours: 'main' },
  findings: { path: '/argocd-fleet/findings', text: 'AFC-204', ours: 'main' },
  finding: {
    path: '/argocd-fleet/findings/AFC-204',
    text: 'kubectl auth can-i',
    ours: 'main',
  },
  'unknown address': {
    path: '/argocd-fleet/nonsense',
    text: 'There is no such page',
    ours: 'main',
  },
  'component without a link': {
    path: '/catalog/default/component/store-locator/fleet',
    text: 'argocd-fleet/applicationset',
    ours: 'main section, main [role=status]',
  },
};

/** Without a choice of its user, the portal has the theme of the system: `page.emulateMedia` sets it. */
export const THEMES = ['light', 'dark'] as const;

/** What loads, of ours and of the portal. */
const LOADING =
  '[aria-busy=true], main [role=progressbar]:not([aria-valuenow])';

/** Waits until all data is there and nothing moves, except what moves for ever. */
async function untilStill(page: Page): Promise<void> {
  await expect(page.locator(LOADING)).toHaveCount(0);
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          document.getAnimations().filter(
            // Those that follow the scrolling never end.
            ({ playState, timeline, effect }) =>
              playState === 'running' &&
              timeline === document.timeline &&
              effect?.getTiming().iterations !== Infinity,
          ).length,
      ),
    )
    .toBe(0);
}

export async function openOurPage(
  page: Page,
  url: string,
  { path, text }: OurPage,
): Promise<void> {
  await page.goto(`${url}${path}`);
  await expect(page.getByText(text).first()).toBeVisible();
  await untilStill(page);
}
