import type { Page } from '@playwright/test';
import { expect, test, type Stack } from './stack';

const NAMESPACE = 'openshift-gitops';
const OCM = 'apps.open-cluster-management.io';
const PULL = { [`${OCM}/pull-to-ocm-managed-cluster`]: 'true' };
const ANNOTATIONS = {
  [`${OCM}/ocm-managed-cluster`]: '{{name}}',
  'argocd.argoproj.io/skip-reconcile': 'true',
};
const DECISIONS = {
  clusterDecisionResource: {
    configMapRef: 'ocm-placement-generator',
    labelSelector: {
      matchLabels: {
        'cluster.open-cluster-management.io/placement': 'aws-app-placement',
      },
    },
    requeueAfterSeconds: 30,
  },
};

/** An ApplicationSet for the clusters of the guestbook, which are cluster1, two more, and the hub itself. */
function applicationSet(
  name: string,
  parts: {
    readonly labels?: Record<string, string>;
    readonly automated?: boolean;
    /** Names of several Applications for each cluster. */
    readonly each?: readonly string[];
  },
) {
  const { labels = PULL, automated = true, each } = parts;
  const elements = each?.map(part => ({ part }));
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      generators: [
        elements
          ? { matrix: { generators: [DECISIONS, { list: { elements } }] } }
          : DECISIONS,
      ],
      // Else a finalizer keeps Applications that every Argo CD skips.
      syncPolicy: { preserveResourcesOnDeletion: labels !== PULL },
      template: {
        metadata: {
          name: each ? `{{name}}-${name}-{{part}}` : `{{name}}-${name}`,
          labels,
          annotations: ANNOTATIONS,
        },
        spec: {
          project: 'default',
          source: {
            repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
            path: 'guestbook',
            targetRevision: 'HEAD',
          },
          destination: {
            namespace: 'states',
            server: 'https://kubernetes.default.svc',
          },
          syncPolicy: automated ? { automated: { prune: true } } : {},
        },
      },
    },
  };
}

/** Creates an ApplicationSet for the time of a test. */
async function withSet(
  { hub }: Stack,
  set: ReturnType<typeof applicationSet>,
  run: () => Promise<void>,
) {
  await hub.create(set);
  try {
    await run();
  } finally {
    await hub.delete('applicationsets', NAMESPACE, set.metadata.name);
    await expect
      .poll(async () =>
        (await hub.list('applications')).filter(({ metadata }) =>
          metadata.name.includes(`-${set.metadata.name}`),
        ),
      )
      .toEqual([]);
  }
}

const inList = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name }) });

/** Opens the page of a set with a filter by state in its URL. */
async function openSet(
  page: Page,
  { url }: Stack,
  name: string,
  search: string,
) {
  await page.goto(`${url}/argocd-fleet/hub/${NAMESPACE}/${name}${search}`);
}

test('what waits for a person is said the same in list, page, filter and report', async ({
  page,
  stack,
}) => {
  const name = 'by-hand';
  await withSet(stack, applicationSet(name, { automated: false }), async () => {
    await page.goto(`${stack.url}/argocd-fleet`);
    await expect(inList(page, name)).toContainText('3 waiting for a person');
    await openSet(page, stack, name, '?state=paused');
    await expect(
      page.getByText('3 of 3 clusters waiting for a person'),
    ).toBeVisible();
    const filters = page.getByLabel('Filter by state');
    await expect(
      filters.getByRole('button', { name: /3 waiting for a person/ }),
    ).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('row', { name: /cluster/ })).toHaveCount(3);
    await expect(
      page.getByText('No sync is running or planned').first(),
    ).toBeVisible();
    await expect
      .poll(
        async () =>
          (
            await stack.hub.list('multiclusterapplicationsetreports', NAMESPACE)
          ).find(({ metadata }) => metadata.name === name)?.statuses.summary,
      )
      .toMatchObject({ clusters: '3', notSynced: '3', synced: '0' });
  });
});

test('Applications without the pull label are in trouble everywhere, on the clusters that they name', async ({
  page,
  stack,
}) => {
  const name = 'unlabelled';
  await withSet(stack, applicationSet(name, { labels: {} }), async () => {
    await page.goto(`${stack.url}/argocd-fleet?state=inTrouble`);
    await expect(inList(page, name)).toContainText('4 in trouble');
    await expect(inList(page, name)).toContainText('No pull label');
    await openSet(page, stack, name, '?state=inTrouble');
    await expect(page.getByText('4 of 4 clusters in trouble')).toBeVisible();
    await page.getByRole('row', { name: /pcluster1/ }).click();
    const drawer = page.getByRole('dialog', { name: 'pcluster1' });
    await expect(drawer).toContainText('Selected by placement');
    await expect(drawer).toContainText(`${OCM}/pull-to-ocm-managed-cluster`);
    await page.keyboard.press('j');
    await expect(page.getByRole('dialog', { name: 'pcluster2' })).toBeVisible();
  });
});

test('two Applications on a cluster are two rows of one cluster, and the hub itself is counted once', async ({
  page,
  stack,
}) => {
  const name = 'twice';
  const set = applicationSet(name, { each: ['front', 'back'] });
  await withSet(stack, set, async () => {
    await openSet(page, stack, name, '');
    await expect(
      page.getByText('4 clusters, 1 of them the hub itself'),
    ).toBeVisible();
    for (const part of ['front', 'back']) {
      await expect(page.getByText(`pcluster1-${name}-${part}`)).toBeVisible();
    }
    await expect(
      page.getByText(/^2 generated Applications are not delivered/),
    ).toHaveText(/^[^;]*the hub itself[^;]*$/);
    await page.goto(`${stack.url}/argocd-fleet`);
    await expect(
      inList(page, name).getByRole('gridcell', { name: /^3/ }).first(),
    ).toBeVisible();
  });
});
