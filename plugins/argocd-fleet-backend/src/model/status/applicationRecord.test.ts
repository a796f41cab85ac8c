import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';
import {
  applicationRecord,
  recordChange,
  type KnownRecord,
  type RecordChange,
} from './applicationRecord';

const NOW = Date.parse('2026-11-22T12:00:00Z');

function row(fields: Partial<ClusterApplication> = {}): ClusterApplication {
  return {
    application: { namespace: 'argocd', name: 'shop' },
    cluster: { name: 'one', available: 'True', stale: false },
    deliveryModel: 'pull',
    health: 'Healthy',
    sync: 'Synced',
    state: 'ok',
    wanted: ['main'],
    since: '2026-11-22T10:00:00Z',
    statusAt: '2026-11-22T10:00:05Z',
    conditions: [],
    resources: [],
    steps: [],
    ...fields,
  };
}

const changeTo = (
  fields: Partial<ClusterApplication>,
  known?: KnownRecord,
  now = NOW,
) => recordChange(applicationRecord(row(fields), 'shops'), known, now);

/** The record in the database after that change. */
function recorded(
  change: RecordChange,
  sequence = 1,
  recordAgainAt = 0,
): KnownRecord {
  const { changedAt, reportedAt, fingerprints } = change;
  return {
    ...{ id: 1, sequence, changedAt, reportedAt, recordAgainAt },
    ...fingerprints,
  };
}

const known = recorded(changeTo({})!);

describe('the record of an Application', () => {
  it('begins with a transition, at the time that the cluster reports', () => {
    expect(changeTo({})).toMatchObject({
      isTransition: true,
      changedAt: Date.parse('2026-11-22T10:00:05Z'),
      details: '{"conditions":[],"resources":[]}',
    });
  });

  it.each<[string, Partial<ClusterApplication>]>([
    ['its health', { health: 'Degraded' }],
    ['its sync', { sync: 'OutOfSync' }],
    ['its phase', { phase: 'Running' }],
    ['its revision', { revision: 'abc' }],
    ['its first error', { error: 'no such image (5 s ago)' }],
  ])('has a transition when %s changed in any way', (_, fields) => {
    expect(changeTo(fields, known)?.isTransition).toBe(true);
    expect(changeTo(fields, recorded(changeTo(fields)!))).toBeUndefined();
    const back = changeTo({}, recorded(changeTo(fields, known)!, 2));
    expect(back?.isTransition).toBe(true);
  });

  it.each<[string, Partial<ClusterApplication>, boolean]>([
    ['its cluster', { cluster: { ...row().cluster, name: 'two' } }, false],
    [
      'its cluster falls silent',
      { cluster: { ...row().cluster, stale: true } },
      false,
    ],
    ['since when', { since: '2026-11-22T11:00:00Z' }, false],
    ['its images', { images: ['nginx:1'] }, true],
    [
      'its conditions',
      { conditions: [{ type: 'SyncError', message: 'x' }] },
      true,
    ],
    [
      'where details are from',
      { sources: { images: { from: 'search' } } },
      true,
    ],
  ])(
    'is written without a transition when %s changed',
    (_, fields, details) => {
      const change = changeTo(fields, known);
      expect(change).toMatchObject({
        isTransition: false,
        changedAt: known.changedAt,
      });
      expect(change?.details !== undefined).toBe(details);
    },
  );

  it.each<[string, Partial<ClusterApplication>]>([
    ['is looked at again', {}],
    ['is reported again as it is', { statusAt: '2026-11-22T11:59:00Z' }],
    [
      'has other delivery steps',
      { steps: [{ id: 'synced', state: 'done', title: 'Synced' }] },
    ],
    [
      'has labels on its cluster that changed',
      { cluster: { ...row().cluster, labels: { region: 'eu' } } },
    ],
  ])('is left alone when it %s', (_, fields) => {
    expect(changeTo(fields, known)).toBeUndefined();
  });

  it('ignores the time of the sources’ last answers', () => {
    const from = (observedAt: string) => ({
      sources: { images: { from: 'application', observedAt } },
    });
    const before = recorded(changeTo(from('2026-11-22T10:00:00Z'))!);
    expect(changeTo(from('2026-11-22T11:00:00Z'), before)).toBeUndefined();
  });

  it('is recorded again where its state did not become a transition, once that is due or with the next write', () => {
    const late = recorded(changeTo({ health: 'Degraded' }, known)!, 1, NOW);
    const changes = (fields: Partial<ClusterApplication>, now: number) => {
      const change = changeTo({ health: 'Degraded', ...fields }, late, now);
      return change && [change.isTransition, change.isOverdue];
    };
    expect(changes({}, NOW - 1)).toBeUndefined();
    expect(changes({}, NOW)).toEqual([false, true]);
    expect(changes({ images: ['nginx:1'] }, NOW - 1)).toEqual([false, true]);
    expect(changes({ health: 'Healthy' }, NOW)).toEqual([true, false]);
    const { changedAt } = changeTo({ health: 'Degraded' }, late, NOW)!;
    expect(changedAt).toBe(late.changedAt);
  });

  it('has another ApplicationSet when its owner changed', () => {
    const record = applicationRecord(row(), 'others');
    expect(recordChange(record, known, NOW)).toMatchObject({
      isTransition: false,
      columns: { applicationSet: 'others' },
    });
  });
});

