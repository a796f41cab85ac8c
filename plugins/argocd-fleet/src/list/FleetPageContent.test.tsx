import { renderInTestApp } from '@backstage/frontend-test-utils';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
import type {
  ApplicationSet,
  ApplicationSetList,
} from 'backstage-plugin-argocd-fleet-common';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { axe, toHaveNoViolations } from 'jest-axe';
import { argocdFleetApiRef } from '../api';
import { rootRouteRef } from '../routes';
import {
  createFakeBackend,
  failure,
  ok,
  type Answer,
} from '../__testUtils__/fakeBackend';
import {
  applicationSet,
  applicationSetRows,
  clusterApplication,
  FORBIDDEN,
  guestbook,
  HUB,
  minutesAgo,
} from '../__testUtils__/fixtures';
import { FleetPageContent } from './FleetPageContent';

expect.extend(toHaveNoViolations);

function healthySet(
  name: string,
  overrides: Partial<ApplicationSet> = {},
): ApplicationSet {
  return {
    ...applicationSet(applicationSetRows([clusterApplication('eu-1')])),
    ref: { hub: 'hub', namespace: 'openshift-gitops', name },
    ...overrides,
  };
}

const SETS: ApplicationSetList = {
  hubs: [HUB],
  items: [
    healthySet('monitoring', {
      deliveryModel: 'push',
      annotations: { 'argocd-fleet/component': 'monitoring' },
    }),
    applicationSet(guestbook()),
    healthySet('billing', { lastChange: minutesAgo(1) }),
  ],
};

function renderPage(
  answer: Answer | 'networkError' | 'never',
  url = '/argocd-fleet',
) {
  const backend = createFakeBackend(answer);
  const rendered = renderInTestApp(<FleetPageContent />, {
    apis: [[argocdFleetApiRef, backend.api]],
    mountPath: '/argocd-fleet',
    initialRouteEntries: [url],
    mountedRoutes: {
      '/argocd-fleet': rootRouteRef,
      '/catalog/:namespace/:kind/:name': entityRouteRef,
    },
  });
  return { backend, ...rendered };
}

const listed = () =>
  screen
    .getAllByRole('link')
    .map(link => link.getAttribute('href') ?? '')
    .filter(href => href.startsWith('/argocd-fleet/'))
    .map(href => href.split('/').pop());

