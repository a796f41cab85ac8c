import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type {
  ApplicationRow,
  ApplicationSetRows,
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

const RUNS = {
  numRuns: process.env.ARGOCD_FLEET_TESTS === 'long' ? 25 : 5,
  /** Shrinking a failing response takes longer than reading it. */
  endOnFailure: true,
};

/** A page that throws while rendering shows nothing at all. */
describe('any response that the API document allows', () => {
  beforeEach(() => {
    // React warns about random data, such as equal keys.
    jest.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => jest.restoreAllMocks());

  it('renders in the Fleet tab and the drawer', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          anyAnswer<ApplicationSetRows>('ApplicationSetRows'),
          anyAnswer<ApplicationRow>('ApplicationRow'),
          anyAnswer<ClusterApplication>('ClusterApplication'),
          anyAnswer<TransitionPage>('TransitionPage'),
          async (set, row, application, timeline) => {
            const applications = [row, ...set.applications];
            const backend = createFakeBackend(ok(entityFleet([set])));
            backend.answer(ok({ ...set, applications }), /\/rows$/);
            backend.answer(ok(application), /\/argocd-fleet\/applications\//);
            backend.answerTimelines(() => ok(timeline));
            const url = `?${new URLSearchParams({ row: rowKeyOf(row) })}`;
            renderForEntity(<EntityFleetContent />, backend, { url });
            await screen.findByRole('dialog');
            await waitFor(() => expect(backend.timelines).not.toEqual([]));
            await waitFor(() =>
              expect(
                screen.queryByLabelText('Loading the timeline'),
              ).toBeNull(),
            );
            expect(
              within(screen.getByRole('dialog')).getByRole('list', {
                name: 'Delivery path',
              }),
            ).toBeInTheDocument();
            expect(
              screen.getByRole('grid', { hidden: true }),
            ).toBeInTheDocument();
            for (const link of screen.queryAllByRole('link', {
              hidden: true,
            })) {
              // A URL from a cluster must never run a script.
              expect(link.getAttribute('href')).toMatch(/^(https?:\/\/|\/)/);
            }
          },
        )
        .afterEach(cleanup),
      RUNS,
    );
  });

  it('renders in the card', async () => {
    await fc.assert(
      fc
        .asyncProperty(anyAnswer<EntityFleet>('EntityFleet'), async answer => {
          const links = answer.applicationSets.map(({ ref }) => ({
            ref,
            way: 'annotation' as const,
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
