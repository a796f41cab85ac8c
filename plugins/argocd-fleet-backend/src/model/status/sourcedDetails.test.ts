import {
  UNREPORTED,
  type ApplicationState,
} from '../feedback/applicationState';
import { withSourcedDetails, type SourcedDetails } from './sourcedDetails';

const application = { namespace: 'argocd', name: 'app' };
const T1 = '2026-11-22T10:00:00Z';
const T2 = '2026-11-22T11:00:00Z';
const T3 = '2026-11-22T12:00:00Z';

const ofWork: ApplicationState = {
  ...UNREPORTED,
  conditions: [{ type: 'SyncError', message: 'of the work' }],
  resources: [{ kind: 'Service', name: 'web', sync: 'Synced' }],
  images: ['of-the-work:1'],
  statusAt: T2,
  statusFrom: 'feedback',
  detailsFrom: 'digest',
};
/** Feedback where the hub has no condition rules. */
const feedbackOnly: ApplicationState = {
  ...UNREPORTED,
  statusAt: T2,
  statusFrom: 'feedback',
};
const cutWork: ApplicationState = { ...ofWork, resourcesOmitted: 3 };

const available = { stale: false };
const silent = { stale: true, staleSince: T2 };

const said = (
  details: Partial<SourcedDetails['details']> = {},
  more: Partial<SourcedDetails> = {},
): SourcedDetails => ({
  source: 'search',
  details: {
    application,
    conditions: [{ type: 'SyncError', message: 'of the source' }],
    resources: [
      { kind: 'Service', name: 'web' },
      { group: 'apps', kind: 'Deployment', name: 'web' },
    ],
    ...details,
  },
  ...more,
});

