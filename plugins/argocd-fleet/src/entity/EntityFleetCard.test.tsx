import { screen, waitFor } from '@testing-library/react';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { axe, toHaveNoViolations } from 'jest-axe';
import { GUESTBOOK } from '../__testUtils__/entity';
import {
  createFakeBackend,
  failure,
  NO_SUCH_PLUGIN,
  ok,
  type Answer,
} from '../__testUtils__/fakeBackend';
import {
  applicationSetRows,
  clusterApplication,
  COMMIT,
  entityFleet,
  FORBIDDEN,
  guestbook,
  minutesAgo,
} from '../__testUtils__/fixtures';
import { renderForEntity } from '../__testUtils__/render';
import { EntityFleetCard } from './EntityFleetCard';

expect.extend(toHaveNoViolations);

const { ref } = guestbook();
const link = {
  ref,
  way: 'annotation' as const,
  via: 'annotation argocd-fleet/applicationset',
};
const UNREACHABLE = {
  name: 'hub',
  state: 'unreachable',
  message: 'connect ECONNREFUSED',
} as const;

function renderCard(answer: Answer | 'networkError' | 'never') {
  return renderForEntity(<EntityFleetCard />, createFakeBackend(answer), {
    entity: GUESTBOOK,
  });
}

describe('the overview card', () => {
  it('shows both bars, the clusters, the worst message and its age', async () => {
    const { baseElement } = renderCard(ok(entityFleet([guestbook()])));
    expect(await screen.findByText(ref.name)).toBeInTheDocument();
    expect(
      screen.getByText('1 of 3 clusters in trouble · 2 in progress'),
    ).toBeInTheDocument();
    expect(
      screen.getByRole('img', { name: 'Sync: 2 Synced, 1 OutOfSync' }),
    ).toBeInTheDocument();
    expect(
      screen.getByRole('img', { name: 'Health: 2 Progressing, 1 Missing' }),
    ).toBeInTheDocument();
    expect(
      screen.getByText(`cluster1: ${FORBIDDEN.title}`),
    ).toBeInTheDocument();
    expect(await screen.findByText('live')).toBeInTheDocument();
    expect(await axe(baseElement)).toHaveNoViolations();
  });

  it('counts stale clusters separately', async () => {
    renderCard(
      ok(
        entityFleet([
          applicationSetRows([
            clusterApplication('a', { staleSince: minutesAgo(60) }),
          ]),
        ]),
      ),
    );
    expect(
      await screen.findByText('1 of 1 cluster in trouble · 1 stale'),
    ).toBeInTheDocument();
  });

  const OLD = 'b'.repeat(40);
  const WANTED = { revision: COMMIT, targetRevisions: ['1.9'] };
  it.each<[string, ApplicationSet['revisions'], number, string]>([
    [
      'one on all',
      [{ ...WANTED, clusters: 3, wanted: 3, completeSince: minutesAgo(180) }],
      0,
      '1.9 (a1b2c3d) on all 3 clusters for 3 h',
    ],
    [
      'some behind',
      [
        { ...WANTED, clusters: 1, wanted: 3 },
        { revision: OLD, clusters: 1, wanted: 0 },
      ],
      1,
      '1.9 (a1b2c3d) on 1 of 3 ·bbbbbbb on 1 ·not known on 1',
    ],
    [
      'the wanted one before any cluster compared with it',
      [
        { targetRevisions: ['2.0'], clusters: 0, wanted: 3 },
        { revision: OLD, targetRevisions: ['1.9'], clusters: 3, wanted: 0 },
      ],
      0,
      '2.0 wanted, and no cluster has compared with it yet ·1.9 (bbbbbbb) on 3',
    ],
    [
      'several sources, a chart and an image',
      [
        {
          revision: `1.2.3 ${COMMIT} sha256:${'c'.repeat(64)}`,
          targetRevisions: ['1.2.3', 'main', 'main'],
          clusters: 3,
          wanted: 3,
        },
      ],
      0,
      '1.2.3 + main (1.2.3 + a1b2c3d + sha256:cccccccccccc) on all 3 clusters',
    ],
    [
      'a tag of digits',
      [{ revision: '20261128', clusters: 3, wanted: 3 }],
      0,
      '20261128 on all 3 clusters',
    ],
  ])('begins with the versions: %s', async (...row) => {
    const [, revisions, notKnown, expected] = row;
    renderCard(ok(entityFleet([{ ...guestbook(), revisions, notKnown }])));
    expect(
      (
        await screen.findByRole('group', { name: 'Version' })
      ).textContent?.replaceAll('\u00a0', ' '),
    ).toBe(expected);
  });

  it('works where the tab is not installed, without a link', async () => {
    renderCard(ok(entityFleet([guestbook()])));
    await screen.findByText(ref.name);
    expect(screen.queryByRole('link', { name: /Open Fleet/ })).toBeNull();
  });

  it.each<[string, Answer | 'networkError', RegExp]>([
    [
      'an entity without a link',
      ok(entityFleet([])),
      /Not linked to an ApplicationSet/,
    ],
    [
      'a malformed annotation',
      ok(entityFleet([], { problem: 'no namespace in "guestbook"' })),
      /no namespace in "guestbook"/,
    ],
    [
      'a missing ApplicationSet',
      ok(entityFleet([], { links: [{ ...link, state: 'missing' }] })),
      /No ApplicationSet openshift-gitops\/guestbook-allclusters-app-set that you may see on hub “hub”/,
    ],
    [
      'an unknown hub',
      ok(entityFleet([], { links: [{ ...link, state: 'hubUnknown' }] })),
      /Hub “hub” is not configured/,
    ],
    [
      'a hub that cannot be reached',
      ok(
        entityFleet([], {
          links: [{ ...link, state: 'hubUnavailable' }],
          hubs: [UNREACHABLE],
        }),
      ),
      /Hub “hub” cannot be reached/,
    ],
    [
      'no clusters',
      ok(entityFleet([applicationSetRows([])])),
      /Placement aws-app-placement selects no cluster/,
    ],
    [
      'no permission',
      failure(403, 'NotAllowedError', 'Unauthorized'),
      /do not have permission/,
    ],
    ['no backend plugin', NO_SUCH_PLUGIN, /backend is not installed/],
    ['no network', 'networkError', /backend does not answer/],
  ])('shows a notice for %s', async (_case, answer, text) => {
    const { container } = renderCard(answer);
    await waitFor(() => expect(container).toHaveTextContent(text));
  });

  it('shows a notice for a hub that became unreachable', async () => {
    const hub = { ...UNREACHABLE, since: minutesAgo(7) };
    const { container } = renderCard(
      ok(entityFleet([guestbook()], { hubs: [hub] })),
    );
    await waitFor(() =>
      expect(container).toHaveTextContent(
        'Hub “hub” cannot be reached. as of 7 min ago',
      ),
    );
  });

  it('shows nothing of an entity that left the catalog, and says so', async () => {
    const backend = createFakeBackend(ok(entityFleet([guestbook()])));
    const { container } = renderForEntity(<EntityFleetCard />, backend, {
      entity: GUESTBOOK,
    });
    await screen.findByText(ref.name);
    await screen.findByText('live');
    backend.answer(
      failure(404, 'NotFoundError', 'No entity component:default/guestbook'),
    );
    backend.emit({ applicationSets: [ref], hubs: [] });
    await screen.findByText('No entity component:default/guestbook');
    expect(container).toHaveTextContent('Not found.');
    expect(container).not.toHaveTextContent(ref.name);
    expect(container).not.toHaveTextContent(/reconnecting/);
  });
});
