import type {
  Source,
  TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { axe, toHaveNoViolations } from 'jest-axe';
import { useState } from 'react';
import {
  createFakeBackend,
  failure,
  ok,
  serveSets,
  type FakeBackend,
} from '../../__testUtils__/fakeBackend';
import {
  applicationSetRows,
  COMMIT,
  entityFleet,
  FORBIDDEN_MESSAGE,
  guestbook,
  guestbookApplications,
} from '../../__testUtils__/fixtures';
import { renderForEntity } from '../../__testUtils__/render';
import {
  flapping,
  transition,
  transitions,
} from '../../__testUtils__/transitions';
import { wordsOf } from '../../__testUtils__/wordsOf';
import { EntityFleetContent } from '../../entity/EntityFleetContent';
import { Timeline } from './Timeline';

expect.extend(toHaveNoViolations);

const APPLICATION = {
  hub: 'hub',
  namespace: 'openshift-gitops',
  name: 'cluster1-guestbook-app',
};
const PATH =
  '/api/argocd-fleet/applications/hub/openshift-gitops/cluster1-guestbook-app/transitions';
const { sources: SOURCES } = applicationSetRows([]);

/** A page that is updated by a click on a button. */
function Page({ sources = SOURCES }: { readonly sources?: readonly Source[] }) {
  const [asOf, setAsOf] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setAsOf(asOf + 1)}>
        change
      </button>
      <Timeline application={APPLICATION} sources={sources} asOf={asOf} />
    </>
  );
}

function renderTimeline(
  answer: Parameters<FakeBackend['answerTimelines']>[0],
  sources?: readonly Source[],
) {
  const backend = createFakeBackend('never');
  backend.answerTimelines(answer);
  return { backend, ...renderForEntity(<Page sources={sources} />, backend) };
}

const answering = (page: TransitionPage) => () => ok(page);
const change = () =>
  userEvent.click(screen.getByRole('button', { name: 'change' }));
const entries = () =>
  within(screen.getByRole('list', { name: 'Timeline' })).getAllByRole(
    'listitem',
  );