describe('the details of a source', () => {
  it('change nothing where there are none', () => {
    expect(withSourcedDetails(ofWork, undefined, available)).toBe(ofWork);
    expect(withSourcedDetails(ofWork, [], silent)).toBe(ofWork);
  });

  it.each<
    [string, ApplicationState, SourcedDetails, typeof available, boolean]
  >([
    ['where the work has no details', feedbackOnly, said(), available, true],
    [
      'where the work has none, however old they are',
      feedbackOnly,
      said({ observedAt: T1 }),
      available,
      true,
    ],
    ['not over a digest, without a time', ofWork, said(), available, false],
    [
      'not over a digest, whenever they changed',
      ofWork,
      said({}, { changedAt: T3 }),
      available,
      false,
    ],
    [
      'over an earlier digest',
      ofWork,
      said({ observedAt: T3 }),
      available,
      true,
    ],
    [
      'not over a later digest',
      ofWork,
      said({ observedAt: T1 }),
      available,
      false,
    ],
    [
      'not over one of the same time',
      ofWork,
      said({ observedAt: T2 }),
      available,
      false,
    ],
    [
      'where they changed since the cluster became stale',
      ofWork,
      said({}, { changedAt: T3 }),
      silent,
      true,
    ],
    [
      'not where they changed before',
      ofWork,
      said({}, { changedAt: T1 }),
      silent,
      false,
    ],
    ['not where it never changed', ofWork, said(), silent, false],
    [
      'not over a digest where their time is invalid',
      ofWork,
      said({ observedAt: 'soon' }),
      available,
      false,
    ],
  ])('are shown %s', (_, state, answer, cluster, isShown) => {
    const { conditions, sources } = withSourcedDetails(
      state,
      [answer],
      cluster,
    );
    expect(conditions[0]?.message).toBe(
      isShown ? 'of the source' : 'of the work',
    );
    expect(sources?.conditions?.from).toBe(isShown ? 'search' : undefined);
  });

  it('are added to the first error and resource of the feedback', () => {
    const merged = withSourcedDetails(
      {
        ...feedbackOnly,
        conditions: [{ type: 'SyncError', message: 'of the work' }],
        resources: [{ kind: 'Deployment', name: 'web', health: 'Degraded' }],
      },
      [
        said({
          conditions: [
            { type: 'SyncError', message: 'of the source' },
            { type: 'RepeatedResourceWarning', message: 'twice' },
          ],
        }),
      ],
      available,
    );
    expect(merged.conditions).toEqual([
      { type: 'SyncError', message: 'of the work' },
      { type: 'RepeatedResourceWarning', message: 'twice' },
    ]);
    expect(merged.resources).toEqual([
      { kind: 'Service', name: 'web' },
      { group: 'apps', kind: 'Deployment', name: 'web', health: 'Degraded' },
    ]);
  });

  it('leave fields that they do not have', () => {
    const merged = withSourcedDetails(
      ofWork,
      [
        said({
          observedAt: T3,
          conditions: undefined,
          resources: undefined,
          images: ['a:2'],
        }),
      ],
      available,
    );
    expect(merged).toEqual({
      ...ofWork,
      images: ['a:2'],
      sources: { images: { from: 'search', observedAt: T3 } },
    });
  });

  it('are empty where the source says that there is nothing', () => {
    const { conditions, sources } = withSourcedDetails(
      ofWork,
      [said({ observedAt: T3, conditions: [] })],
      available,
    );
    expect(conditions).toEqual([]);
    expect(sources?.conditions?.from).toBe('search');
  });

  it('have the time of the last answer once the source does not answer', () => {
    expect(
      withSourcedDetails(feedbackOnly, [said()], available).sources?.resources,
    ).toEqual({ from: 'search' });
    expect(
      withSourcedDetails(
        feedbackOnly,
        [said({}, { lastSaidAt: T1 })],
        available,
      ).sources?.resources,
    ).toEqual({ from: 'search', observedAt: T1 });
  });

  it('complete a list that was cut, and remove nothing from it', () => {
    const merged = withSourcedDetails(cutWork, [said()], available);
    expect(merged).toMatchObject({
      conditions: cutWork.conditions,
      resources: [
        { kind: 'Service', name: 'web', sync: 'Synced' },
        { group: 'apps', kind: 'Deployment', name: 'web' },
      ],
      resourcesOmitted: 2,
      sources: { resources: { from: 'search', completed: true } },
    });
    expect(merged.sources).not.toHaveProperty('conditions');
  });

  it('never give a negative number of omitted resources', () => {
    const { resourcesOmitted } = withSourcedDetails(
      { ...cutWork, resourcesOmitted: 1 },
      [
        said({
          resources: ['a', 'b', 'c'].map(name => ({ kind: 'Service', name })),
        }),
      ],
      available,
    );
    expect(resourcesOmitted).toBe(0);
  });

  it('come from the latest of several sources, field by field', () => {
    const { conditions, images, sources } = withSourcedDetails(
      feedbackOnly,
      [
        said({ observedAt: T3, images: undefined }, { source: 'late' }),
        said(
          {
            observedAt: T1,
            conditions: [{ type: 'SyncError', message: 'early' }],
            images: ['early:1'],
          },
          { source: 'early' },
        ),
      ],
      available,
    );
    expect(conditions[0].message).toBe('of the source');
    expect(images).toEqual(['early:1']);
    expect(sources).toMatchObject({
      conditions: { from: 'late' },
      images: { from: 'early' },
    });
  });

  describe('of two sources without times, of which one does not answer any more', () => {
    const ofOne = (source: string, more: Partial<SourcedDetails> = {}) =>
      said(
        {
          conditions: [{ type: 'SyncError', message: `of the ${source} one` }],
          resources: [{ kind: 'ConfigMap', name: `of-the-${source}-one` }],
        },
        { source, ...more },
      );
    const silentOne = ofOne('silent', { lastSaidAt: T3 });
    const liveOne = ofOne('live');

    it.each([
      ['first', [silentOne, liveOne]],
      ['last', [liveOne, silentOne]],
    ])(
      'are those of the answering one, where the other one comes %s',
      (_, both) => {
        const { conditions, sources } = withSourcedDetails(
          feedbackOnly,
          both,
          available,
        );
        expect(conditions[0].message).toBe('of the live one');
        expect(sources?.conditions).toEqual({ from: 'live' });

        const cut = { ...cutWork, resourcesOmitted: 1 };
        expect(withSourcedDetails(cut, both, available)).toMatchObject({
          resources: [{ name: 'web' }, { name: 'of-the-live-one' }],
          sources: { resources: { from: 'live', completed: true } },
        });
      },
    );

    it('are those of a source with a time, before both', () => {
      const timed = ofOne('timed', { lastSaidAt: T3 });
      const { sources } = withSourcedDetails(
        feedbackOnly,
        [
          { ...timed, details: { ...timed.details, observedAt: T1 } },
          liveOne,
          silentOne,
        ],
        available,
      );
      expect(sources?.conditions).toEqual({ from: 'timed', observedAt: T1 });
    });
  });

  it('do not change sync and health', () => {
    const { health, sync, statusFrom, detailsFrom } = withSourcedDetails(
      feedbackOnly,
      [said()],
      available,
    );
    expect({ health, sync, statusFrom, detailsFrom }).toEqual({
      health: 'Unknown',
      sync: 'Unknown',
      statusFrom: 'feedback',
      detailsFrom: undefined,
    });
  });
});
