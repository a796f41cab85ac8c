import type {
  ApplicationSetRows,
  ClusterApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { axe, toHaveNoViolations } from 'jest-axe';
import { UNLINKED } from '../__testUtils__/entity';
import {
  createFakeBackend,
  failure,
  NO_SUCH_PLUGIN,
  ok,
  serveSets,
  type Answer,
  type FakeBackend,
} from '../__testUtils__/fakeBackend';
import {
  applicationSetRows,
  clusterApplication,
  entityFleet,
  FORBIDDEN,
  FORBIDDEN_MESSAGE,
  forbiddenApplication,
  guestbook,
  guestbookApplications,
  largeFleet,
  minutesAgo,
} from '../__testUtils__/fixtures';
import { renderForEntity } from '../__testUtils__/render';
import { clusters, currentUrl, opener, tile } from '../__testUtils__/section';
import { transition } from '../__testUtils__/transitions';
import { rowKeyOf } from '../rowIdentity';
import { EntityFleetContent } from './EntityFleetContent';

expect.extend(toHaveNoViolations);

const REF = guestbook().ref;
const ROWS_PATH = `/api/argocd-fleet/applicationsets/${REF.hub}/${REF.namespace}/${REF.name}/rows`;
const CHANGE = { applicationSets: [REF], hubs: [] };
const UNREACHABLE = {
  name: 'hub',
  state: 'unreachable',
  since: minutesAgo(7),
  message: 'connect ECONNREFUSED 10.0.0.12:6443',
} as const;

/** The answer for an entity that is linked to sets, with what its sections and the drawer load after it. */
interface Tab extends Answer {
  readonly sets: readonly ApplicationSetRows[];
  readonly applications: readonly ClusterApplication[];
}

function tabOf(
  sets: readonly ApplicationSetRows[],
  applications: readonly ClusterApplication[] = [],
): Tab {
  return { ...ok(entityFleet(sets)), sets, applications };
}

const guestbookTab = () => tabOf([guestbook()], guestbookApplications());

function serve(backend: FakeBackend, tab: Tab) {
  backend.answer(tab);
  serveSets(backend, tab.sets, tab.applications);
}

function renderTab(
  answer: Answer | Tab | 'networkError' | 'never',
  options: Parameters<typeof renderForEntity>[2] = {},
) {
  const backend = createFakeBackend(answer);
  if (typeof answer === 'object' && 'sets' in answer) {
    serve(backend, answer);
  }
  const rendered = renderForEntity(<EntityFleetContent />, backend, options);
  return { backend, ...rendered };
}

/** The browser's back button, which works beside an open drawer. */
const back = () => userEvent.click(screen.getByText('back'));

describe('the Fleet tab', () => {
  it('shows each cluster with its state, the worst first', async () => {
    renderTab(guestbookTab());
    await screen.findByRole('heading', { name: REF.name });
    expect(clusters()).toEqual(['cluster1', 'pcluster1', 'pcluster2']);

    const [, first] = screen.getAllByRole('row');
    expect(first).toHaveTextContent(/cluster1.*Missing.*OutOfSync.*a1b2c3d/);
    expect(first).toHaveTextContent(FORBIDDEN.title);
    expect(screen.queryByText(FORBIDDEN_MESSAGE)).toBeNull();
    expect(
      screen.getByRole('link', {
        name: /argocd-example-apps \/ guestbook @ main/,
      }),
    ).toHaveAttribute(
      'href',
      'https://github.com/argoproj/argocd-example-apps/tree/main/guestbook',
    );
    expect(
      screen.getByText(
        /placement aws-app-placement: 4 clusters, 1 of them the hub itself/,
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByText(
        /1 generated Application is not delivered: local-cluster is the hub itself/,
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByRole('img', { name: 'State: 2 in progress, 1 in trouble' }),
    ).toBeInTheDocument();
  });

  it('shows that it is live', async () => {
    renderTab(guestbookTab());
    expect(await screen.findByText('live')).toBeInTheDocument();
    expect(screen.queryByText(/not live|updated/)).toBeNull();
  });

  it('filters by a state and keeps the filter in the URL', async () => {
    renderTab(guestbookTab());
    await screen.findByText(REF.name);
    await userEvent.click(tile(/missing/));
    expect(clusters()).toEqual(['cluster1']);
    expect(tile(/missing/)).toHaveAttribute('aria-pressed', 'true');
    expect(currentUrl()).toContain('health=Missing');
    expect(
      screen.getByText(
        '1 of 3 applications · filtered by health: missing · worst first',
      ),
    ).toBeInTheDocument();

    await userEvent.click(tile(/missing/));
    expect(clusters()).toHaveLength(3);
    expect(currentUrl()).not.toContain('health');
  });

  it('reads its filters from the URL', async () => {
    renderTab(guestbookTab(), {
      url: '/?health=Progressing&sort=-cluster',
    });
    await screen.findByText(REF.name);
    expect(clusters()).toEqual(['pcluster2', 'pcluster1']);
    expect(
      screen.getByRole('columnheader', { name: 'Cluster' }),
    ).toHaveAttribute('aria-sort', 'descending');
  });

  it('searches, and says when nothing matches', async () => {
    renderTab(guestbookTab());
    const search = await screen.findByRole('searchbox');
    await userEvent.type(search, 'forbidden deployments');
    await waitFor(() => expect(clusters()).toEqual(['cluster1']));
    await userEvent.type(search, ' nowhere');
    expect(
      await screen.findByText('No application matches these filters.'),
    ).toBeInTheDocument();
    await userEvent.click(
      screen.getByRole('button', { name: 'Clear filters' }),
    );
    expect(clusters()).toHaveLength(3);
    expect(search).toHaveValue('');
  });

  it('sorts by a column, also by keyboard', async () => {
    renderTab(guestbookTab());
    const header = await screen.findByRole('button', { name: 'Health' });
    header.focus();
    await userEvent.keyboard('{Enter}');
    expect(clusters()).toEqual(['cluster1', 'pcluster1', 'pcluster2']);
    expect(currentUrl()).toContain('sort=health');
    expect(screen.queryByText(/worst first/)).toBeNull();

    await userEvent.keyboard('{Enter}');
    expect(clusters()).toEqual(['pcluster1', 'pcluster2', 'cluster1']);
    expect(currentUrl()).toContain('sort=-health');

    await userEvent.keyboard('{Enter}');
    expect(currentUrl()).not.toContain('sort');
    expect(screen.getByText(/3 applications · worst first/)).toBeVisible();
  });

  it('replaces one filter by another, and clears a pressed one', async () => {
    renderTab(
      tabOf([
        applicationSetRows([
          clusterApplication('silent', { staleSince: minutesAgo(90) }),
          clusterApplication('broken', { health: 'Degraded' }),
          clusterApplication('lost', { sync: 'Unknown' }),
        ]),
      ]),
    );
    await screen.findByText(REF.name);
    await userEvent.click(tile(/degraded/));
    expect(clusters()).toEqual(['broken']);
    await userEvent.click(tile(/stale/));
    expect(clusters()).toEqual(['silent']);
    expect(tile(/degraded/)).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(tile(/sync unknown/));
    expect(clusters()).toEqual(['lost']);
    await userEvent.click(tile(/sync unknown/));
    expect(clusters()).toHaveLength(3);
  });

  it('goes back through clicks, not through typed letters', async () => {
    renderTab(guestbookTab());
    await screen.findByText(REF.name);
    await userEvent.click(tile(/missing/));
    await userEvent.click(tile(/progressing/));
    await userEvent.type(screen.getByRole('searchbox'), 'pcluster2');
    await waitFor(() => expect(clusters()).toEqual(['pcluster2']));
    await back();
    expect(clusters()).toEqual(['cluster1']);
    await back();
    expect(clusters()).toHaveLength(3);
  });

  it('shows rows as cards in a narrow table, with their errors', async () => {
    const width = jest
      .spyOn(Element.prototype, 'clientWidth', 'get')
      .mockReturnValue(360);
    try {
      renderTab(guestbookTab());
      await screen.findByText(REF.name);
      const [, first] = screen.getAllByRole('row');
      expect(
        within(first)
          .getAllByRole('gridcell')
          .map(cell => cell.textContent),
      ).toEqual([
        'cluster1',
        'in trouble',
        'Missing',
        'OutOfSync Failed',
        expect.stringMatching(/^main a1b2c3d/),
        expect.stringMatching(/^\d+ min$/),
        FORBIDDEN.title,
      ]);
      expect(
        screen.getByRole('button', { name: 'Health' }),
      ).toBeInTheDocument();
    } finally {
      width.mockRestore();
    }
  });

  it('shows a warning in another colour than an error', async () => {
    const warning = {
      ...FORBIDDEN,
      code: 'AFC-214',
      severity: 'warning',
      title: 'Out of sync',
    } as const;
    renderTab(
      tabOf([
        applicationSetRows([
          clusterApplication('behind', {
            sync: 'OutOfSync',
            error: 'Out of sync',
            finding: warning,
          }),
          forbiddenApplication(),
        ]),
      ]),
    );
    await screen.findByText(REF.name);
    expect(clusters()).toEqual(['cluster1', 'behind']);
    const [error, message] = ['cluster1', 'behind'].map(name =>
      within(opener(name).closest('tr')!).getByText(
        /may not create|Out of sync/,
      ),
    );
    expect(getComputedStyle(message).color).not.toBe(
      getComputedStyle(error).color,
    );
  });

  it('does not call a cluster without ManagedCluster unavailable', async () => {
    const pushed = clusterApplication('in-cluster');
    const cluster = { ...pushed.cluster, available: 'Unknown' as const };
    const application = { ...pushed, cluster };
    renderTab(tabOf([applicationSetRows([application])], [application]));
    await userEvent.click(
      await screen.findByRole('button', { name: 'in-cluster: show details' }),
    );
    const drawer = await screen.findByRole('dialog', { name: 'in-cluster' });
    expect(
      within(drawer).getByText(/no ManagedCluster on the hub/),
    ).toBeVisible();
    expect(screen.queryByText(/availab/)).toBeNull();
  });

  it('names an Application whose cluster is unknown, without an availability', async () => {
    const lost = {
      ...clusterApplication('', { health: 'Unknown', sync: 'Unknown' }),
      application: { namespace: 'argocd', name: 'lost-app' },
    };
    const rows = applicationSetRows([
      { ...lost, cluster: { ...lost.cluster, available: 'Unknown' } },
    ]);
    renderTab(tabOf([rows], [lost]));
    await userEvent.click(
      await screen.findByRole('button', { name: 'lost-app: show details' }),
    );
    const drawer = await screen.findByRole('dialog', { name: 'lost-app' });
    await within(drawer).findByRole('list', { name: 'Delivery path' });
    expect(within(drawer).queryByText(/availab/)).toBeNull();
    expect(screen.queryByText('unavailable')).toBeNull();
  });

  it('groups errors by cause with a fix, and filters by cause', async () => {
    renderTab(guestbookTab());
    const causes = await screen.findByRole('list', { name: 'What is wrong' });
    expect(causes).toHaveTextContent(
      /may not create Deployments hereAFC-204 · 1 cluster · for 11 min/,
    );
    expect(screen.queryByText(/managed-by=openshift-gitops/)).toBeNull();

    await userEvent.click(
      within(causes).getByRole('button', { name: 'Show fix' }),
    );
    expect(
      within(causes).getByText(/managed-by=openshift-gitops/),
    ).toBeInTheDocument();
    expect(within(causes).getByText(FORBIDDEN_MESSAGE)).toBeInTheDocument();

    await userEvent.click(
      within(causes).getByRole('button', { name: new RegExp(FORBIDDEN.title) }),
    );
    expect(clusters()).toEqual(['cluster1']);
  });

  it('shows changes without a reload, and keeps the filter', async () => {
    const { backend } = renderTab(guestbookTab(), {
      url: '/?health=Missing',
    });
    await screen.findByText(REF.name);
    await waitFor(() => expect(backend.streams()).toBe(1));
    serve(
      backend,
      tabOf([
        applicationSetRows([
          clusterApplication('cluster1'),
          clusterApplication('pcluster1', { health: 'Missing' }),
        ]),
      ]),
    );
    backend.emit(CHANGE);
    await waitFor(() => expect(clusters()).toEqual(['pcluster1']));
    expect(currentUrl()).toContain('health=Missing');
  });

  it('polls while there are no events, and says so', async () => {
    const { backend } = renderTab(guestbookTab());
    await screen.findByText('live');
    backend.refuseStreams();
    expect(
      await screen.findByText(/^not live: polling every 5 s · updated/),
    ).toBeInTheDocument();
    expect(clusters()).toHaveLength(3);
  });

  it('keeps the last data while requests fail, and says so', async () => {
    const { backend } = renderTab(guestbookTab());
    await screen.findByText(REF.name);
    backend.answer('networkError', ROWS_PATH);
    backend.emit(CHANGE);
    expect(
      await screen.findByText(/not live: reconnecting · as of/),
    ).toBeInTheDocument();
    expect(clusters()).toHaveLength(3);
  });

  it('opens the delivery path by keyboard, with the finding and its fix', async () => {
    renderTab(guestbookTab());
    const [, row] = await screen.findAllByRole('row');
    const open = within(row).getByRole('button');
    open.focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toHaveTextContent('pcluster1');
    await userEvent.keyboard('{ArrowUp}{Enter}');

    const drawer = await screen.findByRole('dialog', { name: 'cluster1' });
    const path = await within(drawer).findByRole('list', {
      name: 'Delivery path',
    });
    expect(
      within(path)
        .getAllByRole('listitem')
        .map(({ firstChild, textContent }) => firstChild && textContent),
    ).toEqual([
      expect.stringMatching(/^Selected by placement \(done\)/),
      expect.stringMatching(/^Application generated \(done\)/),
      expect.stringMatching(/^ManifestWork created \(done\)/),
      expect.stringMatching(/^Applied by the agent \(done\)/),
      expect.stringMatching(
        /^Not synced: Argo CD may not create Deployments here AFC-204.*lacks the right/,
      ),
      expect.stringMatching(/^Healthy \(waiting\).*waits for the step above/),
    ]);
    expect(
      within(drawer).getByText(FORBIDDEN.fix!.command!),
    ).toBeInTheDocument();
    expect(path).toHaveTextContent(`${FORBIDDEN.title} AFC-204`);
    expect(within(path).getByText(FORBIDDEN_MESSAGE)).toBeInTheDocument();
    expect(within(drawer).getByText('SyncError')).toBeInTheDocument();
    expect(
      within(drawer).getByRole('row', {
        name: /Deployment guestbook-ui OutOfSync Missing/,
      }),
    ).toBeInTheDocument();
    expect(
      within(drawer).getByText(/ks-guestbook-demo:0.2/),
    ).toBeInTheDocument();
    expect(currentUrl()).toContain('row=cluster1');

    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(open).toHaveFocus();
    expect(currentUrl()).not.toContain('row=');
  });

  it('closes the drawer by the back button, and stays on the page', async () => {
    renderTab(guestbookTab());
    await screen.findByText(REF.name);
    await userEvent.click(tile(/missing/));
    await userEvent.click(opener('cluster1'));
    await screen.findByRole('dialog', { name: 'cluster1' });
    await back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentUrl()).toBe('/?health=Missing');
    expect(clusters()).toEqual(['cluster1']);
    // By its role: the page is no longer hidden from assistive technology.
    expect(
      screen.getByRole('button', { name: 'cluster1: show details' }),
    ).toHaveFocus();
  });

  it('closes the drawer of a link by the back button, and stays on the page', async () => {
    const [row] = guestbook().applications;
    const link = `/?${new URLSearchParams({ health: 'Missing', row: rowKeyOf(row) })}`;
    renderTab(guestbookTab(), { url: link });
    await screen.findByRole('dialog', { name: 'cluster1' });
    await waitFor(() => expect(currentUrl()).toBe(link));
    await back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentUrl()).toBe('/?health=Missing');
    expect(clusters()).toEqual(['cluster1']);
  });

  it('does not open a closed drawer again by the back button', async () => {
    renderTab(guestbookTab());
    await screen.findByText(REF.name);
    await userEvent.click(tile(/missing/));
    await userEvent.click(opener('cluster1'));
    await screen.findByRole('dialog', { name: 'cluster1' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentUrl()).toBe('/?health=Missing');
    await back();
    expect(currentUrl()).toBe('/');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('copies the fix', async () => {
    const user = userEvent.setup();
    const write = jest.spyOn(navigator.clipboard, 'writeText');
    renderTab(guestbookTab());
    await user.click(await screen.findByRole('button', { name: 'Show fix' }));
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible();
    expect(write).toHaveBeenCalledWith(FORBIDDEN.fix!.command);
  });

  it('keeps the filters of several sets apart', async () => {
    const other = applicationSetRows([clusterApplication('other-1')], {
      ref: { hub: 'hub', namespace: 'openshift-gitops', name: 'other' },
    });
    renderTab(tabOf([guestbook(), other]));
    const section = await screen.findByRole('region', { name: REF.name });
    await userEvent.click(
      within(section).getByRole('button', { name: /missing/ }),
    );
    expect(clusters()).toEqual(['cluster1', 'other-1']);
    expect(currentUrl()).toContain(`${REF.name}.health=Missing`);
  });

  it('shows more than three ApplicationSets as tabs', async () => {
    const sets = ['a', 'b', 'c', 'd'].map(name =>
      applicationSetRows(
        name === 'd'
          ? [forbiddenApplication('d-1')]
          : [clusterApplication(`${name}-1`)],
        { ref: { hub: 'hub', namespace: 'argocd', name } },
      ),
    );
    renderTab(tabOf(sets));
    await userEvent.click(
      await screen.findByRole('tab', { name: 'c all synced and healthy' }),
    );
    expect(
      screen.getAllByRole('tab').map(({ textContent }) => textContent),
    ).toEqual([
      'd 1 in trouble',
      ...['a', 'b', 'c'].map(name => `${name} all synced and healthy`),
    ]);
    await waitFor(() => expect(clusters()).toEqual(['c-1']));
    expect(
      screen.getByRole('tab', { name: 'c all synced and healthy' }),
    ).toHaveAttribute('aria-selected', 'true');
  });

  it('marks clusters that stopped reporting', async () => {
    renderTab(
      tabOf([
        applicationSetRows([
          clusterApplication('silent', { staleSince: minutesAgo(90) }),
          clusterApplication('talking'),
        ]),
      ]),
    );
    expect(await screen.findByText('stale')).toHaveAttribute(
      'title',
      expect.stringContaining('stopped reporting'),
    );
    expect(
      screen.getByRole('img', { name: 'State: 1 ok, 1 in trouble' }),
    ).toBeInTheDocument();
    expect(tile(/stale/)).toHaveTextContent(/^1/);
    await userEvent.click(tile(/stale/));
    expect(clusters()).toEqual(['silent']);
  });

  it('renders only the visible rows of thousands', async () => {
    // jsdom has no layout: the test sets the height of the scroll box.
    const height = jest
      .spyOn(Element.prototype, 'clientHeight', 'get')
      .mockReturnValue(600);
    renderTab(tabOf([applicationSetRows(largeFleet(3_500))]));
    const table = await screen.findByRole('grid', { name: /^Clusters of/ });
    expect(table).toHaveAttribute('aria-rowcount', '3501');
    await waitFor(() => expect(clusters().length).toBeGreaterThan(10));
    expect(clusters().length).toBeLessThan(60);
    height.mockRestore();
  });

  it('has no accessibility violations, also with the drawer open', async () => {
    const { baseElement } = renderTab(guestbookTab());
    await screen.findByText(REF.name);
    expect(await axe(baseElement)).toHaveNoViolations();
    await userEvent.click(
      screen.getByRole('button', { name: 'cluster1: show details' }),
    );
    await screen.findByRole('dialog');
    expect(await axe(baseElement)).toHaveNoViolations();
  });
});

describe('the Fleet tab without data explains why:', () => {
  const link = {
    ref: REF,
    way: 'annotation' as const,
    via: 'annotation argocd-fleet/applicationset',
  };
  const linked = (overrides: Parameters<typeof entityFleet>[1]) =>
    ok(entityFleet([], overrides));

  it('loading', async () => {
    renderTab('never');
    expect(
      await screen.findByRole('status', { name: 'Loading fleet status' }),
    ).toHaveAttribute('aria-busy', 'true');
  });

  it('an entity without a link, and how to add one', async () => {
    renderTab(ok(entityFleet([])), { entity: UNLINKED });
    expect(
      await screen.findByText(
        'This component is not linked to an ApplicationSet',
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByText(/argocd-fleet\/applicationset: <namespace>\/<name>/),
    ).toBeInTheDocument();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('an entity without a link, with what it may mean and where to write it', async () => {
    const { baseElement } = renderTab(
      linked({
        hint: 'The annotation argocd/app-name matches no Application.',
        nearMatches: [
          { ref: REF, why: 'repository' },
          { ref: { ...REF, name: 'billing' }, why: 'name' },
        ],
      }),
      {
        entity: {
          ...UNLINKED,
          metadata: {
            ...UNLINKED.metadata,
            annotations: {
              'backstage.io/edit-url': 'https://git.example.com/edit',
            },
          },
        },
      },
    );
    const matches = await screen.findByRole('list', {
      name: 'ApplicationSets that it may mean',
    });
    expect(
      within(matches)
        .getAllByRole('listitem')
        .map(item => item.textContent),
    ).toEqual([
      expect.stringContaining(
        `on hub “hub” · deploys from the same repositoryargocd-fleet/applicationset: hub:${REF.namespace}/${REF.name}`,
      ),
      expect.stringContaining(
        `has a similar nameargocd-fleet/applicationset: hub:${REF.namespace}/billing`,
      ),
    ]);
    expect(
      screen.getByText(/argocd\/app-name matches no Application/),
    ).toBeVisible();
    expect(
      screen.getByRole('link', { name: /Edit catalog-info.yaml/ }),
    ).toHaveAttribute('href', 'https://git.example.com/edit');
    expect(await axe(baseElement)).toHaveNoViolations();
  });

  it('a missing ApplicationSet, and what exists instead', async () => {
    renderTab(
      linked({
        links: [{ ...link, state: 'missing' }],
        nearMatches: [{ ref: { ...REF, name: 'guestbook' }, why: 'name' }],
      }),
    );
    expect(await screen.findByText('What exists instead')).toBeVisible();
    expect(
      screen.getByText(
        `argocd-fleet/applicationset: hub:${REF.namespace}/guestbook`,
      ),
    ).toBeVisible();
  });

  it.each<[string, Answer | 'networkError', RegExp, RegExp]>([
    [
      'a malformed annotation',
      linked({
        problem: '"guestbook" has no namespace: write <namespace>/<name>',
      }),
      /Check the annotations that link this component/,
      /"guestbook" has no namespace/,
    ],
    [
      'a missing ApplicationSet',
      linked({ links: [{ ...link, state: 'missing' }] }),
      /No ApplicationSet openshift-gitops\/guestbook-allclusters-app-set that you may see on hub “hub”/,
      /kubectl -n openshift-gitops get applicationsets/,
    ],
    [
      'an unknown hub',
      linked({
        links: [{ ...link, ref: { ...REF, hub: 'hbu' }, state: 'hubUnknown' }],
      }),
      /No hub is called “hbu”/,
      /Configured hubs: “hub”\./,
    ],
    [
      'a hub that cannot be reached',
      linked({
        links: [{ ...link, state: 'hubUnavailable' }],
        hubs: [UNREACHABLE],
      }),
      /Hub “hub” cannot be reached/,
      /ECONNREFUSED/,
    ],
    [
      'a hub that is being read',
      linked({
        links: [{ ...link, state: 'hubUnavailable' }],
        hubs: [{ name: 'hub', state: 'starting' }],
      }),
      /Hub “hub” is being listed/,
      /It answers, and the portal is listing what it has/,
    ],
    [
      'no permission',
      failure(403, 'NotAllowedError', 'You lack argocd-fleet.any.read'),
      /You do not have permission to see the fleet/,
      /You lack argocd-fleet\.any\.read/,
    ],
    [
      'no session',
      failure(401, 'AuthenticationError', 'Missing credentials'),
      /Your session has ended/,
      /Sign in again/,
    ],
    [
      'no backend plugin',
      NO_SUCH_PLUGIN,
      /backend is not installed/,
      /backstage-plugin-argocd-fleet-backend/,
    ],
    [
      'an entity that the catalog does not have',
      failure(404, 'NotFoundError', 'No entity component:default/guestbook'),
      /^Not found$/,
      /No entity component:default\/guestbook/,
    ],
    [
      'a failing backend',
      failure(500, 'Error', 'database is locked'),
      /backend failed/,
      /database is locked/,
    ],
    [
      'a backend that is starting',
      failure(503, 'ServiceUnavailableError', 'Backend has not started yet'),
      /does not answer/,
      /Backend has not started yet/,
    ],
    [
      'a hub that is not listed yet',
      failure(503, 'HubNotListedError', 'Hub "hub" is being listed'),
      /^The hub has not been listed yet$/,
      /Hub "hub" is being listed/,
    ],
    ['no network', 'networkError', /does not answer/, /Failed to fetch/],
    [
      'a placement that selects nothing',
      tabOf([applicationSetRows([])]),
      /The placement selects no cluster/,
      /describe placements\.cluster\.open-cluster-management\.io aws-app-placement/,
    ],
    [
      'a generator that fails',
      tabOf([
        applicationSetRows([], {
          placement: undefined,
          findings: [
            {
              code: 'AFC-110',
              severity: 'error',
              title: 'The generator failed',
              message: 'configmap ocm-placement-generator not found',
            },
          ],
        }),
      ]),
      /The generator failed/,
      /ocm-placement-generator not found/,
    ],
  ])('%s', async (_case, answer, title, detail) => {
    const { baseElement } = renderTab(answer);
    expect(await screen.findByText(title)).toBeInTheDocument();
    expect(screen.getByText(detail)).toBeInTheDocument();
    expect(await axe(baseElement)).toHaveNoViolations();
  });

  it('a missing ApplicationSet, and when its last change was recorded', async () => {
    const missing = linked({ links: [{ ...link, state: 'missing' }] });
    const { backend } = renderTab(missing);
    backend.answerTimelines(() => ok({ items: [transition(998)] }));
    expect(
      await screen.findByText(/recorded the last change of its Applications/),
    ).toHaveTextContent(/Applications \d+ min ago\. It may/);
    expect(backend.timelines).toEqual([
      '/api/argocd-fleet/applicationsets/hub/openshift-gitops/guestbook-allclusters-app-set/transitions?limit=1',
    ]);
  });

  it('a missing ApplicationSet whose timeline cannot be loaded', async () => {
    const { backend } = renderTab(
      linked({ links: [{ ...link, state: 'missing' }] }),
    );
    backend.answerTimelines(() => failure(500, 'Error', 'database is locked'));
    expect(
      await screen.findByText(
        /once existed could not be loaded: database is locked\./,
      ),
    ).toBeVisible();
  });

  it('a hub that became unreachable, with the last known data', async () => {
    renderTab(tabOf([{ ...guestbook(), hubState: UNREACHABLE }]));
    expect(
      await screen.findByText(/The portal keeps trying/),
    ).toHaveTextContent(/Out of reach for \d+ min\./);
    expect(screen.getByText('connected, hub not reachable')).toBeVisible();
    expect(screen.getByText(UNREACHABLE.message)).toBeVisible();
    expect(screen.queryByText(/^live/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
    expect(clusters()).toHaveLength(3);
  });

  it('and shows the ApplicationSet as soon as it exists', async () => {
    const { backend } = renderTab(
      linked({ links: [{ ...link, state: 'missing' }] }),
    );
    await screen.findByText(/^No ApplicationSet/);
    await waitFor(() => expect(backend.streams()).toBe(1));
    serve(backend, guestbookTab());
    backend.emit(CHANGE);
    await waitFor(() => expect(clusters()).toHaveLength(3));
  });
});