describe('the timeline of an Application', () => {
  it('shows each change with the values before and after, the latest first', async () => {
    const before = transition(1);
    renderTimeline(
      answering({
        items: [
          transition(3, {
            health: 'Healthy',
            revision: '9f8e7d6c5b4a39281706f5e4d3c2b1a098765432',
            previous: {
              health: 'Missing',
              sync: 'OutOfSync',
              phase: 'Failed',
              revision: COMMIT,
              error: 'gone soon',
            },
          }),
          transition(2, {
            health: 'Missing',
            sync: 'OutOfSync',
            phase: 'Failed',
            error: 'gone soon',
            previous: before,
          }),
          before,
        ],
      }),
    );
    await screen.findByRole('list', { name: 'Timeline' });
    const [latest, failed, first] = entries();
    expect(wordsOf(latest)).toMatch(
      /HealthMissing→toHealthySyncOutOfSync→toSyncedOperationFailed→toSucceededRevisiona1b2c3d→to9f8e7d6No error any more\d+ h ago · [^a-z]*$/,
    );
    expect(wordsOf(failed)).toMatch(
      /HealthHealthy→toMissingSyncSynced→toOutOfSyncOperationSucceeded→toFailedgone soon\d+ h ago · [^a-z]*$/,
    );
    expect(wordsOf(first)).toMatch(
      /^First seenHealthHealthySyncSyncedOperationSucceededRevisiona1b2c3d/,
    );
    expect(within(first).getByText(/ago$/)).toHaveAttribute(
      'title',
      expect.stringMatching(/\d{4}/),
    );
    expect(
      within(latest).getByRole('link', { name: /9f8e7d6/ }),
    ).toHaveAttribute('href', expect.stringContaining('/commit/9f8e7d6'));
  });

  it('names the source of a revision if there are several', async () => {
    const revisions = [COMMIT, '1.2.3'];
    renderTimeline(
      answering({
        items: [
          transition(2, {
            revisions,
            previous: transition(1, { revisions: [COMMIT, '1.2.2'] }),
          }),
          transition(1, { revisions: [COMMIT, '1.2.2'] }),
        ],
      }),
      [SOURCES[0], { repoURL: 'https://charts.example.com', chart: 'redis' }],
    );
    await screen.findByRole('list', { name: 'Timeline' });
    const [second, first] = entries();
    expect(wordsOf(second)).toMatch(
      /^Revision1\.2\.2→to1\.2\.3charts\.example\.com \/ redis\d+ h ago · [^a-z]*$/,
    );
    expect(wordsOf(first)).toMatch(
      /Revisiona1b2c3d.*Revision1\.2\.2charts\.example\.com \/ redis\d+ h ago · [^a-z]*$/,
    );
  });

  it('says that the state before the first recorded transition is not known', async () => {
    renderTimeline(answering({ items: [transition(40)] }));
    expect(
      await screen.findByText('The state before is no longer recorded'),
    ).toBeVisible();
  });

  it('expands an error, also by keyboard', async () => {
    renderTimeline(
      answering({
        items: [
          transition(1, {
            revision: undefined,
            error: `${FORBIDDEN_MESSAGE}, and more`,
          }),
        ],
      }),
    );
    const show = await screen.findByRole('button', { name: 'Show in full' });
    expect(show).toHaveAttribute('aria-expanded', 'false');
    screen.getByRole('button', { name: 'change' }).focus();
    await userEvent.tab();
    expect(show).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(
      screen.getByRole('button', { name: 'Show less', expanded: true }),
    ).toHaveFocus();
    expect(screen.getByText(`${FORBIDDEN_MESSAGE}, and more`).tagName).toBe(
      'PRE',
    );
  });

  it('loads more pages by cursor until the last, and keeps the focus', async () => {
    const { backend } = renderTimeline(query =>
      query.get('before')
        ? ok({ items: transitions(10, 1) })
        : ok({ items: transitions(20, 11), next: 'before-11' }),
    );
    await userEvent.click(
      await screen.findByRole('button', { name: 'Load more' }),
    );
    await waitFor(() => expect(entries()).toHaveLength(20));
    expect(backend.timelines).toEqual([
      `${PATH}?limit=10`,
      `${PATH}?limit=10&before=before-11`,
    ]);
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
    expect(screen.getByRole('list', { name: 'Timeline' })).toHaveFocus();
  });

  it('adds new transitions before the loaded ones after a change', async () => {
    const { backend } = renderTimeline(query =>
      query.get('before')
        ? ok({ items: transitions(10, 1) })
        : ok({ items: transitions(20, 11), next: 'before-11' }),
    );
    await userEvent.click(
      await screen.findByRole('button', { name: 'Load more' }),
    );
    await waitFor(() => expect(entries()).toHaveLength(20));
    const [, known] = entries();
    backend.answerTimelines(
      answering({ items: transitions(21, 12), next: 'before-12' }),
    );
    await change();
    await waitFor(() => expect(entries()).toHaveLength(21));
    expect(entries()[2]).toBe(known);
  });

  it('shows flapping in one line, which opens to each change', async () => {
    const { baseElement } = renderTimeline(
      answering({
        items: [
          transition(20, { omitted: 1, previous: transition(19) }),
          ...flapping(17, 4, [{ health: 'Suspended' }, { health: 'Degraded' }]),
          transition(3),
        ],
      }),
    );
    const show = await screen.findByRole('button', {
      name: 'Show each change',
      expanded: false,
    });
    const [same, line, first] = entries();
    expect(entries()).toHaveLength(3);
    expect(wordsOf(same)).toMatch(
      /^The same state again1 more change not recorded/,
    );
    expect(wordsOf(line)).toMatch(
      /^Suspended↔andDegraded14 times in 13 minShow each change\d+ h ago · [^a-z]*$/,
    );
    expect(wordsOf(first)).toMatch(/HealthHealthy/);
    expect(await axe(baseElement)).toHaveNoViolations();

    show.focus();
    await userEvent.keyboard('{Enter}');
    const each = within(
      screen.getByRole('list', { name: '14 changes' }),
    ).getAllByRole('listitem');
    expect(each).toHaveLength(14);
    expect(wordsOf(each[0])).toMatch(/^HealthSuspended→toDegraded/);
    expect(
      screen.getByRole('button', { name: 'Show less', expanded: true }),
    ).toHaveFocus();
    expect(await axe(baseElement)).toHaveNoViolations();
    await userEvent.keyboard('{Enter}');
    expect(screen.queryByRole('list', { name: '14 changes' })).toBeNull();
  });

  it('says how many changes of flapping are not recorded', async () => {
    const [latest, ...others] = flapping(14, 9, [
      { health: 'Suspended' },
      { health: 'Degraded' },
    ]);
    renderTimeline(
      answering({
        items: [
          { ...latest, omitted: 900 },
          { ...others[0], omitted: 80 },
          ...others.slice(1),
        ],
      }),
    );
    expect(
      await screen.findByText('980 more changes not recorded'),
    ).toBeVisible();
  });

  it('shows that the availability of a cluster flaps', async () => {
    renderTimeline(
      answering({
        items: flapping(14, 9, [
          {},
          { stale: true, error: 'the agent stopped updating its lease' },
        ]),
      }),
    );
    await screen.findByRole('list', { name: 'Timeline' });
    expect(wordsOf(entries()[0])).toMatch(
      /^Silent↔andReporting6 times in 5 min/,
    );
    await userEvent.click(
      screen.getByRole('button', { name: 'Show each change' }),
    );
    const [, latest] = entries();
    expect(wordsOf(latest)).toMatch(
      /^ClusterSilent→toReportingNo error any more/,
    );
  });

  it.each([
    ['Succeeded↔andFailed', [{}, { phase: 'Failed' as const }]],
    ['Synced↔andOutOfSync', [{}, { sync: 'OutOfSync' as const }]],
    ['Succeeded↔andnone', [{}, { phase: undefined }]],
    ['a1b2c3d↔andb2c3d4e', [{}, { revision: 'b2c3d4e5f6'.repeat(4) }]],
    ['No error↔andError', [{}, { error: 'no such image' }]],
    ['Other error', [{ error: 'failed at 1' }, { error: 'failed at 2' }]],
  ])('names what flaps: %s', async (words, states) => {
    renderTimeline(answering({ items: flapping(13, 8, states) }));
    await screen.findByRole('list', { name: 'Timeline' });
    expect(wordsOf(entries()[0])).toMatch(new RegExp(`^${words}6 times in`));
  });

  it('loads what belongs to the last line by itself, up to a bound', async () => {
    const all = flapping(200, 1, [
      { health: 'Healthy' },
      { health: 'Progressing' },
    ]);
    const { backend } = renderTimeline(query => {
      const before = Number(query.get('before') ?? 201);
      const items = all.filter(({ sequence }) => sequence < before);
      return ok({
        items: items.slice(0, 25),
        next: String(items[24].sequence),
      });
    });
    expect(
      await screen.findByText('at least 50 times in 49 min'),
    ).toBeVisible();
    expect(entries()).toHaveLength(1);
    expect(backend.timelines).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
    expect(
      await screen.findByText('at least 75 times in an hour'),
    ).toBeVisible();
    expect(backend.timelines).toHaveLength(3);
  });

  it('does not repeat a request by itself that failed', async () => {
    const items = flapping(20, 11, [{}, { health: 'Missing' }]);
    const { backend } = renderTimeline(query =>
      query.get('before')
        ? failure(500, 'Error', 'database is locked')
        : ok({ items, next: 'before-11' }),
    );
    expect(
      await screen.findByText(
        'Earlier changes could not be loaded: database is locked',
      ),
    ).toBeVisible();
    expect(screen.getByText('at least 10 times in 9 min')).toBeVisible();
    expect(backend.timelines).toHaveLength(2);
  });

  it('shows a placeholder while the first page loads', async () => {
    renderTimeline(() => 'never');
    expect(
      await screen.findByRole('status', { name: 'Loading the timeline' }),
    ).toHaveAttribute('aria-busy', 'true');
  });

  it('says that nothing is recorded yet', async () => {
    renderTimeline(answering({ items: [] }));
    expect(await screen.findByText(/^Nothing is recorded yet/)).toBeVisible();
  });

  it.each([
    [
      'the permission is missing',
      failure(403, 'NotAllowedError', 'Unauthorized'),
      /You do not have permission/,
    ],
    [
      'the database fails',
      failure(500, 'Error', 'database is locked'),
      /backend failed/,
    ],
    ['the backend does not answer', 'networkError' as const, /does not answer/],
  ])('shows the reason when %s, and recovers', async (_case, answer, title) => {
    const { backend, baseElement } = renderTimeline(() => answer);
    expect(await screen.findByText(title)).toBeVisible();
    expect(await axe(baseElement)).toHaveNoViolations();
    backend.answerTimelines(answering({ items: [transition(1)] }));
    await change();
    expect(await screen.findByRole('list', { name: 'Timeline' })).toBeVisible();
    expect(screen.queryByText(title)).toBeNull();
  });

  it('keeps the loaded transitions while later requests fail', async () => {
    const { backend } = renderTimeline(
      answering({ items: transitions(20, 11), next: 'before-11' }),
    );
    await screen.findByRole('list', { name: 'Timeline' });
    backend.answerTimelines(() => failure(500, 'Error', 'database is locked'));
    await change();
    expect(
      await screen.findByText(
        'The latest changes could not be loaded: database is locked',
      ),
    ).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
    expect(
      await screen.findByText(
        'Earlier changes could not be loaded: database is locked',
      ),
    ).toBeVisible();
    expect(entries()).toHaveLength(10);
  });

  it('has no accessibility violations', async () => {
    const { baseElement } = renderTimeline(
      answering({
        items: [
          transition(2, {
            health: 'Degraded',
            error: FORBIDDEN_MESSAGE,
            previous: transition(1),
          }),
          transition(1),
        ],
        next: 'before-1',
      }),
    );
    await screen.findByRole('list', { name: 'Timeline' });
    expect(await axe(baseElement)).toHaveNoViolations();
  });
});

