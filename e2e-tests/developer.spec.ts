import { expect, test } from '@playwright/test';
import { START_TIMEOUT, startStack } from './stack';
import { createAndWait, fillIn, NAMESPACE } from './templateForm';

// Rita is in team-retail only. The portal has the policy of docs/permissions.md.
test.describe('a developer', () => {
  let stack: Awaited<ReturnType<typeof startStack>>;
  test.beforeAll(async () => {
    test.setTimeout(START_TIMEOUT);
    stack = await startStack('user:default/rita');
  });
  test.afterAll(() => stack.stop());

  test('creates an application, and sees only what her team owns', async ({
    page,
  }) => {
    // The steps of the template may take 100 s.
    test.slow();
    const { url, hub } = stack;
    await fillIn(page, url, 'dark');
    await createAndWait(page);
    const { metadata } = await hub.get(
      'applicationsets',
      NAMESPACE,
      'storefront',
    );
    expect(metadata.annotations).toMatchObject({
      'argocd-fleet/component-owner': 'group:default/team-retail',
    });

    await page.goto(`${url}/argocd-fleet`);
    const main = page.getByRole('main');
    await expect(main.getByText('storefront').first()).toBeVisible();
    await expect(main.getByText(/guestbook/)).toHaveCount(0);
    await page.goto(`${url}/catalog/default/component/guestbook/fleet`);
    await expect(
      page.getByText(/^No ApplicationSet .* that you may see/),
    ).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(0);
  });
});
