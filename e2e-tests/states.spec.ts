import type { Page } from '@playwright/test';
import type { ApplicationRow } from 'backstage-plugin-argocd-fleet-common';
import { reportingClusters, type Report } from './reportingClusters';
import type { Json } from './src/hub/hubClient';
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

/**
 * An ApplicationSet of a component of its own for the clusters of the guestbook, which are cluster1, two more, and the
 * hub itself.
 */
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
    metadata: {
      name,
      namespace: NAMESPACE,
      annotations: {
        'argocd-fleet/component': name,
        'argocd-fleet/component-owner': 'group:default/team-retail',
      },
    },
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
  set: Json & { readonly metadata: { readonly name: string } },
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

/** The set's component in the catalog. */
const entityUrl = ({ url }: Stack, name: string) =>
  `${url}/catalog/default/component/${name}`;

/** Opens the page of the set's component, on which its card is. */
async function openCard(page: Page, stack: Stack, name: string) {
  await stack.untilInCatalog(`component/default/${name}`);
  await page.goto(entityUrl(stack, name));
}

/** The summary of the set's report; undefined without a report. */
const reportSummary = async ({ hub }: Stack, name: string) =>
  (await hub.list('multiclusterapplicationsetreports', NAMESPACE)).find(
    ({ metadata }) => metadata.name === name,
  )?.statuses.summary;

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
      .poll(() => reportSummary(stack, name))
      .toMatchObject({ clusters: '3', notSynced: '3', synced: '0' });
    await openCard(page, stack, name);
    await expect(
      page.getByText('3 of 3 clusters waiting for a person'),
    ).toBeVisible();
    await openSet(page, stack, name, '');
    // What the page says to do helps.
    await page.getByRole('row', { name: /pcluster1/ }).click();
    await expect(page.getByRole('dialog', { name: 'pcluster1' })).toContainText(
      `kubectl patch applications.argoproj.io pcluster1-${name} -n ${NAMESPACE} --type merge -p '{"operation":{"sync":{}}}'`,
    );
    await page.keyboard.press('Escape');
    await stack.hub.patch('applications', NAMESPACE, `pcluster1-${name}`, {
      operation: { sync: {} },
    });
    await expect(
      filters.getByRole('button', { name: /2 waiting for a person/ }),
    ).toBeVisible();
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
    await openCard(page, stack, name);
    await expect(page.getByText('4 of 4 clusters in trouble')).toBeVisible();
    // The report is of the pull model alone.
    expect(await reportSummary(stack, name)).toBeUndefined();
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
    await openCard(page, stack, name);
    // Argo CD may not create either of them on cluster1.
    await expect(page.getByText('1 of 3 clusters in trouble')).toBeVisible();
    await expect
      .poll(() => reportSummary(stack, name))
      .toEqual({
        clusters: '3',
        synced: '2',
        notSynced: '1',
        healthy: '2',
        notHealthy: '1',
        inProgress: '0',
      });
  });
});

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);

const DONE: Report = {
  health: 'Healthy',
  sync: 'Synced',
  revision: NEW,
  deployed: NEW,
};
const SYNCING: Report = {
  ...DONE,
  sync: 'OutOfSync',
  phase: 'Running',
  operation: 'running',
  deployed: OLD,
};

/** What each cluster reports of version 1.9, after all ran 1.8; undefined for those that report nothing more. */
const ROLLOUT: Readonly<Record<string, Report | undefined>> = {
  current: DONE,
  syncing: SYNCING,
  paused: { ...DONE, health: 'Suspended' },
  confirm: {
    ...SYNCING,
    operation: 'Waiting for pruning confirmation of v1/Pod/a',
  },
  window: { ...SYNCING, operation: 'Sync operation blocked by sync window' },
  silent: undefined,
  released: undefined,
};

