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
const link = { ref, via: 'annotation argocd-fleet/applicationset' };
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
  it.each<[string, ApplicationSet['revisions'], string[]]>([
    ['one', [{ revision: COMMIT, clusters: 1, wanted: 1 }], []],
    [
      'two',
      [
        { revision: COMMIT, clusters: 1, wanted: 3 },
        { revision: OLD, clusters: 2, wanted: 0 },
      ],
      [
        'a1b2c3d on 1 cluster, wanted on 3',
        'bbbbbbb on 2 clusters, no longer wanted',
      ],
    ],
    [
      'one, while the wanted one is not known',
      [{ revision: COMMIT, clusters: 1, wanted: 0 }],
      [],
    ],
    [
      'two, while the wanted one is not known',
      [
        { revision: COMMIT, clusters: 1, wanted: 0 },
        { revision: OLD, clusters: 2, wanted: 0 },
      ],
      ['a1b2c3d on 1 cluster', 'bbbbbbb on 2 clusters'],
    ],
  ])('says which revisions run: %s', async (_, revisions, expected) => {
    renderCard(ok(entityFleet([{ ...guestbook(), revisions }])));
    expect(await screen.findByText(ref.name)).toBeInTheDocument();
    expect(
      screen
        .queryAllByRole('listitem')
        .map(({ textContent }) =>
          textContent?.replace(', Opens in a new window', ''),
        ),
    ).toEqual(expected);
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
      /No ApplicationSet openshift-gitops\/guestbook-allclusters-app-set on hub “hub”/,
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
