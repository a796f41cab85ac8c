import { expect, test } from './stack';
import { createAndWait, fillIn, NAMESPACE } from './templateForm';

test('the template for the hub creates a component whose Fleet tab shows healthy clusters', async ({
  page,
  stack,
}) => {
  // The steps of the template may take 100 s.
  test.slow();
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
