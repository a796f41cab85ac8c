import { expect, test } from './sharedPortal';

const tabOf = (component: string) =>
  `/catalog/default/component/${component}/fleet`;

/** The components of packages/backend/examples/links.yaml. */
const WAYS = [
  ['checkout', 'payments-push', 'linked by annotation argocd-fleet/selector'],
  ['loyalty', 'payments-push', 'linked by the relation dependsOn'],
  [
    'card-terminal',
    'payments-push',
    'linked by annotation argocd/app-selector',
  ],
  ['shelf-scanner', 'inventory-edge', 'linked by its repository'],
] as const;

for (const [component, set, words] of WAYS) {
  test(`${component} is ${words}`, async ({ page, portal }) => {
    await page.goto(`${portal.url}${tabOf(component)}`);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { name: set })).toBeVisible();
    await expect(main.getByText(words)).toBeVisible();
  });
}

test('the relation that is made of a found link puts the card on the overview', async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}/catalog/default/component/shelf-scanner`);
  const main = page.getByRole('main');
  await expect(main.getByText('linked by its repository')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Open Fleet' })).toBeVisible();
});

test('an annotation that the user wrote for the link is the title of its name', async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}${tabOf('inventory')}`);
  await expect(
    page.getByTitle('linked by annotation argocd-fleet/applicationset'),
  ).toHaveText('inventory-edge');
});

test('a component without link is offered what is in its repository', async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}${tabOf('stock-reports')}`);
  const offered = page.getByRole('list', {
    name: 'ApplicationSets that it may mean',
  });
  await expect(offered.getByRole('listitem')).toHaveText(
    /deploys from the same repository.*argocd-fleet\/applicationset: hub:openshift-gitops\/inventory-edge/,
  );
  await expect(
    page.getByRole('link', { name: 'Edit catalog-info.yaml' }),
  ).toBeVisible();
  await offered.getByRole('link', { name: /inventory-edge/ }).click();
  await expect(page).toHaveURL(
    /\/argocd-fleet\/hub\/openshift-gitops\/inventory-edge$/,
  );
  await page.goBack();
  await page
    .getByRole('link', { name: 'Create a new pull-model application' })
    .click();
  await expect(page).toHaveURL(
    /\/create\/templates\/default\/new-pull-model-application$/,
  );
});

test('a slip in the annotation: the page says what exists instead', async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}${tabOf('price-tags')}`);
  await expect(
    page.getByText(/^No ApplicationSet openshift-gitops\/inventry-edge/),
  ).toBeVisible();
  await expect(page.getByText('What exists instead')).toBeVisible();
  await expect(
    page.getByText(
      'argocd-fleet/applicationset: hub:openshift-gitops/inventory-edge',
    ),
  ).toBeVisible();
});

test('the list names the components, and how each was found', async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}/argocd-fleet?q=shelf-scanner`);
  await expect(page.getByRole('row', { name: /inventory-edge/ })).toBeVisible();
  await expect(page.getByTitle('linked by its repository')).toContainText(
    'shelf-scanner',
  );
});
