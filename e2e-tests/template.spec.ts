import { expect, startStack, test } from './stack';
import { createAndWait, fillIn, NAMESPACE } from './templateForm';

test('the template creates a component whose Fleet tab shows healthy clusters', async ({
  page,
  stack,
}) => {
  await fillIn(page, stack.url, 'light');
  await createAndWait(page);
  const applicationSet = await stack.hub.get(
    'applicationsets',
    NAMESPACE,
    'storefront',
  );
  expect(applicationSet.metadata.labels).toMatchObject({
    'app.kubernetes.io/managed-by': 'argocd-fleet',
  });
});

test("the template's form can be filled in with the dark theme", async ({
  page,
  stack,
}) => {
  await fillIn(page, stack.url, 'dark');
});

// Rita is in team-retail only. The portal has the policy of docs/permissions.md.
test('a developer creates an application, and sees only what her team owns', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const { url, hub, stop } = await startStack('user:default/rita');
  try {
    await fillIn(page, url, 'light');
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
    await expect(page.getByText(/that you may see/)).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(0);
  } finally {
    await stop();
  }
});