describe('the fleet page', () => {
  it('lists every set, the most urgent first', async () => {
    const { baseElement } = renderPage(ok(SETS));
    await screen.findByRole('grid', { name: 'ApplicationSets' });
    expect(document.title).toMatch(/^Fleet \| /);
    expect(await screen.findByText('live')).toBeVisible();
    expect(listed()).toEqual([
      'guestbook-allclusters-app-set',
      'billing',
      'monitoring',
    ]);
    const [, first] = screen.getAllByRole('row');
    expect(first).toHaveTextContent(/openshift-gitops · hub/);
    expect(first).toHaveTextContent(
      /1 in trouble.*cluster1: Argo CD may not create Deployments hereAFC-204 · for 11 min/,
    );
    expect(
      within(first).getByRole('img', {
        name: 'State: 2 in progress, 1 in trouble',
      }),
    ).toBeInTheDocument();
    expect(
      screen.getAllByRole('link').map(link => link.getAttribute('href')),
    ).toContain('/catalog/default/component/monitoring');
    expect(await axe(baseElement)).toHaveNoViolations();
  });

  it('says that Applications of a set are delivered differently, and finds it by each model', async () => {
    const mixed = healthySet('moving', {
      deliveryModels: [
        { model: 'pull', applications: 2 },
        { model: 'push', applications: 1 },
      ],
    });
    renderPage(
      ok({ ...SETS, items: [...SETS.items, mixed] }),
      '/argocd-fleet?model=push',
    );
    await screen.findByRole('grid');
    expect(listed()).toEqual(['monitoring', 'moving']);
    expect(screen.getByText('mixed')).toHaveAttribute(
      'title',
      'Its Applications are delivered differently: pull 2 · push 1',
    );
  });

  it('filters by text, model and state, and reads the filters from the URL', async () => {
    renderPage(ok(SETS), '/argocd-fleet?model=pull');
    await screen.findByRole('grid');
    expect(listed()).toEqual(['guestbook-allclusters-app-set', 'billing']);

    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'State' }),
      'In trouble',
    );
    expect(listed()).toEqual(['guestbook-allclusters-app-set']);

    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'State' }),
      'Any state',
    );
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'Model' }),
      'Any model',
    );
    await userEvent.type(screen.getByRole('searchbox'), 'monit');
    await waitFor(() => expect(listed()).toEqual(['monitoring']));
    expect(
      screen.getByText('1 of 3 ApplicationSets · worst first'),
    ).toBeInTheDocument();
    await userEvent.type(screen.getByRole('searchbox'), 'xyz');
    expect(
      await screen.findByText('No ApplicationSet matches these filters.'),
    ).toBeInTheDocument();
    await userEvent.click(
      screen.getByRole('button', { name: 'Clear filters' }),
    );
    expect(listed()).toHaveLength(3);
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  });

  it('still understands the former name of trouble in a link', async () => {
    renderPage(ok(SETS), '/argocd-fleet?state=failing');
    await screen.findByRole('grid');
    expect(listed()).toEqual(['guestbook-allclusters-app-set']);
    expect(screen.getByRole('combobox', { name: 'State' })).toHaveDisplayValue(
      'In trouble',
    );
    await userEvent.click(
      screen.getByRole('button', { name: 'Clear filters' }),
    );
    expect(listed()).toHaveLength(3);
  });

  it('shows a set that cannot sync as in trouble, however healthy it is', async () => {
    const unsynced = applicationSetRows([
      clusterApplication('eu-1', { sync: 'Unknown' }),
      clusterApplication('eu-2', { sync: 'Unknown' }),
    ]);
    renderPage(ok({ hubs: [HUB], items: [applicationSet(unsynced)] }));
    await screen.findByRole('grid');
    expect(
      screen.getByRole('img', { name: 'State: 2 in trouble' }),
    ).toBeInTheDocument();
    const [, row] = screen.getAllByRole('row');
    expect(row).toHaveTextContent(/2 sync unknown/);
    expect(row).not.toHaveTextContent(/Healthy/);
  });

  it('keeps the places of sets through updates, until they are sorted again', async () => {
    const { backend } = renderPage(ok(SETS));
    await screen.findByRole('grid');
    await waitFor(() => expect(backend.streams()).toBe(1));
    const [monitoring, guest, billing] = SETS.items;
    const trouble = applicationSet(
      applicationSetRows(
        ['a', 'b'].map(name => clusterApplication(name, { sync: 'Unknown' })),
        { ref: monitoring.ref },
      ),
    );
    backend.answer(ok({ ...SETS, items: [trouble, guest, billing] }));
    backend.emit({ applicationSets: [], hubs: ['hub'] });
    await screen.findByText(/1 row moved/);
    expect(listed().at(-1)).toBe('monitoring');
    await userEvent.click(screen.getByRole('button', { name: 'Sort again' }));
    expect(listed()[0]).toBe('monitoring');
  });

  it('sorts', async () => {
    renderPage(ok(SETS));
    await userEvent.click(
      await screen.findByRole('button', { name: 'Last change' }),
    );
    expect(listed()[0]).toBe('billing');
    await userEvent.click(
      screen.getByRole('button', { name: 'ApplicationSet' }),
    );
    expect(listed()).toEqual([
      'billing',
      'guestbook-allclusters-app-set',
      'monitoring',
    ]);
    expect(screen.queryByText(/worst first/)).toBeNull();
    const byName = screen.getByRole('button', { name: 'ApplicationSet' });
    await userEvent.click(byName);
    expect(listed()[0]).toBe('monitoring');
    await userEvent.click(byName);
    expect(listed()[0]).toBe('guestbook-allclusters-app-set');
    expect(screen.getByText('3 ApplicationSets · worst first')).toBeVisible();
  });

  it('hides the optional columns of a narrow table', async () => {
    const width = jest.spyOn(Element.prototype, 'clientWidth', 'get');
    try {
      width.mockReturnValue(360);
      renderPage(ok(SETS));
      await screen.findByRole('grid');
      const [, first] = screen.getAllByRole('row');
      expect(
        within(first)
          .getAllByRole('gridcell')
          .map(cell => cell.textContent),
      ).toEqual([
        expect.stringContaining('guestbook-allclusters-app-set'),
        expect.stringMatching(/^main \(a1b2c3d\) on all 3 clusters/),
        '3 clusters',
        expect.stringMatching(
          /2 in progress1 in trouble1 out of sync2 progressing1 missing/,
        ),
        expect.stringContaining(FORBIDDEN.title),
      ]);
    } finally {
      width.mockRestore();
    }
  });

  it('shows new sets without a reload', async () => {
    const { backend } = renderPage(ok(SETS));
    await screen.findByRole('grid');
    await waitFor(() => expect(backend.streams()).toBe(1));
    backend.answer(ok({ ...SETS, items: [healthySet('brand-new')] }));
    backend.emit({ applicationSets: [], hubs: ['hub'] });
    await waitFor(() => expect(listed()).toEqual(['brand-new']));
  });

  it('names an unreachable hub, above the last known data', async () => {
    renderPage(
      ok({
        ...SETS,
        hubs: [
          {
            ...HUB,
            state: 'unreachable',
            since: minutesAgo(7),
            message: 'connect ECONNREFUSED',
          },
        ],
      }),
    );
    expect(
      await screen.findByText('Hub “hub” cannot be reached'),
    ).toBeInTheDocument();
    expect(screen.getByText('connect ECONNREFUSED')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
    expect(screen.getByText('connected, hub not reachable')).toBeVisible();
    expect(listed()).toHaveLength(3);
  });

  it.each<[string, Answer | 'networkError', RegExp]>([
    [
      'there are no ApplicationSets',
      ok({ items: [], hubs: [HUB] }),
      /No ApplicationSets that you may see/,
    ],
    ['there is no hub', ok({ items: [], hubs: [] }), /No hub is configured/],
    [
      'an owner is missing',
      ok({
        ...SETS,
        findings: [
          {
            code: 'AFC-441',
            severity: 'warning',
            title: 'Owner group:default/platform is not in the catalog',
            message: 'Two ApplicationSets have this owner.',
          },
        ],
      }),
      /^Owner group:default\/platform is not in the catalog/,
    ],
    [
      'permission is missing',
      failure(403, 'NotAllowedError', 'Unauthorized'),
      /You do not have permission/,
    ],
    ['the backend does not answer', 'networkError', /does not answer/],
  ])('says when %s', async (_case, answer, text) => {
    renderPage(answer);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it.each([
    ['does not link', 'AFC-306', 1],
    ['does not link', 'AFC-307', 1],
    ['links', 'AFC-308', 2],
    ['does not link', 'AFC-444', 1],
    ['does not link', 'AFC-445', 1],
  ])(
    '%s an ApplicationSet with %s to its component',
    async (_, code, links) => {
      const annotations = { 'argocd-fleet/component': 'other-team' };
      renderPage(
        ok({
          ...SETS,
          items: [
            healthySet('permitted', { annotations }),
            healthySet('found', {
              annotations,
              findings: [
                {
                  code,
                  severity: 'warning',
                  title: 'About the component',
                  message: 'What the catalog has.',
                },
              ],
            }),
          ],
        }),
      );
      expect(await screen.findByText('found')).toBeInTheDocument();
      expect(screen.getAllByRole('link', { name: /other-team/ })).toHaveLength(
        links,
      );
    },
  );

  it('opens one ApplicationSet with its clusters, and returns to the list', async () => {
    const { backend } = renderPage(ok(SETS));
    const path =
      '/api/argocd-fleet/applicationsets/hub/openshift-gitops/guestbook-allclusters-app-set/rows';
    backend.answer(ok(guestbook()), path);
    await userEvent.click(
      await screen.findByRole('link', {
        name: 'guestbook-allclusters-app-set',
      }),
    );
    expect(
      await screen.findByRole('button', { name: 'cluster1: show details' }),
    ).toBeInTheDocument();
    expect(backend.requests).toContain(path);
    expect(
      screen.getByRole('heading', { name: 'guestbook-allclusters-app-set' }),
    ).toBeVisible();
    expect(document.title).toMatch(
      /^guestbook-allclusters-app-set \| Fleet \| /,
    );
    expect(
      screen.getByRole('link', { name: /All ApplicationSets/ }),
    ).toHaveAttribute('href', '/argocd-fleet');
  });

  it('says that the ApplicationSet of the URL does not exist', async () => {
    renderPage(
      failure(404, 'NotFoundError', 'No ApplicationSet argocd/gone on hub hub'),
      '/argocd-fleet/hub/argocd/gone',
    );
    expect(
      await screen.findByText(
        'No ApplicationSet argocd/gone that you may see on hub “hub”',
      ),
    ).toBeInTheDocument();
  });

  it('says that a path is none of its pages, with a way to the list', async () => {
    const { baseElement } = renderPage(ok(SETS), '/argocd-fleet/hub/argocd');
    expect(await screen.findByText(/hub\/argocd/)).toBeInTheDocument();
    expect(screen.queryByRole('grid')).toBeNull();
    expect(await axe(baseElement)).toHaveNoViolations();
    await userEvent.click(
      screen.getByRole('link', { name: /All ApplicationSets/ }),
    );
    expect(await screen.findByRole('grid')).toBeInTheDocument();
  });
});