test('each state of a half done rollout is said the same in card, tab, filters, list, API and report', async ({
  page,
  stack,
}) => {
  const { hub, url } = stack;
  const name = 'half-done';
  const reporting = reportingClusters(stack);
  const names = Object.keys(ROLLOUT);
  const set = (targetRevision: string, left: readonly string[]) => {
    const { spec, ...rest } = applicationSet(name, {
      labels: { [`${OCM}/pull-to-ocm-managed-cluster`]: '{{pull}}' },
    });
    const { template } = spec;
    return {
      ...rest,
      spec: {
        ...spec,
        generators: [
          {
            list: {
              elements: names.map(cluster => ({
                name: cluster,
                pull: String(!left.includes(cluster)),
              })),
            },
          },
        ],
        template: {
          ...template,
          spec: {
            ...template.spec,
            source: { ...template.spec.source, targetRevision },
          },
        },
      },
    };
  };
  await reporting.create(names);
  try {
    await withSet(stack, set('1.8', []), async () => {
      await Promise.all(
        names.map(cluster =>
          reporting.report(cluster, '1.8', {
            ...DONE,
            revision: OLD,
            deployed: OLD,
          }),
        ),
      );
      await stack.untilInCatalog(`component/default/${name}`);
      await page.goto(`${entityUrl(stack, name)}/fleet`);
      await expect(
        page.getByText('all 7 clusters synced and healthy'),
      ).toBeVisible();

      await reporting.goSilent('silent');
      await hub.patch('applicationsets', NAMESPACE, name, {
        spec: set('1.9', ['released']).spec,
      });
      for (const [cluster, report] of Object.entries(ROLLOUT)) {
        if (report) {
          await reporting.report(cluster, '1.9', report);
        }
      }
      const headline =
        '1 of 7 clusters in trouble · 1 cannot go on · 3 waiting for a person · 1 in progress · 1 stale';
      await expect(page.getByText(headline)).toBeVisible();
      for (const [word, clusters] of [
        ['in trouble', ['silent']],
        ['cannot go on', ['window']],
        ['waiting for a person', ['confirm', 'paused', 'released']],
        ['in progress', ['syncing']],
        ['ok', ['current']],
        ['suspended', ['paused']],
        ['out of sync', ['confirm', 'released', 'silent', 'syncing', 'window']],
        [
          'behind the wanted version',
          ['confirm', 'released', 'silent', 'syncing', 'window'],
        ],
        ['stale, silent', ['silent']],
      ] as const) {
        const filter = page
          .getByLabel('Filter by state')
          .getByRole('button', { name: `${clusters.length} ${word}` });
        await filter.click();
        await expect
          .poll(async () =>
            (await page.getByLabel(/: show details$/).allTextContents()).sort(),
          )
          .toEqual(clusters);
        await filter.click();
      }
      const answer = page.waitForResponse(/rows$/);
      await page.reload();
      const { applications } = await (await answer).json();
      expect(
        Object.fromEntries(
          applications.map(({ cluster, state, sync }: ApplicationRow) => [
            cluster.name,
            `${state} ${sync}`,
          ]),
        ),
      ).toEqual({
        current: 'ok Synced',
        syncing: 'running OutOfSync',
        paused: 'paused Synced',
        confirm: 'paused OutOfSync',
        released: 'paused OutOfSync',
        window: 'blocked OutOfSync',
        silent: 'inTrouble OutOfSync',
      });
      const silent = page.getByRole('row', { name: /^silent/ });
      await expect(silent).toContainText('was Synced');
      await expect(silent).toContainText('was Healthy');
      await expect(silent).toContainText('not known since');

      await openCard(page, stack, name);
      await expect(page.getByText(headline)).toBeVisible();
      await expect(
        page.getByText(
          /^1\.9 \(bbbbbbb\) on 2 of 7.*1\.8 \(aaaaaaa\) on 4.*not known on 1/,
        ),
      ).toBeVisible();
      await page.goto(`${url}/argocd-fleet`);
      for (const words of [
        '1 in trouble',
        '1 cannot go on',
        '3 waiting for a person',
        '1 in progress',
        /1\.9 \(bbbbbbb\) on 2 of 7/,
      ]) {
        await expect(inList(page, name)).toContainText(words);
      }
      const state = page.getByLabel('State', { exact: true });
      for (const [value, shown] of [
        ['In trouble', true],
        ['Cannot go on', true],
        ['Waiting for a person', true],
        ['In progress', true],
        ['Out of sync', true],
        ['Stale', true],
        ['Healthy and synced', false],
      ] as const) {
        await state.selectOption(value);
        await expect(inList(page, name)).toBeVisible({ visible: shown });
      }
      await expect
        .poll(() => reportSummary(stack, name))
        // It is of the pull model alone, which one has left.
        .toEqual({
          clusters: '6',
          synced: '2',
          notSynced: '4',
          healthy: '5',
          notHealthy: '1',
          inProgress: '0',
        });
    });
  } finally {
    await reporting.remove(names);
  }
});