describe('the time of a transition', () => {
  const at = (fields: Partial<ClusterApplication>, before = known, now = NOW) =>
    new Date(changeTo(fields, before, now)!.changedAt).toISOString();

  it('is when the health changed, as the cluster reports it', () => {
    expect(at({ health: 'Degraded', since: '2026-11-22T11:30:00Z' })).toBe(
      '2026-11-22T11:30:00.000Z',
    );
  });

  it('is when the operation began, where that is the latest time reported', () => {
    expect(
      at({ phase: 'Running', operationStartedAt: '2026-11-22T11:40:00Z' }),
    ).toBe('2026-11-22T11:40:00.000Z');
  });

  it('is when the cluster became stale', () => {
    const cluster = {
      ...row().cluster,
      ...{ stale: true, staleSince: '2026-11-22T11:50:00Z' },
    };
    const { staleSince: since } = cluster;
    expect(at({ cluster, since, error: 'cluster one is silent' })).toBe(
      '2026-11-22T11:50:00.000Z',
    );
  });

  it('is since when an error exists, as pages show it, however often Argo CD tried again', () => {
    const failed = {
      error: 'no such image',
      since: '2026-11-22T11:20:00Z',
      statusAt: '2026-11-22T11:50:00Z',
      operationStartedAt: '2026-11-22T11:50:00Z',
    };
    expect(at(failed)).toBe('2026-11-22T11:20:00.000Z');
    const before = recorded(changeTo(failed, known)!, 2);
    // The next attempt is no other error.
    expect(
      at(
        {
          ...failed,
          phase: 'Running',
          operationStartedAt: '2026-11-22T11:55:00Z',
        },
        before,
      ),
    ).toBe('2026-11-22T11:55:00.000Z');
  });

  it('is now where the cluster reports no new time', () => {
    expect(at({ health: 'Degraded' })).toBe('2026-11-22T12:00:00.000Z');
  });

  it('is now where nothing was ever reported', () => {
    for (const since of [undefined, 'yesterday']) {
      const change = changeTo({ since, statusAt: undefined });
      expect(change?.changedAt).toBe(NOW);
    }
  });

  it('is never later than now, however far a clock is ahead', () => {
    expect(at({ health: 'Degraded', since: '2027-01-01T00:00:00Z' })).toBe(
      '2026-11-22T12:00:00.000Z',
    );
  });

  it('is never earlier than that of the transition before', () => {
    const ahead = recorded(
      changeTo({ health: 'Degraded', since: '2027-01-01T00:00:00Z' }, known)!,
      2,
    );
    // Our clock is behind that of the replica that wrote before.
    expect(at({ since: '2026-11-22T11:59:00Z' }, ahead, NOW - 60_000)).toBe(
      '2026-11-22T12:00:00.000Z',
    );
  });
});
