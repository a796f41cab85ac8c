import { application } from '../__testUtils__/applications';
import { clusterApplication } from './clusterApplication';
import { createSharing, summaryRowOf, type SummaryRow } from './summaryRow';
import { versionsOf } from './versions';

const STATE = createSharing().state({
  health: 'Healthy',
  sync: 'Synced',
  state: 'ok',
  deliveryModel: 'pull',
  stale: false,
  excluded: false,
  reconciledOnHub: false,
  urgency: -1,
});

const SOURCE = { repoURL: 'https://git.example.com/shop.git', path: 'shop' };

const time = (hours: number) =>
  Date.parse('2026-11-20T00:00:00Z') + hours * 36e5;
const text = (hours: number) =>
  new Date(time(hours)).toISOString().replace('.000Z', 'Z');

/** A cluster that runs what it compared with. */
function row(
  cluster: string,
  compared: string,
  version: string,
  parts: Partial<SummaryRow> = {},
): SummaryRow {
  return {
    cluster,
    state: STATE,
    changedAt: undefined,
    wanted: compared,
    compared,
    comparedVersion: version,
    running: version,
    previous: undefined,
    runningSince: undefined,
    ...parts,
  };
}

describe('the versions of an ApplicationSet', () => {
  it('are none of no rows, and not known of a cluster that never reported', () => {
    expect(versionsOf([])).toEqual({ revisions: [], notKnown: 0 });
    const silent = row('a', '1.9', 'nine', {
      compared: undefined,
      comparedVersion: undefined,
      running: undefined,
    });
    expect(versionsOf([silent])).toEqual({
      revisions: [{ targetRevisions: ['1.9'], clusters: 0, wanted: 1 }],
      notKnown: 1,
    });
  });

  it('name the wanted text, the version that a comparison found for it, and what runs elsewhere', () => {
    const behind = { wanted: '1.9', runningSince: time(1) };
    expect(
      versionsOf([
        row('a', '1.9', 'nine', { runningSince: time(3) }),
        row('b', '1.9', 'nine', { runningSince: time(2) }),
        row('c', '1.8', 'eight', behind),
        row('d', '1.8', 'eight', { ...behind, running: undefined }),
      ]),
    ).toEqual({
      revisions: [
        {
          revision: 'nine',
          targetRevisions: ['1.9'],
          clusters: 2,
          wanted: 4,
          comparedBy: { cluster: 'a', at: text(3) },
          since: text(2),
        },
        {
          revision: 'eight',
          targetRevisions: ['1.8'],
          clusters: 1,
          wanted: 0,
          since: text(1),
        },
      ],
      notKnown: 1,
    });
  });

  it('have the wanted text without a version before any cluster compared with it', () => {
    const { revisions } = versionsOf([
      row('a', '1.8', 'eight', { wanted: '2.0' }),
    ]);
    expect(revisions).toEqual([
      { targetRevisions: ['2.0'], clusters: 0, wanted: 1 },
      {
        revision: 'eight',
        targetRevisions: ['1.8'],
        clusters: 1,
        wanted: 0,
      },
    ]);
  });

  it.each<[string, string, SummaryRow[]]>([
    [
      'the one that replaced the other, however late the other was deployed elsewhere',
      'new',
      [
        row('a', 'main', 'new', { previous: 'old', runningSince: undefined }),
        row('b', 'main', 'old', { previous: 'older', runningSince: time(9) }),
      ],
    ],
    [
      'the one that was compared with and is not deployed yet',
      'new',
      [
        row('a', 'main', 'new', { running: 'old', previous: 'old' }),
        row('b', 'main', 'old', { runningSince: time(9) }),
      ],
    ],
    [
      'the last that was deployed, where the branch was set back',
      'first',
      [
        row('a', 'main', 'first', {
          previous: 'second',
          runningSince: time(9),
        }),
        row('b', 'main', 'second', {
          previous: 'first',
          runningSince: time(5),
        }),
      ],
    ],
    [
      'not that of a silent cluster',
      'new',
      [
        row('a', 'main', 'new', { previous: 'old', runningSince: time(2) }),
        row('b', 'main', 'old', { running: undefined, previous: 'older' }),
      ],
    ],
  ])('take for a branch %s', (_, expected, rows) => {
    for (const some of [rows, rows.toReversed()]) {
      expect(versionsOf(some).revisions[0]).toMatchObject({
        revision: expected,
        targetRevisions: ['main'],
        wanted: 2,
      });
    }
  });

  it('take nothing for the wanted text from a cluster that could not compare', () => {
    const failed = clusterApplication({
      application: application({
        metadata: { labels: {} },
        spec: { source: { ...SOURCE, targetRevision: 'does-not-exist' } },
        status: {
          health: { status: 'Healthy' },
          sync: { status: 'Unknown', revision: 'eight' },
          history: [{ id: 1, revision: 'eight' }],
        },
      }),
    });
    expect(failed.compared).toBeUndefined();
    const rows = [summaryRowOf({ application: application() }, failed)];
    expect(versionsOf(rows).revisions).toEqual([
      { targetRevisions: ['does-not-exist'], clusters: 0, wanted: 1 },
      { revision: 'eight', clusters: 1, wanted: 0 },
    ]);
  });

  it('have the texts of several sources', () => {
    expect(
      versionsOf([row('a', '1.2.3\nmain', '1.2.3 abc')]).revisions,
    ).toEqual([
      expect.objectContaining({
        revision: '1.2.3 abc',
        targetRevisions: ['1.2.3', 'main'],
      }),
    ]);
  });

  it('leave out what is intentionally not delivered', () => {
    const excluded = { ...STATE, excluded: true };
    expect(
      versionsOf([row('hub', '1.9', 'nine', { state: excluded })]),
    ).toEqual({ revisions: [], notKnown: 0 });
  });

  it('are at most ten', () => {
    const rows = Array.from({ length: 12 }, (_, index) =>
      row(`c${index}`, 'main', `v${index}`),
    );
    expect(versionsOf(rows).revisions).toHaveLength(10);
  });
});