describe('the Fleet tab', () => {
  it('loads the timeline while the drawer is open, and again when the ApplicationSet changed', async () => {
    const set = guestbook();
    const backend = createFakeBackend(ok(entityFleet([set])));
    serveSets(backend, [set], guestbookApplications());
    backend.answerTimelines(answering({ items: transitions(2, 1) }));
    renderForEntity(<EntityFleetContent />, backend);
    const row = await screen.findByRole('button', {
      name: 'cluster1: show details',
    });
    await waitFor(() => expect(backend.streams()).toBe(1));
    const details = backend.requests.filter(path =>
      path.includes('/applications/'),
    );
    expect([...details, ...backend.timelines]).toEqual([]);

    await userEvent.click(row);
    await waitFor(() => expect(entries()).toHaveLength(2));
    backend.answerTimelines(answering({ items: transitions(3, 1) }));
    backend.emit({ applicationSets: [set.ref], hubs: [] });
    await waitFor(() => expect(entries()).toHaveLength(3));
    expect(new Set(backend.timelines)).toEqual(new Set([`${PATH}?limit=10`]));

    await userEvent.keyboard('{Escape}');
    // The drawer is hidden while it slides out, and only then removed.
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { hidden: true })).toBeNull(),
    );
    const requested = backend.timelines.length;
    // After the first change, the timeline would be loaded before the rows are loaded a second time.
    const rows = () =>
      backend.requests.filter(path => path.endsWith('/rows')).length;
    for (const _change of ['first', 'second']) {
      const loaded = rows();
      backend.emit({ applicationSets: [set.ref], hubs: [] });
      await waitFor(() => expect(rows()).toBeGreaterThan(loaded));
    }
    expect(backend.timelines).toHaveLength(requested);
  });
});
