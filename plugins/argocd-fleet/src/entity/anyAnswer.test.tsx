import { cleanup, screen, waitFor } from '@testing-library/react';
import type {
  ApplicationSetDetail,
  ClusterApplication,
  EntityFleet,
  TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import { anyAnswer } from '../__testUtils__/apiAnswers';
import { createFakeBackend, ok } from '../__testUtils__/fakeBackend';
import { entityFleet } from '../__testUtils__/fixtures';
import { renderForEntity } from '../__testUtils__/render';
import { rowKeyOf } from '../rowIdentity';
import { EntityFleetCard } from './EntityFleetCard';
import { EntityFleetContent } from './EntityFleetContent';

jest.setTimeout(120_000);

/** To make a failing answer smaller would take longer than to read it. */
const RUNS = { numRuns: 25, endOnFailure: true };

/** A page that throws while it is rendered is gone, with all that it could have shown. */
describe('whatever the API may answer', () => {
  beforeEach(() => {
    // Equal keys, and the like.
    jest.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => jest.restoreAllMocks());

  it('the Fleet tab shows it, and the drawer of each row', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          anyAnswer<ApplicationSetDetail>('ApplicationSetDetail'),
          anyAnswer<ClusterApplication>('ClusterApplication'),
          anyAnswer<TransitionPage>('TransitionPage'),
          async (set, row, timeline) => {
            const applications = [row, ...set.applications];
            const backend = createFakeBackend(
              ok(entityFleet([{ ...set, applications }])),
            );
            backend.answerTimelines(() => ok(timeline));
            const url = `?${new URLSearchParams({ row: rowKeyOf(row) })}`;
            renderForEntity(<EntityFleetContent />, backend, { url });
            await screen.findByRole('dialog');
            await waitFor(() => expect(backend.timelines).not.toEqual([]));
            await waitFor(() =>
              expect(backend.requests.length).toBeGreaterThan(1),
            );
            expect(screen.getByRole('dialog')).toBeInTheDocument();
            for (const link of screen.queryAllByRole('link', {
              hidden: true,
            })) {
              // Nothing that a cluster says is run by the browser.
              expect(link.getAttribute('href')).toMatch(/^(https?:\/\/|\/)/);
            }
          },
        )
        .afterEach(cleanup),
      RUNS,
    );
  });

  it('the card shows it', async () => {
    await fc.assert(
      fc
        .asyncProperty(anyAnswer<EntityFleet>('EntityFleet'), async answer => {
          const links = answer.applicationSets.map(({ ref }) => ({
            ref,
            via: 'annotation',
            state: 'found' as const,
          }));
          const backend = createFakeBackend(ok({ ...answer, links }));
          renderForEntity(<EntityFleetCard />, backend);
          await waitFor(() =>
            expect(backend.requests.length).toBeGreaterThan(1),
          );
          expect(screen.queryByText(/Error in app/)).toBeNull();
        })
        .afterEach(cleanup),
      RUNS,
    );
  });
});
