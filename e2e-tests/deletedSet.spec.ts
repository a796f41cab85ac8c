import { expect, test } from './stack';

test('the Fleet tab names an ApplicationSet that was deleted', async ({
  page,
  stack,
}) => {
  const name = 'payments-push';
  const { apiVersion, kind, metadata, spec } = await stack.hub.get(
    'applicationsets',
    'openshift-gitops',
    name,
  );
  await page.goto(`${stack.url}/catalog/default/component/payments/fleet`);
  await expect(page.getByRole('row', { name: /pcluster1/ })).toBeVisible();
  await stack.hub.delete('applicationsets', 'openshift-gitops', name);
  try {
    await expect(page.getByRole('row', { name: /pcluster1/ })).toBeHidden();
    await expect(page.getByRole('main')).toContainText(
      `openshift-gitops/${name}`,
    );
  } finally {
    await expect
      .poll(async () =>
        (await stack.hub.list('applicationsets')).map(it => it.metadata.name),
      )
      .not.toContain(name);
    await stack.hub.create({
      apiVersion,
      kind,
      metadata: { name, namespace: metadata.namespace },
      spec,
    });
  }
});
